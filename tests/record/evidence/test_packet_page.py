"""The page that checks a packet, in Chromium without a network."""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from controller.messages.catalogue import LANGUAGES, catalogue
from controller.record.evidence.packet import pack, packet_page
from controller.record.journal.seal import Signer, seal_from
from controller.record.match.match import Note
from controller.record.match.match_log import MatchLog
from tests.record.evidence.test_dispute_page import HOSTILE, Table, doubt_last_turn
from tests.record.evidence.test_packet import anew, flipped, packet_of, rebuilt, unsign
from tests.record.match.test_match_log import noon
from tests.record.sealing import TABLE_KEY, key_of, put_seal

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

FLIPS = 60


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    made = Table(tmp_path / "journal.db")
    put_seal(made.journal)
    yield made
    made.journal.close()
    made.store.close()


@pytest.fixture
def page(browser: "Browser") -> Iterator["Page"]:
    """A page without a network that must not complain."""
    with browser.new_context(offline=True, viewport={"width": 390, "height": 844}) as context:
        opened = context.new_page()
        said: list[str] = []
        opened.on("console", lambda message: said.append(message.text))
        opened.on("pageerror", lambda error: said.append(str(error)))
        yield opened
        assert said == []


def show(page: "Page", html: str, folder: Path) -> None:
    path = folder / "page.html"
    path.write_text(html, encoding="utf-8")
    page.goto(path.as_uri())


def verdict(page: "Page", data: bytes | None = None) -> str:
    """What the page says; of a packet that is given to it, if there is one."""
    if data is not None:
        page.evaluate("document.getElementById('verdict')?.remove()")
        page.locator("#file").set_input_files(
            [{"name": "packet.zip", "mimeType": "application/zip", "buffer": data}]
        )
    page.locator("#verdict").wait_for()
    return str(page.locator("#verdict").get_attribute("class"))


def test_a_whole_packet_is_told_so_with_seals_pictures_and_what_it_proves(
    table: Table, page: "Page", tmp_path: Path
) -> None:
    put_seal(table.journal, key=key_of("Anna"), by=Signer.LIGHT, name="Anna")
    show(page, packet_page(packet_of(table)), tmp_path)
    assert verdict(page) == "good"
    text = page.locator("main").inner_text()
    for said in (
        "Anna - Béla",
        "Nothing was changed.",
        "What it does not prove",
        "Illegal, corrected",
        "Light, Anna",
    ):
        assert said in text
    codes = [
        seal_from(event.payload).statement.code for event in table.journal.events() if event.kind == "seal"
    ]
    assert page.locator("table.stacked code").all_inner_texts() == codes
    assert page.evaluate("[...document.images].every((image) => image.naturalWidth > 0)")
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_a_turn_that_was_taken_back_is_told_so(table: Table, page: "Page", tmp_path: Path) -> None:
    MatchLog(table.journal, "1", noon).add(Note("undone", None, 2.0, {"ply": 0, "player": "light"}))
    put_seal(table.journal)
    show(page, packet_page(packet_of(table)), tmp_path)
    assert verdict(page) == "good"
    states = page.locator("article .state").all_inner_texts()
    assert "Taken back" in states
    assert "Illegal, corrected" not in states


def test_one_bit_changed_anywhere_is_found(table: Table, page: "Page", tmp_path: Path) -> None:
    data, rng = packet_of(table), Random(3)
    show(page, packet_page(None), tmp_path)
    assert verdict(page, data) == "good"
    for place in [*(rng.randrange(len(data)) for _ in range(FLIPS)), *range(len(data) - 100, len(data), 9)]:
        assert verdict(page, flipped(data, place, rng.randrange(8))) == "bad", place
    assert verdict(page, data[:-1]) == "bad"
    assert verdict(page, b"") == "bad"


def test_a_page_with_a_bit_changed_in_its_packet_or_its_program_never_says_good(
    table: Table, page: "Page", browser: "Browser", tmp_path: Path
) -> None:
    html, rng = packet_page(packet_of(table)), Random(4)
    start = html.index('id="packet">') + len('id="packet">')
    place = start + rng.randrange(html.index("</script>", start) - start)
    show(page, html[:place] + ("A" if html[place] != "A" else "B") + html[place + 1 :], tmp_path)
    assert verdict(page) == "bad"
    with browser.new_context(offline=True) as context:
        other = context.new_page()
        show(other, html.replace('["bad", say("bad")', '["good", say("good")'), tmp_path)
        assert other.locator("#unchecked").is_visible()
        assert other.locator("#verdict").count() == 0


def test_a_journal_written_anew_is_found_by_its_seal(table: Table, page: "Page", tmp_path: Path) -> None:
    show(page, packet_page(None), tmp_path)
    assert verdict(page, rebuilt(rebuilt(packet_of(table), unsign), anew)) == "bad"
    assert "the journal is not the one that was signed" in page.locator("#verdict").inner_text()


