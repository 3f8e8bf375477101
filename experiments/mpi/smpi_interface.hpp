#pragma once

#include <smpi/smpi.h>
#include <string>

// SimGrid installs no declarations of the classes in which SMPI keeps its requests and communicators, although its
// library exports their functions. Of version 3.32: names and parameters are part of the exported symbols, so that a
// function that has another form is not called by its callers, instead of being called with wrong parameters. What they
// return is not: it is passed on.
namespace simgrid::kernel::activity {

/// A communication between two mailboxes.
class CommImpl {
public:
  CommImpl* start();
};

} // namespace simgrid::kernel::activity

namespace simgrid::smpi {

/// The ranks of a communicator.
class Group {
public:
  long actor(int rank) const; ///< the process id of its actor
};

/// A communicator.
class Comm {
public:
  int id() const;
  Group* group();
  std::string name() const;
};

/// A message that is sent or received.
class Request {
public:
  void start();
  static int wait(Request** request, MPI_Status* status);
  static int waitany(int count, Request** requests, MPI_Status* status);
  static int finish_wait(Request** request, MPI_Status* status);

  static Request* bsend_init(const void* data, int count, Datatype* type, int to, int tag, Comm* comm);
  static Request* send_init(const void* data, int count, Datatype* type, int to, int tag, Comm* comm);
  static Request* ssend_init(const void* data, int count, Datatype* type, int to, int tag, Comm* comm);
  static Request* isend_init(const void* data, int count, Datatype* type, int to, int tag, Comm* comm);
  static Request* recv_init(void* data, int count, Datatype* type, int from, int tag, Comm* comm);
  static Request* irecv_init(void* data, int count, Datatype* type, int from, int tag, Comm* comm);
  static Request* rma_send_init(const void* data, int count, Datatype* type, int from, int to, int tag, Comm* comm,
                                Op* operation);
  static Request* rma_recv_init(void* data, int count, Datatype* type, int from, int to, int tag, Comm* comm,
                                Op* operation);

  static Request* ibsend(const void* data, int count, Datatype* type, int to, int tag, Comm* comm);
  static Request* isend(const void* data, int count, Datatype* type, int to, int tag, Comm* comm);
  static Request* issend(const void* data, int count, Datatype* type, int to, int tag, Comm* comm);
  static Request* irecv(void* data, int count, Datatype* type, int from, int tag, Comm* comm);
  static int bsend(const void* data, int count, Datatype* type, int to, int tag, Comm* comm);
  static int send(const void* data, int count, Datatype* type, int to, int tag, Comm* comm);
  static int ssend(const void* data, int count, Datatype* type, int to, int tag, Comm* comm);
  static int recv(void* data, int count, Datatype* type, int from, int tag, Comm* comm, MPI_Status* status);
};

} // namespace simgrid::smpi
