"""Grading on dask.distributed: a cluster of this machine's own, or one whose scheduler is given."""

import contextlib
import math
import os
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from queue import Empty, SimpleQueue

import dask
import msgspec
from distributed import (
    Client,
    Future,
    KilledWorker,
    LocalCluster,
    Security,
    WorkerPlugin,
    get_worker,
)

from autograder.grading.bundle import Bundle, Unpacked
from autograder.grading.course import Course, Lesson
from autograder.grading.errors import CourseError
from autograder.grading.grader import Grader, not_graded
from autograder.grading.limits import Limits
from autograder.grading.verdict import SubmissionResult
from autograder.grading.work import Work

QUIET = {
    "logging.distributed": "critical",  # what ends on purpose is no news
    "distributed.scheduler.allowed-failures": 1,  # a submission that kills two workers is not tried again
    "distributed.scheduler.http.routes": [],  # pages that any user of this machine could read
    "distributed.worker.http.routes": [],
    "distributed.comm.timeouts.connect": "30s",
    "distributed.worker.profile.enabled": False,  # looks at every thread a hundred times a second
    "distributed.admin.low-level-log-length": 0,  # the last thousand messages, submissions and all
    "distributed.admin.tick.interval": "1s",  # asks itself fifty times a second whether it is late
}
POLL = 0.2  # seconds between two looks at whether the run was stopped
ROLL_CALL = 1.0  # seconds between two counts of the workers
AHEAD = 2  # submissions sent for each worker: the next one is there while the caller records the last one
KILLER = "two workers ended while they graded it by itself: look at what it uses up"


class Seat(WorkerPlugin):
    """In each worker: the bundle unpacked, and one grader that stays for all its submissions."""

    def __init__(self, bundle: Bundle):
        self._data = msgspec.msgpack.encode(bundle)
        self.name = f"autograder-{bundle.lesson}-{os.getpid()}-{os.urandom(4).hex()}"

    def setup(self, worker: object) -> None:
        with contextlib.suppress(ValueError):  # not the main thread
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one who started the grading
        bundle = msgspec.msgpack.decode(self._data, type=Bundle)
        self._unpacked = Unpacked(bundle)
        self.grader = Grader(self._unpacked.course, self._unpacked.lesson, bundle.limits)

    def teardown(self, worker: object) -> None:
        self.grader.close()
        self._unpacked.remove()


def graded(seat: str, work: bytes) -> bytes:
    """Runs in a worker: the result of one submission."""
    grader = get_worker().plugins[seat].grader
    return msgspec.msgpack.encode(grader.grade(msgspec.msgpack.decode(work, type=Work)))


def grade_on_cluster(
    course: Course,
    lesson: Lesson,
    limits: Limits,
    works: Sequence[Callable[[], Work]],
    jobs: int,
    scheduler: str | None,
) -> Iterator[SubmissionResult]:
    """Results as they come. A submission is read when its turn comes, so that a class of thousands is never
    in memory at once; one whose worker ends is tried again, and in the end by itself."""
    with (
        _stoppable() as stopped,
        dask.config.set(QUIET),
        _client(scheduler, min(jobs, len(works))) as client,
    ):
        seat = Seat(Bundle.of(course, lesson, limits))
        client.register_plugin(seat)
        try:
            yield from _results(client, seat.name, lesson, works, stopped)
        finally:
            with contextlib.suppress(Exception):  # where the cluster is gone there is nothing to clear away
                client.unregister_worker_plugin(seat.name)


def _results(
    client: Client, seat: str, lesson: Lesson, works: Sequence[Callable[[], Work]], stopped: threading.Event
) -> Iterator[SubmissionResult]:
    waiting, doubtful, crew = iter(works), [], Crew(client)
    sent: dict[str, Work] = {}
    done: SimpleQueue[Future] = SimpleQueue()

    def send(works: Iterable[Work]) -> None:
        for work in works:
            future = client.submit(graded, seat, msgspec.msgpack.encode(work), pure=False)
            sent[future.key] = work
            future.add_done_callback(done.put)

    def free() -> int:
        return max(0 if sent else 1, AHEAD * crew.size() - len(sent))

    send(work() for work in islice(waiting, free()))
    while sent:
        future = _next(done, stopped)
        work = sent.pop(future.key)
        send(work() for work in islice(waiting, free()))
        try:
            yield msgspec.msgpack.decode(future.result(), type=SubmissionResult)
        except KilledWorker:
            doubtful.append(work)
    # Whoever waits in a worker that dies is suspected by Dask as well: each of them is tried by itself.
    for work in doubtful:
        send([work])
        try:
            yield msgspec.msgpack.decode(_next(done, stopped).result(), type=SubmissionResult)
        except KilledWorker:
            yield not_graded(lesson, work, KILLER)


class Crew:
    """How many submissions a cluster grades at once. To ask costs a message to the scheduler, so it is asked
    once in a while and not for each submission."""

    def __init__(self, client: Client):
        self._client, self._size, self._counted = client, 0, -math.inf

    def size(self) -> int:
        if time.monotonic() - self._counted > ROLL_CALL:
            self._size = sum(self._client.nthreads().values())
            self._counted = time.monotonic()
        return self._size


def _next(done: "SimpleQueue[Future]", stopped: threading.Event) -> Future:
    """The next submission that is done; KeyboardInterrupt where the run was stopped meanwhile."""
    while not stopped.is_set():
        with contextlib.suppress(Empty):
            return done.get(timeout=POLL)
    raise KeyboardInterrupt


@contextlib.contextmanager
def _stoppable() -> Iterator[threading.Event]:
    """Have Ctrl-C only set the event: raised anywhere in Dask, an interrupt may leave it waiting forever."""
    stopped = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stopped
        return
    before = signal.signal(signal.SIGINT, lambda *_: stopped.set())
    try:
        yield stopped
    finally:
        signal.signal(signal.SIGINT, before)


def _local_cluster(jobs: int, folder: str) -> LocalCluster:
    """Workers that are deaf to Ctrl-C, as what is started while it is ignored stays."""
    in_main = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGINT, signal.SIG_IGN) if in_main else None
    try:
        return LocalCluster(
            n_workers=jobs,
            threads_per_worker=1,
            dashboard_address="127.0.0.1:0",
            local_directory=folder,
            security=Security.temporary(),
            silence_logs=50,
        )
    finally:
        if in_main:
            signal.signal(signal.SIGINT, before)


@contextlib.contextmanager
def _client(scheduler: str | None, jobs: int) -> Iterator[Client]:
    if scheduler is None:
        # Whoever can talk to a worker can run code as the teacher, and loopback is open to all users.
        with (
            tempfile.TemporaryDirectory(prefix="cluster-") as folder,
            _local_cluster(jobs, folder) as cluster,
            Client(cluster) as client,
        ):
            yield client
        return
    try:
        client = Client(scheduler, timeout="5s")
    except (OSError, ValueError) as error:
        raise CourseError(
            f"no scheduler answers at {scheduler} ({error}): give the address `dask scheduler` prints."
        )
    with client:
        if not client.nthreads():
            raise CourseError(
                f"the scheduler at {scheduler} has no workers: start `dask worker {scheduler}`."
            )
        yield client
