"""Nobody on the hall's Wi-Fi reads a PIN or a pairing code on its way to or from the hub."""

from collections.abc import Iterator
from urllib.parse import urlsplit

import httpx
import pytest

from controller.club.pairing import PATH
from controller.web.keys import PageKeys
from controller.web.server.access import hash_pin
from controller.web.wire.authority import hub_authority
from controller.web.wire.certificates import Certificates, utc_now
from tests.browser import open_browser
from tests.hub.desk_hall import PIN, DeskHall, desk_hall
from tests.web.wire.secure_table import MAPPED, NAME, NAMES, Overheard


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DeskHall]:
    folder = tmp_path_factory.mktemp("hub")
    PageKeys.load(folder / "page-keys.json").keep_director(hash_pin(PIN))
    authority = hub_authority(folder, "club", NAMES, utc_now())
    with desk_hall(folder, 2, Certificates(authority, folder / "pages", NAMES)) as hub:
        yield hub


def port_of(hub: DeskHall) -> int:
    return urlsplit(hub.address).port or 0


def test_a_director_logs_in_pairs_a_table_and_is_not_overheard(hub: DeskHall) -> None:
    with Overheard(port_of(hub)) as line, open_browser(MAPPED) as browser:
        page = browser.new_context(ignore_https_errors=True).new_page()
        page.goto(f"http://{NAME}:{line.port}/login")
        page.wait_for_url(f"https://{NAME}:{line.port}/login")
        page.get_by_label("PIN").fill(PIN)
        page.get_by_role("button", name="Enter").click()
        page.wait_for_url(f"https://{NAME}:{line.port}/")
        asked = "fetch('/api/v1/pairings-code', {method: 'POST'}).then((each) => each.json())"
        code = page.evaluate(asked)["code"]
        cookies = page.context.cookies()
        page.goto(f"http://{NAME}:{line.port}/")
        page.wait_for_url(f"https://{NAME}:{line.port}/")
        told = bytes(line.heard)
    assert b"GET /login HTTP/1.1" in told
    assert cookies
    assert all(each["secure"] for each in cookies)
    assert not [each["name"] for each in cookies if each["value"].encode() in told]
    assert b"pin=" not in told
    assert b"cookie" not in told.lower()
    assert code.split("-")[0].encode() not in told


def test_a_table_that_does_not_know_the_hub_yet_still_hears_how_to_pair(hub: DeskHall) -> None:
    address = f"http://127.0.0.1:{port_of(hub)}"
    assert httpx.get(f"{address}{PATH}", trust_env=False).json().keys() >= {"port", "authority"}
    asked = {"code": "123456", "table": "table-1"}
    assert httpx.post(f"{address}{PATH}", json=asked, trust_env=False).status_code == 403


def test_the_hub_leads_on_from_old_bookmarks_and_gives_out_its_authority(hub: DeskHall) -> None:
    address = f"http://127.0.0.1:{port_of(hub)}"
    shown = httpx.get(f"{address}/tournament", headers={"accept": "text/html"}, trust_env=False)
    assert f"https://127.0.0.1:{port_of(hub)}/tournament" in shown.text
    assert httpx.get(f"{address}/authority.crt", trust_env=False).content
