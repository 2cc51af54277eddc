"""``/health`` and ``/metrics``: whether the program is well, and its figures as Prometheus reads them."""

from collections.abc import Callable, Iterable
from typing import Any, Final, Protocol

from fastapi import Request
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from controller import __version__
from controller.web.health import BOUNDS_S, Health
from controller.web.server.access import Person

PREFIX: Final = "pointsman_"


class HealthGate(Protocol):
    """Who asks, and what they may."""

    def person(self, asking: HTTPConnection) -> Person:
        """Who asks."""

    def may(self, person: Person, method: str, path: str) -> bool:
        """Whether somebody may open an address."""


def health_routes(gate: HealthGate, health: Callable[[], Health]) -> list[Route]:
    """The two addresses; ``health`` tells how the program does, from any thread, at once.

    Everybody may know whether it is well. The figures are for whoever keeps the machine: from the time of a verdict
    a spectator who sees everything later could tell what has just happened.
    """

    async def tell_health(request: Request) -> Response:
        now = health()
        content: dict[str, Any] = {"status": "ok" if now.well else "failing", "version": __version__}
        if gate.may(gate.person(request), "GET", "/metrics"):
            content |= {each.name: each.value for each in now.figures}
        return JSONResponse(content, 200 if now.well else 503, {"Cache-Control": "no-store"})

    async def tell_metrics(request: Request) -> Response:
        if not gate.may(gate.person(request), "GET", "/metrics"):
            return Response("Open this on the machine itself, or log in as the director.", 403)
        registry = CollectorRegistry(auto_describe=False)
        registry.register(_HealthCollector(health()))
        return Response(
            generate_latest(registry), media_type=CONTENT_TYPE_LATEST, headers={"Cache-Control": "no-store"}
        )

    return [Route("/health", tell_health), Route("/metrics", tell_metrics)]


class _HealthCollector(Collector):
    """The figures of one moment as Prometheus's families."""

    def __init__(self, health: Health) -> None:
        self._health = health

    def collect(self) -> Iterable[Metric]:
        """Every figure."""
        yield GaugeMetricFamily(
            f"{PREFIX}well", "Whether the program does its work.", float(self._health.well)
        )
        for each in self._health.figures:
            if each.value is not None:
                family = CounterMetricFamily if each.counts_up else GaugeMetricFamily
                yield family(f"{PREFIX}{each.name}", each.words, each.value)
        for spread in self._health.spreads:
            bounds = [*map(str, BOUNDS_S), "+Inf"]
            yield HistogramMetricFamily(
                f"{PREFIX}{spread.name}",
                spread.words,
                buckets=list(zip(bounds, map(float, spread.counts), strict=True)),
                sum_value=spread.total_s,
            )
