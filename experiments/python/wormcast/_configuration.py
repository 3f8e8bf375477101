"""Configurations as dictionaries, and as the TOML that the program reads."""

import json
import os
from typing import Any, Mapping

from ._errors import InputError

BARE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")


def _key(name):
    if not isinstance(name, str):
        raise InputError(f"found the key {name!r}, expected a text")
    return name if name and set(name) <= BARE else _text(name)


def _text(text):
    return json.dumps(text).replace("\x7f", "\\u007f")


def _value(value):
    if hasattr(value, "tolist"):  # of NumPy
        value = value.tolist()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, os.PathLike):
        return _text(os.fspath(value))
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(name)} = {_value(inner)}" for name, inner in value.items()) + "}"
    if isinstance(value, (list, tuple, range)):
        return "[" + ", ".join(_value(inner) for inner in value) + "]"
    raise InputError(f"found {value!r}, expected a truth value, a number, a text, a list or a dictionary")


def toml(configuration: Mapping[str, Any]) -> str:
    """A configuration, given as a dictionary of sections, in TOML: what a file would hold."""
    lines = []
    for section, content in configuration.items():
        if section in ("case", "plot") and not isinstance(content, Mapping):
            for table in content:
                lines += [f"[[{section}]]"] + [f"{_key(name)} = {_value(value)}" for name, value in table.items()]
        elif isinstance(content, Mapping):
            lines += [f"[{_key(section)}]"] + [f"{_key(name)} = {_value(value)}" for name, value in content.items()]
        else:  # the program says what is wrong with it
            lines.insert(0, f"{_key(section)} = {_value(content)}")
    return "".join(line + "\n" for line in lines)


def source(config, set=None, unset=(), unchecked=False):
    """What _core takes as a configuration: a file, or a dictionary; and what is changed in it."""
    overrides = [f"{name}={_value(value)}" for name, value in (set or {}).items()]
    if unchecked:
        overrides.append("run.unchecked=true")
    removals = [unset] if isinstance(unset, str) else list(unset)
    if isinstance(config, Mapping):
        return {"file": "configuration", "text": toml(config), "overrides": overrides, "removals": removals}
    return {"file": os.fspath(config), "text": None, "overrides": overrides, "removals": removals}
