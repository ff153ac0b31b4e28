"""Play games on a Dask cluster. Needs the extra `cluster`."""

import contextlib
import logging
import time
from collections.abc import Iterator, Mapping
from ipaddress import ip_address
from typing import Any, Final

import distributed
from distributed.client import ClosedClientError
from distributed.comm.addressing import get_address_host

import othello
from othello.config import PlayerConfig
from othello.errors import OthelloError, TournamentError
from othello.kernel.precompiled import library
from othello.play.referee import GameJob
from othello.players.compilation import prepare
from othello.players.player_registry import create_player
from othello.players.program_player import ProgramConfig
from othello.records.record import GameRecord
from othello.texts import tr
from othello.tournament.executor import play_game

_log = logging.getLogger(__name__)

_ENCRYPTED: Final = ("tls://", "wss://")
_CONNECT_SECONDS: Final = 10.0
_COUNT_SECONDS: Final = 2.0
_AHEAD: Final = 2  # jobs per thread of the cluster: the next one is ready when a game ends
_LOGGERS: Final = ("distributed", "distributed.client", "distributed.core", "tornado", "asyncio")
_GONE: Final = (OSError, distributed.CancelledError)
_CLOSED: Final = (AttributeError, RuntimeError, ClosedClientError)  # raised by a client that is closed
_MIN_CAPACITY: Final = 4  # jobs submitted while there is no worker yet


class _Kernels(distributed.WorkerPlugin):
    """Sends compiled code to workers on machines of the same kind. Other workers compile themselves."""

    def __init__(self, state: str, files: Mapping[str, bytes]) -> None:
        self._state, self._files = state, files

    def setup(self, worker: Any) -> None:
        if library() is None:
            from othello.kernel.cache import install_files
            from othello.kernel.jit import CACHE_FOLDER

            if CACHE_FOLDER is not None and CACHE_FOLDER.name == self._state:
                install_files(CACHE_FOLDER, self._files)


def connected(address: str) -> Any:
    """Connect to the scheduler at an address such as `tls://host:8786`, with Dask's own TLS settings.

    Raises:
        TournamentError: no scheduler answers, or certificates are missing.
    """
    if not (address.startswith(_ENCRYPTED) or _is_local(address)):
        _log.warning(tr("headless.plain_tcp", cluster=address))
    for logger in _LOGGERS:
        logging.getLogger(logger).setLevel(logging.CRITICAL)  # errors for the user are raised as one line
    try:
        return distributed.Client(address, timeout=_CONNECT_SECONDS)
    except TypeError:  # Dask's error for missing certificates
        raise TournamentError("cluster_tls", address=address) from None
    except (OSError, ValueError, MemoryError) as error:  # MemoryError: what answers does not speak Dask's protocol
        reason = " ".join(str(error).split()) or type(error).__name__
        raise TournamentError("no_cluster", address=address, fault=reason) from None


def _is_local(address: str) -> bool:
    with contextlib.suppress(ValueError):  # a host name, or an address that Dask refuses
        host = get_address_host(address)
        return host == "localhost" or ip_address(host).is_loopback
    return False


class DaskExecutor:
    """Plays games on a Dask cluster. If a worker dies, the scheduler gives its games to other workers."""

    def __init__(self, address: str) -> None:
        """Connect to a scheduler. Raises the errors of `connected`."""
        self._address, self._client = address, connected(address)
        self._futures: dict[Any, GameJob] = {}
        self._ready: set[PlayerConfig] = set()  # players whose compiled code was sent
        self._sent: set[str] = set()  # names of the files sent
        self._threads = 0
        self._counted_at = -_COUNT_SECONDS

    @property
    def max_lookahead(self) -> int:
        return 4 * self._capacity

    @property
    def free_slots(self) -> int:
        return max(0, self._capacity - len(self._futures))

    def submit(self, job: GameJob) -> None:
        self._send_kernels(job)
        # Not pure: Dask would return the old record if another run submits the same game.
        with self._connection_errors():
            future = self._client.submit(play_game, job, pure=False)
        self._futures[future] = job

    def _send_kernels(self, job: GameJob) -> None:
        """Compile the code of a job's players here if needed, and send it to the workers."""
        players = {player for player in job.players if not isinstance(player, ProgramConfig)} - self._ready
        self._ready |= players
        for player in players:  # the worker that plays reports the error
            with contextlib.suppress(OthelloError, OSError), create_player(player, job.game) as player_object:
                prepare(player_object)
        if not players or library() is not None:
            return
        from othello.kernel.cache import files_below
        from othello.kernel.jit import CACHE_FOLDER

        if CACHE_FOLDER is None:
            return
        files = {name: content for name, content in files_below(CACHE_FOLDER).items() if name not in self._sent}
        if files:
            self._sent.update(files)
            name = f"othello-kernels-{len(self._sent)}"
            with self._connection_errors(), contextlib.suppress(Exception):  # the worker reports it later
                self._client.register_plugin(_Kernels(CACHE_FOLDER.name, files), name=name)

    def collect(self, seconds: float) -> list[GameRecord]:
        with self._connection_errors():
            try:
                distributed.wait(list(self._futures), timeout=seconds, return_when="FIRST_COMPLETED")
            except (TimeoutError, distributed.TimeoutError):
                return []
            return [self._take(future) for future in list(self._futures) if future.done()]

    def close(self) -> None:
        with contextlib.suppress(*_GONE, *_CLOSED):  # the connection may be lost
            self._client.cancel(list(self._futures), force=True)
            self._client.close()
        self._futures.clear()

    @contextlib.contextmanager
    def _connection_errors(self) -> Iterator[None]:
        """Raise a TournamentError if the connection to the cluster is lost."""
        try:
            yield
        except (*_GONE, *_CLOSED) as error:
            if isinstance(error, _CLOSED) and self._client.status == "running":
                raise
            raise TournamentError("cluster_gone", address=self._address, kind=type(error).__name__) from None

    @property
    def threads(self) -> int:
        """The number of threads of all workers, at most two seconds old."""
        now = time.monotonic()
        if now >= self._counted_at + _COUNT_SECONDS:
            self._counted_at = now
            with self._connection_errors():
                self._threads = sum(self._client.nthreads().values())
        return self._threads

    @property
    def _capacity(self) -> int:
        return max(_MIN_CAPACITY, _AHEAD * self.threads)

    def _take(self, future: Any) -> GameRecord:
        job = self._futures.pop(future)
        if future.status in ("cancelled", "lost"):  # since the last call of `collect`
            raise distributed.CancelledError
        if future.status != "finished":
            error = future.exception()
            if isinstance(error, OthelloError):
                raise error
            what = f"{type(error).__name__}: {error}"
            raise TournamentError("cluster_game", number=job.number, fault=what)
        record: GameRecord = future.result()
        if record.version != othello.__version__:
            raise TournamentError("cluster_version", theirs=record.version, ours=othello.__version__)
        return record
