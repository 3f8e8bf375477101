"""Configurations as dictionaries, and as the TOML that the program reads."""

import json
import os
from collections.abc import Mapping as _Mapping
from typing import Any, Iterable, Mapping, Optional, Union

from ._errors import InputError
from ._values import file_text, flag, listed, shown, text

#: changes of a configuration: by dotted keys, or as texts of --set
Set = Optional[Union[Mapping[str, Any], str, Iterable[str]]]
BARE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")
DEEPEST = 16  # lists and dictionaries inside of one another


def _key(name):
    if not isinstance(name, str):
        raise InputError(f"found the key {shown(name)}, expected a text")
    name = text("a key", name)
    return name if name and set(name) <= BARE else toml_text(name)


def toml_text(value):
    """A text as TOML has it."""
    return json.dumps(text("a text", value)).replace("\x7f", "\\u007f")


def _value(value, depth=0):
    if depth > DEEPEST:
        raise InputError(f"found more than {DEEPEST} lists and dictionaries inside of one another")
    if not isinstance(value, (bool, int, float)) and hasattr(value, "tolist"):  # of NumPy
        listed_value = value.tolist()
        if listed_value is not value and not isinstance(listed_value, type(value)):
            value = listed_value
        elif hasattr(value, "__float__"):  # np.longdouble gives itself
            value = float(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        if not -(2**64) < value < 2**64:
            raise InputError(f"found {shown(value)}, expected a whole number of 64 bits")
        return int.__repr__(value)
    if isinstance(value, float):
        return float.__repr__(value)
    if isinstance(value, str):
        return toml_text(value)
    if isinstance(value, os.PathLike):
        return toml_text(file_text(value))
    if isinstance(value, _Mapping):
        return "{" + ", ".join(f"{_key(name)} = {_value(inner, depth + 1)}" for name, inner in value.items()) + "}"
    if isinstance(value, (list, tuple, range)):
        return "[" + ", ".join(_value(inner, depth + 1) for inner in value) + "]"
    raise InputError(f"found {shown(value)}, expected a truth value, a number, a text, a list or a dictionary")


def _table(content, empty=False):
    if not isinstance(content, _Mapping):
        raise InputError(f"found {shown(content)}, expected a dictionary of keys and values")
    return [f"{_key(name)} = {_value(value)}" for name, value in content.items()
            if not (empty and value is None)]


def toml(configuration: Mapping[str, Any]) -> str:
    """A configuration, given as a dictionary of sections, in TOML: what a file would hold. Raises InputError for what no configuration can hold."""
    if not isinstance(configuration, _Mapping):
        raise InputError(f"found {shown(configuration)}, expected a dictionary of sections")
    lines = []
    for section, content in configuration.items():
        if section in ("case", "plot") and not isinstance(content, _Mapping):
            for table in listed(section, content):
                lines += [f"[[{section}]]"] + _table(table)
        elif isinstance(content, _Mapping):
            # Results of plain message lists say None of message.bytes.
            lines += [f"[{_key(section)}]"] + _table(content, section == "message")
        else:  # the program says what is wrong with it
            lines.insert(0, f"{_key(section)} = {_value(content)}")
    return "".join(line + "\n" for line in lines)


def _overrides(set):
    """The words of --set."""
    if set is None:
        return []
    if isinstance(set, _Mapping):
        return [f"{text('set', name)}={_value(value)}" for name, value in set.items()]
    expected = 'expected a dictionary of keys and values, {"message.bytes": 64}, or texts as of --set, ' \
               '["message.bytes=64"]'
    words = [set] if isinstance(set, str) else set
    if not isinstance(words, (list, tuple)):
        raise TypeError(f"set: found {shown(set)}, {expected}")
    for word in words:
        if not isinstance(word, str):
            raise TypeError(f"set: found {shown(word)} in a list, {expected}")
        if "=" not in text("set", word):
            raise InputError(f"set: found {shown(word)}, expected KEY=VALUE")
    return [*words]


def source(config, set=None, unset=(), unchecked=False):
    """What _core takes as a configuration: a file, or a dictionary; and what is changed in it."""
    overrides = _overrides(set)
    if flag("unchecked", unchecked):
        overrides.append("run.unchecked=true")
    removals = [unset] if isinstance(unset, str) else listed("unset", unset)
    removals = [text("unset", removal) for removal in removals]
    if isinstance(config, _Mapping):
        return {"file": "configuration", "text": toml(config), "overrides": overrides, "removals": removals}
    return {"file": file_text(config), "text": None, "overrides": overrides, "removals": removals}
