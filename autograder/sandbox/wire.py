"""The closed list of what may cross between the grader and a submission, as typed MessagePack.

Nothing that arrives is unpickled or evaluated: a frame that does not fit the schema is refused at decode,
an array is a whitelisted dtype, a shape and raw bytes whose product is checked before anything is
allocated, and a subclass travels as its base type. Both sides use this module; it knows nothing of either.
"""

import math
import random
import re
import sys
from collections.abc import Callable
from typing import Any, Literal, Union

import msgspec
import numpy as np

MAX_BYTES = 64 * 1024**2  # of one value, and of one frame
MAX_DEPTH = 16
MAX_ITEMS = 200_000
DTYPES = frozenset("|b1 |i1 <i2 <i4 <i8 |u1 <u2 <u4 <u8 <f2 <f4 <f8 <c8 <c16".split())


class WireError(ValueError):
    """A value that may not cross; the text says what it was, for example "an array of dtype object"."""


class _Node(msgspec.Struct, array_like=True, frozen=True):
    """Base of the tagged values."""


class Complex(_Node, tag="complex"):
    real: float
    imag: float


class List(_Node, tag="list"):
    items: list["Value"]


class Tuple(_Node, tag="tuple"):
    items: list["Value"]


class Mapping(_Node, tag="dict"):
    keys: list["Value"]
    values: list["Value"]


class Array(_Node, tag="array"):
    dtype: str
    shape: list[int]
    data: bytes


class Tensor(_Node, tag="tensor"):
    dtype: str
    shape: list[int]
    data: bytes
    requires_grad: bool


class Seed(_Node, tag="seed"):
    """A seed that arrives as a fresh generator of that package."""

    package: Literal["numpy", "torch"]
    number: int

    def generator(self) -> Any:
        """The numpy or torch Generator that starts from this seed."""
        if self.package == "numpy":
            return np.random.default_rng(self.number)
        return sys.modules["torch"].Generator().manual_seed(self.number)


class Lent(_Node, tag="lent"):
    """A function of the grader's that the student's code may call back, by its name among the loans."""

    name: str


class LentObject(_Node, tag="lent-object"):
    """An object of the grader's whose methods may be called and whose values may be read, back and forth."""

    name: str
    methods: list[str]
    values: list[str]


class Handle(_Node, tag="handle"):
    """An object that stays in the sandbox, by its number."""

    number: int


Outside = Seed | Lent | LentObject | Handle
Value = Union[
    None, bool, int, float, str, Complex, List, Tuple, Mapping, Array, Tensor, Seed, Lent, LentObject, Handle
]


class Packer:
    """Turns one Python value into a `Value`, under caps. `outside` says what stands for something that is no
    data (or raises WireError); without it nothing but data may cross."""

    def __init__(self, outside: Callable[[Any], Outside | None] | None = None):
        self._outside = outside
        self._bytes = 0
        self._items = 0

    def pack(self, value: Any, depth: int = 0) -> Value:
        """The wire form of `value`; raises WireError for anything outside the closed list or over a cap."""
        if depth > MAX_DEPTH:
            raise WireError(f"something nested more than {MAX_DEPTH} deep")
        self._count(1, 0)
        if value is None or isinstance(value, bool | np.bool_):
            return value if value is None else bool(value)
        for kinds, packer in _PACKERS:
            if isinstance(value, kinds):
                return packer(self, value, depth)
        return self._pack_rest(value, depth)

    def _pack_rest(self, value: Any, depth: int) -> Value:
        torch = sys.modules.get("torch")
        if torch is not None and isinstance(value, torch.Tensor):
            return self._tensor(value)
        if isinstance(value, Seed):
            return value
        if self._outside is not None:
            return self._outside(value)
        raise WireError(describe(value))

    def _integer(self, value: Any, _: int) -> int:
        value = int(value)
        if not -(2**63) <= value < 2**63:
            raise WireError("an integer of more than 64 bits")
        return value

    def _float(self, value: Any, _: int) -> float:
        return float.__float__(value)

    def _complex(self, value: complex, _: int) -> Complex:
        return Complex(value.real, value.imag)

    def _text(self, value: str, _: int) -> str:
        text = str.__str__(value).encode("utf-8", "replace").decode("utf-8")
        self._count(0, len(text))
        return text

    def _items_of(self, value: Any, depth: int) -> list[Value]:
        self._count(len(value), 0)
        return [self.pack(item, depth + 1) for item in value]

    def _list(self, value: list, depth: int) -> List:
        return List(self._items_of(value, depth))

    def _tuple(self, value: tuple, depth: int) -> Tuple:
        return Tuple(self._items_of(value, depth))

    def _dict(self, value: dict, depth: int) -> Mapping:
        return Mapping(self._items_of(list(value.keys()), depth), self._items_of(list(value.values()), depth))

    def _array(self, value: Any, _: int) -> Array:
        array = np.array(value, copy=None, subok=False)
        if array.dtype == np.longdouble:
            array = array.astype(np.float64)
        dtype = array.dtype.newbyteorder("<").str if array.dtype.byteorder == ">" else array.dtype.str
        if dtype not in DTYPES:
            raise WireError(f"an array of dtype {re.match('[a-z]*', array.dtype.name)[0]}")
        self._count(0, array.nbytes)
        return Array(dtype, list(array.shape), array.astype(dtype, copy=False).tobytes())

    def _tensor(self, value: Any) -> Tensor:
        torch = sys.modules["torch"]
        plain = value.detach().cpu()
        if plain.dtype is torch.bfloat16:
            plain = plain.to(torch.float16)  # refused later for its precision, not for its name
        array = self._array(plain.resolve_conj().resolve_neg().numpy(), 0)
        return Tensor(array.dtype, array.shape, array.data, bool(value.requires_grad))

    def _count(self, items: int, size: int) -> None:
        self._items += items
        self._bytes += size
        if self._items > MAX_ITEMS or self._bytes > MAX_BYTES:
            raise WireError(f"more than {MAX_BYTES // 1024**2} MiB or {MAX_ITEMS:,} items")


