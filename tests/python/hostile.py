"""Values that nobody should hand to the module, and that it must survive."""

import collections.abc
import decimal
import fractions
import os

from needed import numpy


class Spite(Exception):
    """What the values below raise: a user's own exception, which comes out as it is."""


class OwnList:
    """Its tolist() gives itself."""

    def tolist(self):
        return self


class ListOfList:
    def tolist(self):
        return [self]


class Endless(collections.abc.Sequence):
    """Each of its elements is itself."""

    def __len__(self):
        return 3

    def __getitem__(self, index):
        return self


class Immense(collections.abc.Sequence):
    def __len__(self):
        return 2**62

    def __getitem__(self, index):
        return 1


class Shrinking(collections.abc.Sequence):
    """Says that it has elements, and has none."""

    def __len__(self):
        return 5

    def __getitem__(self, index):
        raise IndexError(index)


class Spiteful:
    """Raises wherever it is asked."""

    def __getattribute__(self, name):
        raise Spite(name)

    def __index__(self):
        raise Spite("index")

    def __str__(self):
        raise Spite("str")

    __repr__ = __bool__ = __len__ = __iter__ = __hash__ = __float__ = __str__


class BadRepr:
    def __repr__(self):
        return 5


class BadIndex:
    def __index__(self):
        return "no"


class LyingPath(os.PathLike):
    def __fspath__(self):
        return 7


class BytesPath(os.PathLike):
    def __fspath__(self):
        return b"\xff\xfe"


class LyingMapping(collections.abc.Mapping):
    def __len__(self):
        return 1

    def __iter__(self):
        yield "key"

    def __getitem__(self, key):
        raise Spite(key)

    def items(self):
        return [("one",), 2]


class Text(str):
    def encode(self, *arguments, **named):
        raise Spite("encode")


class Number(int):
    def __repr__(self):
        return "1]\n[x"


def nested(depth, make):
    value = 1
    for _ in range(depth):
        value = make(value)
    return value


def own_list():
    value = []
    value.append(value)
    return value


def own_dict():
    value = {}
    value["own"] = value
    return value


VALUES = {
    "none": None,
    "true": True,
    "ellipsis": ...,
    "zero": 0,
    "one": 1,
    "minus": -1,
    "2^31": 2**31,
    "2^32": 2**32,
    "2^63-1": 2**63 - 1,
    "2^63": 2**63,
    "-2^63-1": -(2**63) - 1,
    "2^64": 2**64,
    "10^30": 10**30,
    "10^5000": 10**5000,
    "nan": float("nan"),
    "inf": float("inf"),
    "denormal": 5e-324,
    "1e308": 1e308,
    "0.5": 0.5,
    "complex": 1j,
    "decimal": decimal.Decimal("1.5"),
    "fraction": fractions.Fraction(1, 3),
    "empty": "",
    "nul": "a\0b",
    "surrogate": "\ud800",
    "surrogateescape": "\udcff",
    "newline": "a]\n[x]\ny=1",
    "long": "a" * 100_000,
    "unicode": "\U0001f600 \u202e",
    "bytes": b"\xff\0",
    "bytearray": bytearray(3),
    "memoryview": memoryview(b"abc"),
    "list": [],
    "ones": [1, 1],
    "mixed": [1, "a", None, 2.5],
    "nested": nested(100_000, lambda value: [value]),
    "deep dict": nested(900, lambda value: {"a": value}),
    "own list": own_list(),
    "own dict": own_dict(),
    "tuple": (),
    "range": range(10**18),
    "set": {1, 2},
    "dict": {},
    "odd keys": {1: 2, None: 3, (1, 2): 4},
    "surrogate keys": {"\ud800": 1},
    "generator": (number for number in range(3)),
    "function": len,
    "class": int,
    "module": os,
    "object": object(),
    "own tolist": OwnList(),
    "list of tolist": ListOfList(),
    "endless": Endless(),
    "immense": Immense(),
    "shrinking": Shrinking(),
    "spiteful": Spiteful(),
    "bad repr": BadRepr(),
    "bad index": BadIndex(),
    "lying path": LyingPath(),
    "bytes path": BytesPath(),
    "lying mapping": LyingMapping(),
    "text": Text("mesh"),
    "number": Number(3),
    "array": numpy.array([4, 4]),
    "array of floats": numpy.array([4.0, float("nan")]),
    "array of objects": numpy.array([None, 3], dtype=object),
    "array of arrays": numpy.array([[1, 2], [3, 4]]),
    "no array": numpy.array([]),
    "scalar array": numpy.array(4),
    "times": numpy.array([4, 4], dtype="M8[s]"),
    "complex array": numpy.array([1j]),
    "longdouble": numpy.longdouble(4),
    "longdoubles": numpy.array([4, 4], dtype=numpy.longdouble),
    "uint64": numpy.uint64(2**64 - 1),
    "bool_": numpy.bool_(True),
    "str_": numpy.str_("mesh"),
    "void": numpy.zeros(1, dtype=[("a", "i4")])[0],
}
