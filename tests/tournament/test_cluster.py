"""Games on a cluster: a real scheduler and two worker processes on this machine."""

import hashlib
import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import dask
import distributed
import pytest

import othello
from othello.config import Config, TournamentConfig
from othello.errors import TournamentError
from othello.kernel import cache
from othello.kernel.cache import files_below
from othello.players.player_registry import configure
from othello.programs.program_registry import remove
from othello.records.record import GameRecord
from othello.rules.registry import game_spec
from othello.tournament import cluster as cluster_module
from othello.tournament.cluster import DaskExecutor
from othello.tournament.executor import SerialExecutor
from othello.tournament.schedule import schedule
from othello.tournament.scheduler import Scheduler, play
from tests.programs.registered import external_player
from tests.tournament.game_records import PLAYERS, play_all, timeless
from tests.waiting import wait_until

CONFIG = Config(PLAYERS[:2], "tournament", game_repetitions=20, tournament=TournamentConfig("best_of_3"))


def local_cluster(workers: int, **options: Any) -> Any:
    return distributed.LocalCluster(n_workers=workers, dashboard_address=None, host="127.0.0.1", **options)


@pytest.fixture
def cluster() -> Iterator[Any]:
    with local_cluster(2, threads_per_worker=1, processes=True) as local:
        yield local


@pytest.fixture
def thread() -> Iterator[Any]:
    """Return a cluster whose only worker is a thread of this process, which starts faster."""
    with local_cluster(1, threads_per_worker=1, processes=False, protocol="tcp://") as local:
        yield local


def games_of(executor: DaskExecutor, config: Config = CONFIG) -> Iterator[GameRecord]:
    return play(Scheduler(schedule(config, 1), executor.max_lookahead), executor)


def test_a_worker_that_dies_loses_no_game_and_doubles_none(cluster: Any) -> None:
    records = []
    with closing(DaskExecutor(cluster.scheduler_address)) as executor:
        for record in games_of(executor):
            records.append(record)
            if len(records) == 5:
                os.kill(next(iter(cluster.workers.values())).pid, signal.SIGKILL)
    assert timeless(records) == play_all(SerialExecutor(), CONFIG)


@pytest.mark.slow
def test_a_worker_on_the_same_kind_of_machine_compiles_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mark = b"sent"  # after the end of the code, which no program reads

    def marked(folder: Path) -> dict[str, bytes]:
        size = hashlib.sha256().digest_size
        contents = {name: content[size:] + mark for name, content in files_below(folder).items()}
        return {name: hashlib.sha256(content).digest() + content for name, content in contents.items()}

    monkeypatch.setattr(cache, "files_below", marked)
    players = configure("mcts_uct", simulation_count=10), PLAYERS[0]
    config = replace(CONFIG, players=players, game=game_spec("tictactoe"), game_repetitions=1)
    with (
        local_cluster(1, processes=True, env={"OTHELLO_CACHE_DIR": str(tmp_path)}) as local,
        closing(DaskExecutor(local.scheduler_address)) as executor,
    ):
        assert next(games_of(executor, config)).version
    found = [file.read_bytes() for file in tmp_path.rglob("*.nbc")]
    assert found
    assert all(content.endswith(mark) for content in found)


def close_cluster_between_two_polls(cluster: Any, _: DaskExecutor) -> None:
    wait: Any = distributed.wait

    def wait_and_lose_the_cluster(futures: list[Any], **options: Any) -> None:
        wait(futures, **options)
        cluster.close()
        wait_until(lambda: all(future.status == "cancelled" for future in futures))

    distributed.wait = wait_and_lose_the_cluster  # type: ignore[assignment]


