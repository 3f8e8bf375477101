"""What the module is given: how it is shown in errors, and what can be said of it before it is used."""

import operator
import os
import reprlib

from ._errors import InputError

_REPR = reprlib.Repr()
_REPR.maxlevel = 3
_REPR.maxstring = _REPR.maxother = _REPR.maxlong = 200
_REPR.maxlist = _REPR.maxtuple = _REPR.maxdict = _REPR.maxset = 20

MOST = 2**63 - 1


def shown(value) -> str:
    """What a value looks like, at most some lines of it: for errors, so that it never fails."""
    try:
        text = _REPR.repr(value)
    except (Exception, RecursionError):  # a repr() of the user's, or more digits than Python writes
        text = f"a value of type {type(value).__name__}"
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def file_name(file) -> bytes:
    """The name of a file as the system takes it. Raises InputError for what is no name, TypeError for what is no path."""
    try:
        name = os.fsencode(os.fspath(file))
    except UnicodeError:
        raise InputError(f"found {shown(file)}, expected a file name, which has no such characters") from None
    if b"\0" in name:
        raise InputError(f"found {shown(file)}, expected a file name, which has no zero bytes")
    return name


def file_text(file) -> str:
    """The same as a text, whose surrogates stand for bytes that are no UTF-8."""
    return os.fsdecode(file_name(file))


def text(name, value):
    """A text that has UTF-8."""
    if not isinstance(value, str):
        raise InputError(f"{name}: found {shown(value)}, expected a text")
    try:
        value.encode("utf-8")
    except UnicodeError:
        raise InputError(f"{name}: found {shown(value)}, which has characters that no text in UTF-8 has") from None
    return str(value)


def whole(name, value, least=-MOST - 1):
    """A whole number of 64 bits."""
    try:
        number = operator.index(value)
    except TypeError:
        number = None
    if number is None or isinstance(value, bool) or not least <= number <= MOST:
        raise InputError(f"{name}: found {shown(value)}, expected a whole number from {least} to {MOST}")
    return number


def flag(name, value):
    """A truth value, of NumPy included."""
    if isinstance(value, bool):
        return value
    if type(value).__name__ in ("bool_", "bool") and hasattr(value, "tolist"):
        return bool(value)
    raise InputError(f"{name}: found {shown(value)}, expected True or False")


def instance(name, value, kind, maker):
    """An object of one of the module's classes."""
    if not isinstance(value, kind):
        raise TypeError(f"{name}: found {shown(value)}, expected a wormcast.{kind.__name__}, as {maker} makes it")
    return value


def listed(name, values):
    """The elements of what can be gone through once."""
    try:
        return list(values)
    except TypeError:
        raise InputError(f"{name}: found {shown(values)}, expected a list") from None
