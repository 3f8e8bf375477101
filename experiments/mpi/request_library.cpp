// SMPI's requests, recorded: part of libwormcast_platform.so, and called where that is loaded before SMPI's library
// (LD_PRELOAD). Collectives and MPI functions make, start and await all of their messages by these functions.

#include "wormcast/experiments/mpi/call_recorder.hpp"
#include "wormcast/experiments/mpi/smpi_interface.hpp"

#include <dlfcn.h>

namespace wormcast {

namespace {

/// The library's own function of this symbol.
template <typename Function> Function* library_function(const char* symbol)
{
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, symbol));
}

CallRecorder::Exchange sending(int to, int tag, MPI_Comm communicator)
{
  return {.peer = to, .tag = tag, .communicator = communicator, .is_send = true};
}

CallRecorder::Exchange receiving(int from, int tag, MPI_Comm communicator)
{
  return {.peer = from, .tag = tag, .communicator = communicator};
}

/// Records what a request is for, and returns it.
MPI_Request prepared(MPI_Request request, const CallRecorder::Exchange& exchange)
{
  CallRecorder::instance().prepared(request, exchange);
  return request;
}

} // namespace

} // namespace wormcast

// SimGrid's classes, as smpi_interface.hpp declares them.
namespace simgrid {

using wormcast::CallRecorder;

kernel::activity::CommImpl* kernel::activity::CommImpl::start()
{
  static auto* const next =
      wormcast::library_function<CommImpl*(CommImpl*)>("_ZN7simgrid6kernel8activity8CommImpl5startEv");
  CallRecorder::instance().communication_starts(this);
  CommImpl* const result = next(this);
  CallRecorder::instance().communication_started();
  return result;
}

namespace smpi {

void Request::start()
{
  static auto* const next = wormcast::library_function<void(Request*)>("_ZN7simgrid4smpi7Request5startEv");
  CallRecorder::instance().started(this);
  next(this);
}

int Request::wait(Request** request, MPI_Status* status)
{
  static auto* const next =
      wormcast::library_function<decltype(wait)>("_ZN7simgrid4smpi7Request4waitEPPS1_P10MPI_Status");
  const CallRecorder::Waiting waiting(1, request);
  return next(request, status);
}

int Request::waitany(int count, Request** requests, MPI_Status* status)
{
  static auto* const next =
      wormcast::library_function<decltype(waitany)>("_ZN7simgrid4smpi7Request7waitanyEiPPS1_P10MPI_Status");
  const CallRecorder::Waiting waiting(count, requests);
  return next(count, requests, status);
}

int Request::finish_wait(Request** request, MPI_Status* status)
{
  static auto* const next =
      wormcast::library_function<decltype(finish_wait)>("_ZN7simgrid4smpi7Request11finish_waitEPPS1_P10MPI_Status");
  CallRecorder::instance().finished(*request);
  return next(request, status);
}

Request* Request::bsend_init(const void* data, int count, Datatype* type, int to, int tag, Comm* comm)
{
  static auto* const next = wormcast::library_function<decltype(bsend_init)>(
      "_ZN7simgrid4smpi7Request10bsend_initEPKviPNS0_8DatatypeEiiPNS0_4CommE");
  return wormcast::prepared(next(data, count, type, to, tag, comm), wormcast::sending(to, tag, comm));
}

Request* Request::send_init(const void* data, int count, Datatype* type, int to, int tag, Comm* comm)
{
  static auto* const next = wormcast::library_function<decltype(send_init)>(
      "_ZN7simgrid4smpi7Request9send_initEPKviPNS0_8DatatypeEiiPNS0_4CommE");
  return wormcast::prepared(next(data, count, type, to, tag, comm), wormcast::sending(to, tag, comm));
}

Request* Request::ssend_init(const void* data, int count, Datatype* type, int to, int tag, Comm* comm)
{
  static auto* const next = wormcast::library_function<decltype(ssend_init)>(
      "_ZN7simgrid4smpi7Request10ssend_initEPKviPNS0_8DatatypeEiiPNS0_4CommE");
  return wormcast::prepared(next(data, count, type, to, tag, comm), wormcast::sending(to, tag, comm));
}

Request* Request::isend_init(const void* data, int count, Datatype* type, int to, int tag, Comm* comm)
{
  static auto* const next = wormcast::library_function<decltype(isend_init)>(
      "_ZN7simgrid4smpi7Request10isend_initEPKviPNS0_8DatatypeEiiPNS0_4CommE");
  return wormcast::prepared(next(data, count, type, to, tag, comm), wormcast::sending(to, tag, comm));
}

Request* Request::recv_init(void* data, int count, Datatype* type, int from, int tag, Comm* comm)
{
  static auto* const next = wormcast::library_function<decltype(recv_init)>(
      "_ZN7simgrid4smpi7Request9recv_initEPviPNS0_8DatatypeEiiPNS0_4CommE");
  return wormcast::prepared(next(data, count, type, from, tag, comm), wormcast::receiving(from, tag, comm));
}

Request* Request::irecv_init(void* data, int count, Datatype* type, int from, int tag, Comm* comm)
{
  static auto* const next = wormcast::library_function<decltype(irecv_init)>(
      "_ZN7simgrid4smpi7Request10irecv_initEPviPNS0_8DatatypeEiiPNS0_4CommE");
  return wormcast::prepared(next(data, count, type, from, tag, comm), wormcast::receiving(from, tag, comm));
}

Request* Request::ibsend(const void* data, int count, Datatype* type, int to, int tag, Comm* comm)
{
  static auto* const next =
      wormcast::library_function<decltype(ibsend)>("_ZN7simgrid4smpi7Request6ibsendEPKviPNS0_8DatatypeEiiPNS0_4CommE");
  CallRecorder::instance().announce(wormcast::sending(to, tag, comm));
  return next(data, count, type, to, tag, comm);
}

Request* Request::isend(const void* data, int count, Datatype* type, int to, int tag, Comm* comm)
{
  static auto* const next =
      wormcast::library_function<decltype(isend)>("_ZN7simgrid4smpi7Request5isendEPKviPNS0_8DatatypeEiiPNS0_4CommE");
  CallRecorder::instance().announce(wormcast::sending(to, tag, comm));
  return next(data, count, type, to, tag, comm);
}

Request* Request::issend(const void* data, int count, Datatype* type, int to, int tag, Comm* comm)
{
  static auto* const next =
      wormcast::library_function<decltype(issend)>("_ZN7simgrid4smpi7Request6issendEPKviPNS0_8DatatypeEiiPNS0_4CommE");
  CallRecorder::instance().announce(wormcast::sending(to, tag, comm));
  return next(data, count, type, to, tag, comm);
}

int Request::bsend(const void* data, int count, Datatype* type, int to, int tag, Comm* comm)
{
  static auto* const next =
      wormcast::library_function<decltype(bsend)>("_ZN7simgrid4smpi7Request5bsendEPKviPNS0_8DatatypeEiiPNS0_4CommE");
  CallRecorder::instance().announce(wormcast::sending(to, tag, comm));
  return next(data, count, type, to, tag, comm);
}

int Request::send(const void* data, int count, Datatype* type, int to, int tag, Comm* comm)
{
  static auto* const next =
      wormcast::library_function<decltype(send)>("_ZN7simgrid4smpi7Request4sendEPKviPNS0_8DatatypeEiiPNS0_4CommE");
  CallRecorder::instance().announce(wormcast::sending(to, tag, comm));
  return next(data, count, type, to, tag, comm);
}

int Request::ssend(const void* data, int count, Datatype* type, int to, int tag, Comm* comm)
{
  static auto* const next =
      wormcast::library_function<decltype(ssend)>("_ZN7simgrid4smpi7Request5ssendEPKviPNS0_8DatatypeEiiPNS0_4CommE");
  CallRecorder::instance().announce(wormcast::sending(to, tag, comm));
  return next(data, count, type, to, tag, comm);
}

Request* Request::irecv(void* data, int count, Datatype* type, int from, int tag, Comm* comm)
{
  static auto* const next =
      wormcast::library_function<decltype(irecv)>("_ZN7simgrid4smpi7Request5irecvEPviPNS0_8DatatypeEiiPNS0_4CommE");
  CallRecorder::instance().announce(wormcast::receiving(from, tag, comm));
  return next(data, count, type, from, tag, comm);
}

int Request::recv(void* data, int count, Datatype* type, int from, int tag, Comm* comm, MPI_Status* status)
{
  static auto* const next = wormcast::library_function<decltype(recv)>(
      "_ZN7simgrid4smpi7Request4recvEPviPNS0_8DatatypeEiiPNS0_4CommEP10MPI_Status");
  CallRecorder::instance().announce(wormcast::receiving(from, tag, comm));
  return next(data, count, type, from, tag, comm, status);
}

// One-sided communication: between two ranks of the window's communicator, of which the running one need be none.

Request* Request::rma_send_init(const void* data, int count, Datatype* type, int from, int to, int tag, Comm* comm,
                                Op* operation)
{
  static auto* const next = wormcast::library_function<decltype(rma_send_init)>(
      "_ZN7simgrid4smpi7Request13rma_send_initEPKviPNS0_8DatatypeEiiiPNS0_4CommEPNS0_2OpE");
  return wormcast::prepared(next(data, count, type, from, to, tag, comm, operation),
                            {.peer = to, .tag = tag, .communicator = comm, .is_send = true, .self = from});
}

Request* Request::rma_recv_init(void* data, int count, Datatype* type, int from, int to, int tag, Comm* comm,
                                Op* operation)
{
  static auto* const next = wormcast::library_function<decltype(rma_recv_init)>(
      "_ZN7simgrid4smpi7Request13rma_recv_initEPviPNS0_8DatatypeEiiiPNS0_4CommEPNS0_2OpE");
  return wormcast::prepared(next(data, count, type, from, to, tag, comm, operation),
                            {.peer = from, .tag = tag, .communicator = comm, .is_send = false, .self = to});
}

} // namespace smpi

} // namespace simgrid
