"""Frames over a socket: four bytes of length, then MessagePack. A length over the cap is refused before it
is read."""

import select
import socket
import struct
import time
from typing import Any

import msgspec

from autograder.sandbox.wire import MAX_BYTES

MAX_FRAME = MAX_BYTES + 1024**2  # room for what goes around a value of the largest size
_HEADER = struct.Struct("<I")


class ChannelClosed(Exception):
    """The other side is gone."""


class ChannelBroken(Exception):
    """The other side sent what is no frame, or no frame of the expected kind."""


class ChannelTimeout(Exception):
    """Nothing whole came in time."""


class Channel:
    """One end of a socketpair. `receives` is the msgspec type (a union of tagged structs) this end
    accepts."""

    def __init__(self, sock: socket.socket, receives: Any):
        self.socket = sock
        self._decoder = msgspec.msgpack.Decoder(receives)
        self._encoder = msgspec.msgpack.Encoder()
        self._buffer = bytearray()

    def send(self, message: msgspec.Struct, timeout: float | None = None) -> None:
        """Send one message whole; raises ChannelClosed where nobody listens, ChannelTimeout where nobody
        reads."""
        frame = self._encoder.encode(message)
        self.socket.settimeout(timeout)
        try:
            self.socket.sendall(_HEADER.pack(len(frame)) + frame)
        except TimeoutError:
            raise ChannelTimeout from None
        except OSError:
            raise ChannelClosed from None

    def receive(self, timeout: float | None = None) -> Any:
        """The next message; raises ChannelClosed, ChannelBroken or ChannelTimeout. What came of an unfinished
        frame is kept for the next call."""
        deadline = None if timeout is None else time.monotonic() + timeout
        self._fill(_HEADER.size, deadline)
        (length,) = _HEADER.unpack_from(self._buffer)
        if length > MAX_FRAME:
            raise ChannelBroken(f"a frame of {length} bytes")
        self._fill(_HEADER.size + length, deadline)
        frame = bytes(memoryview(self._buffer)[_HEADER.size : _HEADER.size + length])
        del self._buffer[: _HEADER.size + length]
        try:
            return self._decoder.decode(frame)
        except (msgspec.DecodeError, RecursionError, MemoryError) as error:  # ValidationError: a DecodeError
            raise ChannelBroken(str(error)) from None

    def _fill(self, size: int, deadline: float | None) -> None:
        while len(self._buffer) < size:
            wait = None if deadline is None else max(0.0, deadline - time.monotonic())
            if not select.select([self.socket], [], [], wait)[0]:
                raise ChannelTimeout
            try:
                chunk = self.socket.recv(min(1024**2, max(65536, size - len(self._buffer))))
            except OSError:
                raise ChannelClosed from None
            if not chunk:
                raise ChannelClosed
            self._buffer += chunk

    def close(self) -> None:
        self.socket.close()
