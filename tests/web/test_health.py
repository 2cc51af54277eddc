"""Whether the program is well anybody may know; its figures are for whoever keeps the machine."""

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from controller.logs.defect import Defect
from controller.referee import Phase
from controller.web.health import Health, TableFigures
from controller.web.server.application import make_app
from controller.web.settings import WebSettings
from tests.referee.table.scenes import SCENES
from tests.web.served_table import TableHouse

DEFECT = Defect.from_error(KeyError("Anna"))


class Counted(TableHouse):
    """A table that has counted something."""

    figures: TableFigures

    def health(self) -> Health:
        return self.figures.health(3, 2, Path("/"))


@pytest.fixture
def house() -> Counted:
    made = Counted(SCENES[Phase.MOVING]())
    made.figures = TableFigures(lambda: 100.0)
    for _ in range(20):
        made.figures.picture()
    made.figures.defect(DEFECT)
    return made


def get(house: TableHouse, path: str, client: str = "127.0.0.1") -> httpx.Response:
    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(make_app(house, WebSettings(names=("table",))), client=(client, 5))
        async with httpx.AsyncClient(transport=transport, base_url="http://table") as session:
            return await session.get(path)

    return asyncio.run(ask())


def metrics_of(text: str) -> dict[str, float]:
    return {
        sample.name: sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
        if not sample.labels
    }


def test_the_figures_are_read_by_prometheus(house: Counted) -> None:
    answer = get(house, "/metrics")
    assert answer.status_code == 200
    told = metrics_of(answer.text)
    assert told["pointsman_well"] == 1
    assert told["pointsman_pictures_total"] == 20
    assert told["pointsman_pictures_per_second"] == 2
    assert told["pointsman_queue_events"] == 3
    assert told["pointsman_journal_waiting_events"] == 2
    assert told["pointsman_defects_total"] == 1
    assert told["pointsman_disk_free_bytes"] > 0
    assert told["pointsman_verdict_seconds_count"] == 0


def test_nothing_in_them_tells_of_players(house: Counted) -> None:
    for path in ("/health", "/metrics"):
        text = get(house, path).text
        for name in house.names.values():
            assert name.split()[0] not in text


def test_others_in_the_network_may_know_only_whether_it_is_well(house: Counted) -> None:
    assert get(house, "/metrics", "192.0.2.9").status_code == 403
    told: dict[str, Any] = get(house, "/health", "192.0.2.9").json()
    assert set(told) == {"status", "version"}
    assert told["status"] == "ok"


def test_a_table_whose_loop_is_stuck_is_not_well() -> None:
    now = 0.0
    figures = TableFigures(lambda: now)
    figures.turned()
    house = Counted(SCENES[Phase.MOVING]())
    house.figures = figures
    now = 60.0
    assert get(house, "/health").status_code == 503
    assert get(house, "/health").json()["status"] == "failing"


def test_each_verdict_is_counted_with_its_time() -> None:
    now = 1.0
    figures = TableFigures(lambda: now)
    figures.taken()
    now = 1.25
    figures.verdict()
    (verdicts,) = figures.health(0, 0, Path("/")).spreads
    assert verdicts.counts == (0, 0, 0, 0, 1, 1, 1, 1, 1, 1)
    assert verdicts.total_s == 0.25
