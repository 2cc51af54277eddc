"""Requests that a machine thinks up from the description of the addresses."""

import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error

from tests.web.browsers import HALL, SEAT, Browser, Hall

UNANSWERED = 503
"""The one status of a fault that is meant: the table does not answer in time."""


def attack(hall: Hall, browser: Browser, examples: int) -> list[int]:
    """Send so many requests to each address as somebody; returns the status of each answer.

    Args:
        hall: the server.
        browser: whose cookies and seat the requests have.
        examples: how many requests for each address.
    """
    address = hall.server.address
    schema = schemathesis.openapi.from_url(f"{address}/openapi.json", headers={SEAT: HALL})
    sent = {SEAT: browser.headers[SEAT], "origin": address}
    cookies = dict(browser.cookies)
    statuses: list[int] = []
    for found in schema.get_all_operations():
        operation = found.ok()
        strategy = operation.as_strategy()

        @settings(
            max_examples=examples,
            deadline=None,
            derandomize=True,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=[*HealthCheck],
        )
        @given(case=strategy)
        def send(case: schemathesis.Case) -> None:
            answer = case.call(base_url=address, headers=sent, cookies=cookies)
            assert answer.status_code != UNANSWERED, case.as_curl_command()
            case.validate_response(answer, checks=[not_a_server_error])
            statuses.append(answer.status_code)

        send()
    return statuses