@pytest.mark.parametrize(
    "lose",
    [
        pytest.param(close_cluster_between_two_polls, id="between two polls"),
        pytest.param(lambda cluster, _: cluster.close(), id="cluster", marks=pytest.mark.slow),
        pytest.param(lambda _, executor: executor._client.close(), id="client"),
    ],
)
def test_a_lost_cluster_is_one_error(thread: Any, lose: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(distributed, "wait", distributed.wait)  # restored at the end
    with closing(DaskExecutor(thread.scheduler_address)) as executor:
        next(games := games_of(executor))
        assert len(executor._futures) <= 4
        lose(thread, executor)
        with pytest.raises(TournamentError, match=r"lost the connection to the cluster at tcp://"):
            list(games)


def test_a_failing_player_on_a_worker_is_the_same_error(thread: Any) -> None:
    lost = configure("mcts_uct", name="lost", simulation_count=1, mcts_tree_file="/nowhere/at/all/tree.npz")
    with pytest.raises(TournamentError, match=r"^game \d+: lost failed: "):
        play_all(DaskExecutor(thread.scheduler_address), replace(CONFIG, players=(lost, PLAYERS[0])))


@pytest.mark.slow
def test_another_version_on_the_cluster_is_refused(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(othello, "__version__", "0.0.7")
    with pytest.raises(TournamentError, match=r"^the cluster runs version .*; this is version 0\.0\.7$"):
        play_all(DaskExecutor(cluster.scheduler_address), CONFIG)


@pytest.mark.slow
def test_missing_workers_are_waited_for() -> None:
    with local_cluster(0) as local, closing(DaskExecutor(local.scheduler_address)) as executor:
        assert executor.threads == 0
        games = games_of(executor)
        local.scale(1)
        assert next(games).game == 1


def test_a_scheduler_that_is_missing_or_speaks_another_protocol_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_module, "_CONNECT_SECONDS", 0.5)
    with pytest.raises(TournamentError, match="no Dask scheduler answers at tcp"):
        DaskExecutor("tcp://127.0.0.1:9")
    monkeypatch.setattr(distributed, "Client", Mock(side_effect=MemoryError("Unable to allocate 3.07 EiB")))
    with pytest.raises(TournamentError, match="Unable to allocate"):
        DaskExecutor("tcp://127.0.0.1:1")


@pytest.mark.slow
def test_a_program_plays_where_it_is_registered(cluster: Any) -> None:
    config = replace(CONFIG, players=(external_player("json"), PLAYERS[0]), game_repetitions=1)
    assert {record.reason for record in play_all(DaskExecutor(cluster.scheduler_address), config)} == {""}
    remove("json")
    cluster.scale(0)
    cluster.scale(1)  # no worker has prepared the player
    with pytest.raises(TournamentError, match="json: program: no program is called json"):
        play_all(DaskExecutor(cluster.scheduler_address), config)


@pytest.mark.parametrize(
    ("address", "warns"),
    [
        ("tcp://example.org:8786", True),
        ("192.0.2.1:8786", True),
        ("tcp://127.0.0.1:1", False),
        ("localhost:1", False),
        ("tcp://[::1]:1", False),
        ("tls://example.org:8786", False),
    ],
)
def test_unencrypted_connections_to_other_machines_give_a_warning(
    address: str, warns: bool, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(distributed, "Client", lambda address, **_: address)
    assert cluster_module.connected(address) == address
    assert any("is not encrypted" in message for message in caplog.messages) == warns


@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl to make certificates")
def test_a_cluster_is_reached_by_tls_with_the_certificates_of_dask(tmp_path: Path) -> None:
    key, certificate = str(tmp_path / "key.pem"), str(tmp_path / "certificate.pem")
    words = f"req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=othello -keyout {key} -out {certificate}"
    subprocess.run(["openssl", *words.split()], check=True, capture_output=True)
    tls = {"distributed.comm.tls.ca-file": certificate}
    for role in ("scheduler", "worker", "client"):
        tls |= {f"distributed.comm.tls.{role}.key": key, f"distributed.comm.tls.{role}.cert": certificate}
    options = {"threads_per_worker": 1, "processes": False, "protocol": "tls://"}
    with dask.config.set(tls), local_cluster(1, security=distributed.Security(), **options) as local:
        assert local.scheduler_address.startswith("tls://")
        assert play_all(DaskExecutor(local.scheduler_address), CONFIG) == play_all(SerialExecutor(), CONFIG)
        with dask.config.set({"distributed.comm.tls.ca-file": None}), pytest.raises(TournamentError, match="CA_FILE"):
            DaskExecutor(local.scheduler_address)
