"""Apps whose parameters are alike share the checks of these, and no others."""

import asyncio
from typing import Annotated

import httpx
import pytest
from fastapi import FastAPI, Query
from fastapi._compat.v2 import ModelField

from tests.adapters import share_adapters


@pytest.fixture(autouse=True)
def shared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ModelField, "__post_init__", ModelField.__post_init__)
    share_adapters()


def app(number: type[int] | type[float], most: int, default: int) -> FastAPI:
    made = FastAPI()

    @made.get("/")
    def show(asked: Annotated[number, Query(le=most)] = default) -> dict[str, float]:  # type: ignore[valid-type]
        return {"asked": asked}

    return made


def answers(of: FastAPI, *addresses: str) -> list[httpx.Response]:
    async def ask() -> list[httpx.Response]:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(of), base_url="http://table") as client:
            return [await client.get(address) for address in addresses]

    return asyncio.run(ask())


def test_parameters_that_differ_in_type_bound_or_default_are_told_apart() -> None:
    apps = [app(int, 5, 1), app(int, 9, 1), app(float, 5, 1)]
    found = [answers(each, "/?asked=5", "/?asked=7", "/?asked=2.5") for each in apps]
    assert [[each.status_code for each in one] for one in found] == [
        [200, 422, 422],
        [200, 200, 422],
        [200, 422, 200],
    ]
    told = [answers(each, "/")[0].json() for each in (apps[0], app(int, 5, 2))]
    assert told == [{"asked": 1}, {"asked": 2}]


def test_the_same_parameter_of_another_app_is_made_once() -> None:
    routes = [each for _ in range(2) for each in app(int, 5, 1).router.routes if each.path == "/"]  # type: ignore[attr-defined]
    one, other = (each.dependant.query_params[0]._type_adapter for each in routes)  # type: ignore[attr-defined]
    assert one is other
