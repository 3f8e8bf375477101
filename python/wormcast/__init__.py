"""Wormcast: a discrete-event simulator of wormhole-switched networks.

Times that come out are whole numbers of picoseconds; those that go in are texts with a unit ("10us"), as in a
configuration file. A node is its id, a list of coordinates or its name. Simulations run without the interpreter's lock
and know nothing of each other: any number of threads may run them at once. Errors are exceptions (Error and what is
derived from it) with the text that the program `wormcast` prints, and its exit code as `exit_code`.
"""

from __future__ import annotations

import json as _json
import os as _os
import warnings as _warnings
from collections.abc import Mapping as _Mapping
from typing import Any, Iterable, Mapping, Optional, Sequence, Union

try:
    from . import _core
except ImportError as error:
    if "shared object file" in str(error):  # a wheel has no libraries of others
        raise ImportError(f"{error}; wormcast needs packages of Debian with libraries: libsimgrid3.32 and those that "
                          "docs/python.md names") from None
    raise
from . import _configuration, _values
from ._core import Report, Result, Schedule, Topology
from ._configuration import toml
from ._core import channel_kinds, contention_kinds, wait_causes
from ._core import version as __version__
from ._errors import Deadlock, Error, FileError, IncompleteSchedule, InputError, OutputError
from ._program import Collectives, Contention, Reproduction, collectives, contention, reproduce
from ._studies import Choice, Comparison, Load, Series, Sweep, View, choose, compare, load, series, sweep, view

__all__ = [
    "Choice", "Collectives", "Comparison", "Contention", "Deadlock", "Error", "FileError", "IncompleteSchedule", "InputError", "Load", "OutputError", "Report",
    "Reproduction", "Result", "Schedule", "Series", "Sweep", "Topology", "View", "algorithms", "channel_kinds", "choose",
    "collectives", "compare", "contention", "contention_kinds", "load", "messages", "read_schedule", "reproduce", "run",
    "schedule", "series", "simulate", "sweep", "toml", "topologies", "topology", "verify", "view", "wait_causes",
]


def __dir__():
    return sorted([*__all__, "__doc__", "__file__", "__name__", "__version__"])


_File = Union[str, "_os.PathLike[str]"]
_Node = Union[int, Sequence[int]]


def _finished(result):
    for text in result.warnings:
        _warnings.warn(text, stacklevel=3)
    if result.deadlock is not None:
        raise Deadlock(result.deadlock, result)
    return result


def _wanted(contention, occupancy, explain):
    named = {"contention": contention, "occupancy": occupancy, "explain": explain}
    return {name: _values.flag(name, value) for name, value in named.items()}


def run(config: Union[_File, Mapping[str, Any]], *, set: _configuration.Set = None,
        unset: Union[str, Iterable[str]] = (), contention: bool = True, occupancy: bool = False,
        explain: bool = False, unchecked: bool = False) -> Result:
    """Simulates one configuration, as `wormcast run` does.

    config: a file, or a dictionary of sections: {"topology": {"kind": "mesh", "dims": [8, 8]}, ...}
    set, unset: values that replace those of the configuration, by dotted keys ({"message.bytes": 64}, or texts as of
        --set, ["message.bytes=64"]); keys and sections to take out first
    contention, occupancy: whether these records are kept; a run without them takes less time and memory
    explain: find the critical path, for Result.explanation
    unchecked: also simulate a schedule that does not do its operation; Result.complete is False then

    Raises InputError, FileError, IncompleteSchedule, and Deadlock with what was delivered until then.
    """
    source = _configuration.source(config, set, unset, unchecked)
    return _finished(_core.run(source, _wanted(contention, occupancy, explain)))


def topology(kind: str, *, routing: str = "", tie: str = "no_wrap", **parameters: Any) -> Topology:
    """A network: topology("mesh", dims=[8, 8]). Kinds and their parameters are those of [topology]."""
    return _core.topology(kind, parameters, routing, tie)


def schedule(algorithm: str, topology: Topology, *, source: _Node = 0, bytes: Union[int, str] = 1,
             ports: Union[int, str] = 1, duplex: str = "full", startup: Optional[str] = None,
             per_byte: Optional[str] = None, per_hop: str = "0us", **parameters: Any) -> Schedule:
    """An algorithm's messages on a topology. Parameters are those that [algorithm] takes.

    bytes: length of the message, an int or a text ("4KiB")
    ports, duplex: as in [network]
    startup, per_byte, per_hop: costs of the network ("10us"), for parameters that are "best"
    """
    given = {"source": source, "bytes": bytes, "ports": ports, "duplex": duplex, "startup": startup,
             "per_byte": per_byte, "per_hop": per_hop, "parameters": parameters}
    _values.instance("topology", topology, Topology, "topology()")
    return _core.schedule(algorithm, topology, given)