def test_a_packet_without_seals_is_whole_but_not_vouched_for(page: "Page", tmp_path: Path) -> None:
    table = Table(tmp_path / "bare.db")
    show(page, packet_page(pack(table.journal, table.store, "1")), tmp_path)
    assert verdict(page) == "open"
    assert "not sealed" in page.locator("#verdict").inner_text()
    table.journal.close()
    table.store.close()


def test_what_came_after_the_last_seal_is_told(table: Table, page: "Page", tmp_path: Path) -> None:
    table.journal.append("1", "bump", {}, utc="")
    show(page, packet_page(packet_of(table)), tmp_path)
    assert verdict(page) == "open"
    assert "nobody vouches: 1." in page.locator("#verdict").inner_text()


def test_the_code_of_a_score_sheet_is_found_or_missed(table: Table, page: "Page", tmp_path: Path) -> None:
    *_, last = table.journal.events()
    code = seal_from(last.payload).statement.code
    show(page, packet_page(packet_of(table)), tmp_path)
    verdict(page)
    page.get_by_label("Type the code").fill(code.lower().replace("-", " "))
    assert "the seal of game 1" in page.locator("#answer").inner_text()
    page.get_by_label("Type the code").fill("0" * 25)
    assert "cut or written anew" in page.locator("#answer").inner_text()


def test_nothing_in_a_record_acts_as_markup(page: "Page", tmp_path: Path) -> None:
    table = Table(tmp_path / "hostile.db", HOSTILE)
    put_seal(table.journal, key=key_of("x"), by=Signer.LIGHT, name="<b>Anna</b>")
    put_seal(table.journal)
    show(page, packet_page(packet_of(table)), tmp_path)
    assert verdict(page) == "good"
    assert "<b>Anna</b>" in page.locator("main").inner_text()
    assert page.locator("main script, main b b").count() == 0
    table.journal.close()
    table.store.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_comes_in_every_language(table: Table, page: "Page", tmp_path: Path, language: str) -> None:
    show(page, packet_page(packet_of(table), language), tmp_path)
    assert verdict(page) == "good"
    assert catalogue(language).text("packet", "page", "good") in page.locator("#verdict").inner_text()
    assert page.evaluate("document.documentElement.lang") == language
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_digests_worked_out_in_plain_numbers_are_right(page: "Page", tmp_path: Path) -> None:
    show(page, packet_page(None), tmp_path)
    rng = Random(5)
    for length in (0, 1, 55, 56, 63, 64, 111, 112, 127, 128, 1000):
        content = rng.randbytes(length)
        for name, digest in (("plainSha256", hashlib.sha256), ("plainSha512", hashlib.sha512)):
            assert page.evaluate(f"hex({name}(unhex('{content.hex()}')))") == digest(content).hexdigest()


def test_signatures_worked_out_in_plain_numbers_are_right(page: "Page", tmp_path: Path) -> None:
    show(page, packet_page(None), tmp_path)
    call = "([key, signature, text]) => plainVerify(unhex(key), unhex(signature), utf8.encode(text))"
    for number in range(12):
        key, text = key_of(f"{number}"), "ű" * number
        signature = key.sign_text(text)
        assert page.evaluate(call, [key.public, signature, text])
        assert not page.evaluate(call, [key.public, signature, text + "!"])
        assert not page.evaluate(call, [TABLE_KEY.public, signature, text])
        for place in (0, 31, 32, 63):
            changed = flipped(bytes.fromhex(signature), place, number % 8).hex()
            assert not page.evaluate(call, [key.public, changed, text])
    order = 2**252 + 27742317777372353535851937790883648493
    high = (int.from_bytes(bytes.fromhex(signature)[32:], "little") + order).to_bytes(32, "little")
    assert not page.evaluate(call, [key.public, signature[:64] + high.hex(), text])


def test_a_browser_without_signatures_comes_to_the_same(
    table: Table, browser: "Browser", tmp_path: Path
) -> None:
    for script in (
        "crypto.subtle.importKey = () => Promise.reject(new DOMException('', 'NotSupportedError'))",
        "Object.defineProperty(globalThis, 'crypto', { value: undefined })",
    ):
        with browser.new_context(offline=True) as context:
            context.add_init_script(script)
            page = context.new_page()
            show(page, packet_page(packet_of(table)), tmp_path)
            assert verdict(page) == "good"
            assert verdict(page, rebuilt(rebuilt(packet_of(table), unsign), anew)) == "bad"


def test_a_turn_that_nobody_confirmed_is_told_so_and_accuses_nobody(tmp_path: Path, page: "Page") -> None:
    table = Table(tmp_path / "journal.db")
    doubt_last_turn(table)
    put_seal(table.journal)
    show(page, packet_page(packet_of(table)), tmp_path)
    assert verdict(page) == "good"
    article = page.locator("article").last
    assert article.locator(".state").inner_text() == "Not confirmed"
    assert "Light, Anna" not in article.inner_text()
    assert "3-1" in article.locator("h3").inner_text()
    table.journal.close()
    table.store.close()
