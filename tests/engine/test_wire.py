"""What may cross the boundary crosses whole, and nothing else does."""

import math

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from autograder.sandbox import wire
from autograder.sandbox.wire import (
    Array,
    Handle,
    Lent,
    LentObject,
    List,
    Mapping,
    Packer,
    Seed,
    Tensor,
    Unpacker,
    Value,
    WireError,
)

DECODER = msgspec.msgpack.Decoder(Value)


def round_trip(value):
    return Unpacker().unpack(DECODER.decode(msgspec.msgpack.encode(Packer().pack(value))))


plain = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False)
    | st.text()
    | st.complex_numbers(allow_nan=False),
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@settings(max_examples=200, deadline=None)
@given(plain)
def test_plain_data_crosses_unchanged(value):
    came = round_trip(value)
    assert came == value and type(came) is type(value)


@settings(max_examples=100, deadline=None)
@given(
    hnp.arrays(
        st.sampled_from(["f8", "f4", "i8", "u1", "?", "c16", ">f8", "f2"]),
        hnp.array_shapes(min_dims=0, min_side=0),
    )
)
def test_arrays_cross_unchanged(array):
    came = round_trip(array)
    assert came.shape == array.shape and came.dtype == array.dtype.newbyteorder("=")
    np.testing.assert_array_equal(came, array)


def test_awkward_arrays_cross():
    base = np.arange(24.0).reshape(2, 3, 4)
    for array in (base[:, ::-1, ::2], base.T, np.broadcast_to(base, (2, 2, 3, 4)), np.array(3.5)):
        np.testing.assert_array_equal(round_trip(array), array)


def test_subclasses_cross_as_their_base():
    class Loud(np.ndarray):
        pass

    class Words(str):
        pass

    assert type(round_trip(np.arange(3).view(Loud))) is np.ndarray
    assert type(round_trip(Words("a"))) is str
    assert type(round_trip(np.float64(0.5))) is float
    assert round_trip(np.longdouble(0.5)) == 0.5


def test_tensors_cross_with_requires_grad():
    torch = pytest.importorskip("torch")
    came = round_trip(torch.tensor([1.0, 2.0], requires_grad=True))
    assert came.requires_grad and came.tolist() == [1.0, 2.0]
    assert round_trip(torch.tensor([1.0]).bfloat16()).dtype is torch.float16


@pytest.mark.parametrize(
    "value, said",
    [
        (object(), "object"),
        (np.array([object()]), "dtype object"),
        (np.array(["a"]), "dtype"),
        ({1, 2}, "set"),
        ((x for x in ()), "generator"),
        (len, "builtin"),
        (2**70, "64 bits"),
        (b"bytes", "bytes"),
        (np.zeros(2, dtype="V8"), "dtype"),
        (np.datetime64("2020"), "dtype"),
        (np.zeros(2**23 + 1), "MiB"),
    ],
)
def test_nothing_else_crosses(value, said):
    with pytest.raises(WireError, match=said):
        Packer().pack(value)


def test_recursion_is_refused():
    loop = []
    loop.append(loop)
    with pytest.raises(WireError, match="deep"):
        Packer().pack(loop)


@pytest.mark.parametrize(
    "hostile",
    [
        Array("|V0", [10**12], b""),
        Array("|O", [1], bytes(8)),
        Array("<f8", [2**31, 2**31], bytes(8)),
        Array("<f8", [-1, -1], bytes(8)),
        Array("<f8", [3], bytes(8)),
        Array("<f8", [1] * 40, bytes(8)),
        Tensor("|V0", [10**12], b"", False),
        Mapping([1], []),
        Mapping([List([])], [1]),
        Lent("level"),
        LentObject("log", ["append"], []),
        Handle(0),
        Seed("numpy", 1),
    ],
)
def test_hostile_values_are_refused(hostile):
    with pytest.raises(WireError):
        Unpacker().unpack(DECODER.decode(msgspec.msgpack.encode(hostile)))


def test_what_is_no_data_crosses_as_what_stands_for_it():
    packed = Packer(outside=lambda function: Lent(function.__name__)).pack([math.sin])
    assert packed.items == [Lent("sin")]
    assert Unpacker(outside=lambda lent: getattr(math, lent.name)).unpack(packed) == [math.sin]


def test_a_seed_is_a_fresh_generator_each_time():
    drawn = [Seed("numpy", 5).generator().random() for _ in range(2)]
    assert drawn == [np.random.default_rng(5).random()] * 2


def test_items_are_counted(monkeypatch):
    monkeypatch.setattr(wire, "MAX_ITEMS", 10)
    with pytest.raises(WireError, match="items"):
        Packer().pack(list(range(11)))
