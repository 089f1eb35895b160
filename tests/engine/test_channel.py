"""A channel delivers whole messages, and says which of three things went wrong."""

import os
import random
import socket
import struct
import threading

import msgspec
import pytest

from autograder.sandbox.channel import MAX_FRAME, Channel, ChannelBroken, ChannelClosed, ChannelTimeout
from autograder.sandbox.messages import Absent, Returned, Reply
from autograder.sandbox.wire import Packer


@pytest.fixture
def ends():
    ours, theirs = socket.socketpair()
    channel = Channel(ours, Reply)
    yield channel, theirs
    channel.close()
    theirs.close()


def frame(data: bytes) -> bytes:
    return struct.pack("<I", len(data)) + data


def test_a_message_in_pieces_arrives_whole(ends):
    channel, theirs = ends
    data = frame(msgspec.msgpack.encode(Absent(3)))
    theirs.sendall(data[:5])
    with pytest.raises(ChannelTimeout):
        channel.receive(0.01)
    theirs.sendall(data[5:] + data)
    assert channel.receive(1) == Absent(3) == channel.receive(1)


def test_a_large_message_arrives(ends):
    channel, theirs = ends
    sender = Channel(theirs, Reply)
    message = Returned(1, Packer().pack("x" * 5_000_000))
    thread = threading.Thread(target=sender.send, args=(message,))
    thread.start()
    assert channel.receive(5) == message
    thread.join()


@pytest.mark.parametrize(
    "data",
    [
        struct.pack("<I", MAX_FRAME + 1),
        struct.pack("<I", 2**32 - 1),
        frame(b""),
        frame(b"\xc1"),
        frame(b"\x91" * 5000),
        frame(msgspec.msgpack.encode(["returned", 1])),
        frame(msgspec.msgpack.encode(["unknown", 1, 2])),
        frame(msgspec.msgpack.encode(["absent", "one"])),
        frame(msgspec.msgpack.encode({"ticket": 1})),
    ],
)
def test_what_is_no_message_is_broken(ends, data):
    channel, theirs = ends
    theirs.sendall(data)
    with pytest.raises(ChannelBroken):
        channel.receive(1)


def test_a_closed_channel_says_so(ends):
    channel, theirs = ends
    theirs.close()
    with pytest.raises(ChannelClosed):
        channel.receive(1)
    with pytest.raises(ChannelClosed):
        channel.send(Absent(1))


def test_nobody_reading_is_a_timeout(ends):
    channel, _ = ends
    with pytest.raises(ChannelTimeout):
        channel.send(Returned(1, Packer().pack("x" * 10_000_000)), timeout=0.05)


@pytest.mark.parametrize("seed", range(4))
def test_random_bytes_never_do_more_than_break_it(seed):
    chance = random.Random(seed)
    whole = frame(msgspec.msgpack.encode(Returned(1, Packer().pack([1.5, "a", (2, None)]))))
    for _ in range(250):
        ours, theirs = socket.socketpair()
        data = bytearray(whole)
        for _ in range(chance.randrange(1, 6)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        theirs.sendall(bytes(data) + os.urandom(chance.randrange(20)))
        theirs.close()
        channel = Channel(ours, Reply)
        try:
            for _ in range(20):
                channel.receive(1)
        except (ChannelBroken, ChannelClosed, ChannelTimeout):
            pass
        channel.close()
