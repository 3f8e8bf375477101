// collectives OPERATION BYTES...: for each number one MPI_Bcast, MPI_Allreduce (maximum of bytes) or MPI_Alltoall
// (BYTES for each pair) that all ranks start at the same time; prints how long it takes until the last rank is through,
// and checks what arrived. The first one also pays for what SMPI prepares once, such as communicators of its
// algorithms.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <mpi.h>
#include <string>
#include <vector>

namespace {

// Seconds: when the first one starts, and from one start to the next, longer than anything takes.
constexpr double first_start = 1;
constexpr double gap = 100;

// usleep and nanosleep take simulated time: barriers would let ranks go at different times.
bool sleep_until(double start)
{
  const double left = start - MPI_Wtime();
  const auto nanoseconds = std::llround(left * 1e9);
  timespec time = {nanoseconds / 1'000'000'000, nanoseconds % 1'000'000'000};
  nanosleep(&time, nullptr);
  return left > 0;
}

// The time of this rank; infinite where it has not got what it must have, which is `value` in each byte.
double run(const std::string& operation, int bytes, char value, int rank, int ranks)
{
  std::vector<char> out(static_cast<std::size_t>(bytes) *
                            (operation == "alltoall" ? static_cast<std::size_t>(ranks) : 1),
                        rank == 0 ? value : char{1});
  std::vector<char> in(out.size(), 0);
  bool right = false;
  const double start = MPI_Wtime();
  if (operation == "bcast") {
    MPI_Bcast(out.data(), bytes, MPI_CHAR, 0, MPI_COMM_WORLD);
    right = std::count(out.begin(), out.end(), value) == bytes;
  } else if (operation == "allreduce") {
    MPI_Allreduce(out.data(), in.data(), bytes, MPI_CHAR, MPI_MAX, MPI_COMM_WORLD);
    right = std::count(in.begin(), in.end(), value) == bytes;
  } else {
    MPI_Alltoall(out.data(), bytes, MPI_CHAR, in.data(), bytes, MPI_CHAR, MPI_COMM_WORLD);
    right = std::count(in.begin(), in.begin() + bytes, value) == bytes;
  }
  const double time = MPI_Wtime() - start;
  return right ? time : std::numeric_limits<double>::infinity();
}

} // namespace

int main(int argc, char** argv)
{
  MPI_Init(&argc, &argv);
  const std::string operation = argc >= 3 ? argv[1] : "";
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  bool known = operation == "bcast" || operation == "allreduce" || operation == "alltoall";
  for (int i = 2; i < argc; ++i) {
    known = known && std::atoi(argv[i]) > 0;
  }
  if (!known) {
    if (rank == 0) {
      std::fprintf(stderr, "usage: collectives bcast|allreduce|alltoall BYTES...\n");
    }
    MPI_Finalize();
    return 2;
  }
  bool right = true;
  for (int i = 2; i < argc; ++i) {
    const int bytes = std::atoi(argv[i]);
    if (!sleep_until(first_start + (i - 2) * gap)) {
      std::fprintf(stderr, "collectives: what comes before %d bytes takes longer than %.0f s\n", bytes, gap);
      return 3;
    }
    // Each time another value: what is left from the one before is not to count.
    const double mine = run(operation, bytes, static_cast<char>(i % 100), rank, ranks);
    double last = 0;
    MPI_Reduce(&mine, &last, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    // SimGrid's clock is a double of seconds: some picoseconds are noise.
    if (rank == 0 && std::isfinite(last)) {
      std::printf("%s of %d bytes among %d ranks: %.4f us\n", operation.c_str(), bytes, ranks, last * 1e6);
    } else if (rank == 0) {
      std::printf("%s of %d bytes among %d ranks: wrong\n", operation.c_str(), bytes, ranks);
      right = false;
    }
    std::fflush(stdout);
  }
  MPI_Finalize();
  return right ? 0 : 1;
}
