// words_program WHAT: an MPI program whose messages have known words, or that comes to a stop. Made by smpicxx.

#include <mpi.h>
#include <string>
#include <vector>

namespace {

struct World {
  int rank = 0;
  int size = 0;
  int next() const { return (rank + 1) % size; }
  int before() const { return (rank + size - 1) % size; }
};

// Point to point, collectives, a communicator of its own, persistent and one-sided messages, regions.
void speak(const World& world)
{
  int out = world.rank;
  int in = 0;
  MPI_Request requests[2];
  MPI_Pcontrol(1);
  MPI_Pcontrol(100, "exchange");
  MPI_Isend(&out, 1, MPI_INT, world.next(), 5, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(&in, 1, MPI_INT, world.before(), 5, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Pcontrol(100, "inner");
  MPI_Bcast(&out, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Pcontrol(-100, "inner");
  MPI_Pcontrol(-100, "exchange");
  MPI_Bcast(&out, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, world.rank % 2, world.rank, &half);
  MPI_Comm_set_name(half, world.rank % 2 == 0 ? "even" : "odd");
  int rank = 0;
  MPI_Comm_rank(half, &rank);
  if (rank == 0) {
    MPI_Send(&out, 1, MPI_INT, 1, 8, half);
  } else if (rank == 1) {
    MPI_Recv(&in, 1, MPI_INT, 0, 8, half, MPI_STATUS_IGNORE);
  }
  MPI_Send_init(&out, 1, MPI_INT, world.next(), 9, MPI_COMM_WORLD, &requests[0]);
  MPI_Recv_init(&in, 1, MPI_INT, world.before(), 9, MPI_COMM_WORLD, &requests[1]);
  MPI_Startall(2, requests);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

void wait_for(const World& world, const std::string& what)
{
  int in = 0;
  int out = world.rank;
  MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  if (what == "ring") {
    MPI_Recv(&in, 1, MPI_INT, world.next(), 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE); // line of the ring
  } else if (what == "big") {
    std::vector<char> data(1 << 20);
    MPI_Send(data.data(), 1 << 20, MPI_CHAR, world.rank ^ 1, 3, MPI_COMM_WORLD);
  } else if (what == "mismatch" && world.rank == 0) {
    MPI_Reduce(&out, &in, 1, MPI_INT, MPI_SUM, 1, MPI_COMM_WORLD);
  } else if (what == "mismatch") {
    MPI_Barrier(MPI_COMM_WORLD);
  } else if (what == "wait") {
    MPI_Irecv(&in, 1, MPI_INT, world.next(), 7, MPI_COMM_WORLD, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  } else if (what == "waitall") {
    MPI_Irecv(&in, 1, MPI_INT, world.before(), 6, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&out, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  } else if (what == "half") {
    MPI_Comm half = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, world.rank % 2, world.rank, &half);
    MPI_Comm_set_name(half, world.rank % 2 == 0 ? "even" : "odd");
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(half, &rank);
    MPI_Comm_size(half, &size);
    MPI_Recv(&in, 1, MPI_INT, (rank + 1) % size, 4, half, MPI_STATUS_IGNORE);
  }
}

} // namespace

int main(int count, char** words)
{
  MPI_Init(&count, &words);
  World world;
  MPI_Comm_rank(MPI_COMM_WORLD, &world.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &world.size);
  const std::string what = words[1];
  if (what == "speak") {
    speak(world);
  } else {
    wait_for(world, what);
  }
  MPI_Finalize();
  return 0;
}