def _message(number, message, blocks, plain):
    try:
        return _fields(number, message, blocks, plain)
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"message {number}: found {_values.shown(message)}, expected a tuple of numbers or a "
                         "dictionary") from None


def _fields(number, message, blocks, plain):
    if isinstance(message, dict):
        return {"id": number, **message}
    fields = [field.tolist() if hasattr(field, "tolist") else field for field in message]
    if plain:
        if len(fields) not in (3, 4):
            raise InputError(f"message {number}: found {_values.shown(message)}, expected source, destination, bytes and, where it "
                             "waits, the messages after which it may start")
        entry = {"id": number, "src": fields[0], "dst": fields[1], "bytes": fields[2]}
        return entry if len(fields) == 3 else {**entry, "after": list(fields[3])}
    if len(fields) not in (3, 4):
        raise InputError(f"message {number}: found {_values.shown(message)}, expected step, source, destination and, where it is "
                         "not all of them, ranges of blocks")
    ranges = [[0, blocks]] if len(fields) == 3 else [[int(bound) for bound in part] for part in fields[3]]
    return {"id": number, "step": fields[0], "src": fields[1], "dst": fields[2], "blocks": ranges}


def messages(messages: Iterable[Any], topology: Topology, *, operation: str = "broadcast", source: _Node = 0,
             blocks: int = 1, bytes: int = 1, ports: Union[int, str] = 1, duplex: str = "full",
             destinations: Optional[Iterable[_Node]] = None) -> Schedule:
    """A schedule of your own messages: each a tuple (step, source, destination), which carries all blocks, or
    (step, source, destination, [[begin, end], ...]), which carries these half-open ranges of blocks; rows of an array
    will do. Operation "none": (source, destination, bytes) or (source, destination, bytes, [after, ...]). Or each a
    dictionary as in a file of format wormcast-schedule/1. Nodes are ids.

    Raises InputError for what no schedule can have; `verify` says whether it does what the operation asks for.
    """
    if hasattr(messages, "tolist"):  # of NumPy, whose numbers JSON does not know
        messages = messages.tolist()
    _values.instance("topology", topology, Topology, "topology()")
    operation = _values.text("operation", operation)
    document = _json.loads(_core.empty_schedule(topology))
    document.update(ports=ports, duplex=duplex, operation=operation)
    plain = operation == "none"
    if not plain:
        document.update(source=topology.node(source), blocks=blocks, message_bytes=bytes)
    if operation not in _core.operations_with_source:
        document.pop("source", None)
    if destinations is not None:
        document["destinations"] = [topology.node(node) for node in _values.listed("destinations", destinations)]
    try:
        numbered = enumerate(messages)
    except TypeError:
        raise InputError(f"messages: found {_values.shown(messages)}, expected a list of messages") from None
    document["messages"] = [_message(number, message, blocks, plain) for number, message in numbered]
    try:
        text = _json.dumps(document)
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise InputError(f"messages: {_values.shown(error)}") from None
    return _core.parse_schedule(text, "messages")


def read_schedule(file: _File) -> Schedule:
    """Reads a schedule of format wormcast-schedule/1. Raises InputError, FileError."""
    return _core.read_schedule(file)


def verify(schedule: Schedule, *, violations: int = 20) -> Report:
    """Proves a schedule right without simulating it, or says what is wrong: the first `violations` of each kind."""
    _values.instance("schedule", schedule, Schedule, "schedule()")
    return _core.verify(schedule, _values.whole("violations", violations, 0))


def simulate(schedule: Schedule, network: Mapping[str, Any], *, contention: bool = True, occupancy: bool = False,
             explain: bool = False, **run: Any) -> Result:
    """Simulates a schedule.

    network: dictionary with what [network] has, startup and per_byte at least; ports, duplex, routing and tie are the
        schedule's own where it does not give them
    run: what [run] has: mode="self_timed", engine="flit", seed=1, ...; with unchecked=True also a schedule is simulated
        that does not do its operation

    Raises InputError, IncompleteSchedule, and Deadlock with what was delivered until then.
    """
    _values.instance("schedule", schedule, Schedule, "schedule()")
    if not isinstance(network, _Mapping):
        raise InputError(f"network: found {_values.shown(network)}, expected a dictionary of what [network] has")
    config = _configuration.source({"network": network, "run": run})
    return _finished(_core.simulate(schedule, config, _wanted(contention, occupancy, explain)))


def algorithms() -> dict[str, str]:
    """Names of the algorithms, with a sentence for each."""
    return dict(_core.algorithms())


def topologies() -> dict[str, str]:
    """Names of the kinds of topologies, with a sentence for each."""
    return dict(_core.topology_kinds())