_PACKERS: tuple[tuple[Any, Callable], ...] = (
    (int | np.integer, Packer._integer),
    (float, Packer._float),
    (complex, Packer._complex),
    (str, Packer._text),
    (list, Packer._list),
    (tuple, Packer._tuple),
    (dict, Packer._dict),
    (np.ndarray | np.generic, Packer._array),
)


NAMES = {
    "generator": "a generator",
    "function": "a function",
    "type": "a class",
    "set": "a set",
    "map": "a map object",
}


def describe(value: Any) -> str:
    """What a value that may not cross is, in words."""
    name = type(value).__name__[:40]
    return NAMES.get(name, f"an object of type {name}")


class Unpacker:
    """Turns a `Value` back into Python. `outside` says what something that is no data stands for; without it
    that is refused. Tensors become arrays unless torch is loaded here."""

    def __init__(self, outside: Callable[[Outside], Any] | None = None):
        self._outside = outside

    def unpack(self, value: Value, depth: int = 0) -> Any:
        """The Python value; raises WireError where shape, dtype, size or depth do not hold."""
        if depth > MAX_DEPTH:
            raise WireError(f"something nested more than {MAX_DEPTH} deep")
        match value:
            case List(items):
                return [self.unpack(item, depth + 1) for item in items]
            case Tuple(items):
                return tuple(self.unpack(item, depth + 1) for item in items)
            case Mapping(keys, values):
                return self._dict(keys, values, depth)
            case Complex(real, imag):
                return complex(real, imag)
            case Array():
                return _array(value)
            case Tensor():
                return _tensor(value)
            case Seed() | Lent() | LentObject() | Handle():
                return self._from_outside(value)
        return value

    def _dict(self, keys: list[Value], values: list[Value], depth: int) -> dict:
        if len(keys) != len(values):
            raise WireError("a dict with keys unlike its values")
        try:
            return {self.unpack(k, depth + 1): self.unpack(v, depth + 1) for k, v in zip(keys, values)}
        except TypeError:
            raise WireError("a dict with a key that is no key") from None

    def _from_outside(self, value: Outside) -> Any:
        if self._outside is None:
            raise WireError("a function" if isinstance(value, Lent) else "an object that cannot cross")
        return self._outside(value)


def seed_generators(number: int) -> None:
    """Start the global generators of Python, numpy and torch (where it is loaded) from this seed."""
    random.seed(number)
    np.random.seed(number % 2**32)
    if "torch" in sys.modules:
        sys.modules["torch"].manual_seed(number)


def weight(value: Value) -> int:
    """About how many bytes a value takes up in memory."""
    match value:
        case List(items) | Tuple(items):
            return 100 + sum(map(weight, items))
        case Mapping(keys, values):
            return 200 + sum(map(weight, keys)) + sum(map(weight, values))
        case Array() | Tensor():
            return 200 + len(value.data)
    return 50 + (len(value) if isinstance(value, str) else 0)


def imprint(args: tuple, kwargs: dict) -> bytes:
    """The data in the arguments of a call as bytes, so that a change of one can be seen afterwards. Raises
    WireError where an argument has come to hold what may not cross."""
    packer = Packer(outside=lambda _: None)
    return msgspec.msgpack.encode([packer.pack(args), packer.pack(kwargs)])


def _array(value: Array | Tensor) -> np.ndarray:
    if value.dtype not in DTYPES:
        raise WireError("an array of a dtype that may not cross")
    if len(value.shape) > 32 or any(size < 0 or size > 2**40 for size in value.shape):
        raise WireError("an array of an impossible shape")
    if math.prod(value.shape) * np.dtype(value.dtype).itemsize != len(value.data):
        raise WireError("an array whose shape and bytes differ")
    return np.frombuffer(value.data, dtype=value.dtype).reshape(value.shape).copy()


def _tensor(value: Tensor) -> Any:
    array = _array(value)
    torch = sys.modules.get("torch")
    if torch is None:
        return array
    return torch.from_numpy(array).requires_grad_(value.requires_grad and array.dtype.kind in "fc")
