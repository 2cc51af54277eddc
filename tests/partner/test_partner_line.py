"""The line between two tables: numbers, cuts, codes, and who is let in."""

import asyncio
import json
from dataclasses import replace

import pytest

from controller.partner.remote.admission import Invitation, PartnerAdmission, Reached
from controller.partner.remote.code import CodeError, TableCode, fingerprint, new_secret
from controller.partner.remote.greeting import PROTOCOL, TableAgreement, agreement_of
from controller.partner.remote.line import LONGEST, MOST_WAITING, LineError, PartnerLine, read_message
from controller.partner.remote.seat import seconds_left
from controller.rules import Terms, load_profile
from tests.rows import each_row

FIVE = agreement_of(Terms.match(load_profile("standard-match"), 5), "dark", "1.0")
GUEST = replace(FIVE, side="light")


def test_what_was_not_heard_is_told_again_and_counts_once() -> None:
    here, there = PartnerLine(), PartnerLine()
    here.tell([{"what": "die", "die": number} for number in (1, 2, 3)])
    for message in here.messages(0)[:2]:
        there.hear(message)
    for message in here.messages(1):
        there.hear(message)
    heard = []
    while (first := there.first()) is not None:
        heard.append((first[0], first[1]["die"]))
        there.drop_first()
    assert heard == [(1, 1), (2, 2), (3, 3)]
    assert here.unheard == 3
    here.hear(there.messages(0)[-1])
    assert here.unheard == 0


@each_row(
    "text",
    (
        "",
        "[]",
        "no json",
        '{"n": 2, "fact": {"what": "die"}}',
        '{"n": 1, "fact": 5}',
        '{"have": -1}',
        "x" * 70_000,
        "[" * 60_000,
    ),
)
def test_what_no_table_sends_ends_the_connection(text: str) -> None:
    with pytest.raises(LineError):
        PartnerLine().hear(text)


def test_facts_that_cannot_happen_yet_are_kept_in_bounds_and_told_again() -> None:
    here, there = PartnerLine(), PartnerLine()
    here.tell([{"what": "die", "die": 1}] * (MOST_WAITING + 1))
    messages = here.messages(0)
    for message in messages[:MOST_WAITING]:
        there.hear(message)
    with pytest.raises(LineError):
        there.hear(messages[MOST_WAITING])
    there.drop_first()
    there.hear(messages[MOST_WAITING])
    assert there.received == MOST_WAITING + 1


def test_a_message_may_be_as_long_as_the_longest() -> None:
    longest = json.dumps({"have": 0, "filled": ""})
    longest = longest.replace('""', f'"{"x" * (LONGEST - len(longest))}"')
    assert len(longest) == LONGEST
    assert read_message(longest)["have"] == 0
    with pytest.raises(LineError):
        read_message(f"{longest} ")


def test_a_code_comes_back_from_the_text_that_people_copy() -> None:
    code = TableCode("192.168.1.20", 8080, new_secret(), fingerprint(b"certificate"))
    assert TableCode.read(f"  {str(code)[:30]}\n{str(code)[30:]} ") == code
    plain = TableCode("[::1]", 1, new_secret())
    assert TableCode.read(str(plain)) == plain
    assert (code.address, plain.address) == (
        "wss://192.168.1.20:8080/api/v1/partner",
        "ws://[::1]:1/api/v1/partner",
    )


@each_row(
    "text", ("", "K7QFW2MXAB", "host:0/ABCDEFGHJK", "host:99999/ABCDEFGHJK", "host:80/short", "a b:80/")
)
def test_a_text_that_is_no_code_is_refused(text: str) -> None:
    with pytest.raises(CodeError, match="copy the whole line"):
        TableCode.read(text)


async def come(admission: PartnerAdmission, hello: dict[str, object]) -> dict[str, object]:
    """Somebody says hello at the admission; what they are answered."""
    answers: asyncio.Queue[str] = asyncio.Queue()
    said = asyncio.Queue[str]()
    said.put_nowait(json.dumps(hello))
    task = asyncio.create_task(admission.admit(said.get, answers.put))
    assert json.loads(await answers.get())["pointsman"] == "table"
    answer: dict[str, object] = json.loads(await answers.get())
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    return answer


def hello_of(agreement: TableAgreement, code: str, key: str = "key", **more: object) -> dict[str, object]:
    return {**agreement.record(), "code": code, "key": key, "have": 0, **more}


def invited(monkeypatch: pytest.MonkeyPatch) -> tuple[PartnerAdmission, str]:
    monkeypatch.setattr("controller.partner.remote.admission.WRONG_S", 0.01)
    admission = PartnerAdmission()
    admission.reached = Reached("127.0.0.1", 8080)
    admission.invite(Invitation(PartnerLine(), FIVE))
    return admission, TableCode.read(admission.code).secret


def test_a_code_holds_for_one_table_which_is_known_again(monkeypatch: pytest.MonkeyPatch) -> None:
    admission, code = invited(monkeypatch)
    assert "welcome" in asyncio.run(come(admission, hello_of(GUEST, code)))
    assert admission.code == ""
    assert "welcome" in asyncio.run(come(admission, hello_of(GUEST, "", "key")))
    assert asyncio.run(come(admission, hello_of(GUEST, code, "another")))["refused"] == "code"


@each_row(
    ("hello", "why", "theirs"),
    (
        (hello_of(GUEST, "WRONGWRONG"), "code", ""),
        (hello_of(GUEST, "", protocol=PROTOCOL + 1), "version", "1.0"),
        (hello_of(replace(GUEST, length="7"), "right"), "length", "5"),
        (hello_of(replace(GUEST, digest="other"), "right"), "rules", "standard-match"),
        (hello_of(FIVE, "right"), "side", ""),
    ),
)
def test_a_table_that_cannot_play_this_match_is_told_why(
    hello: dict[str, object], why: str, theirs: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    admission, code = invited(monkeypatch)
    told = hello | ({"code": code} if hello["code"] == "right" else {})
    assert asyncio.run(come(admission, told)) == {"refused": why, "theirs": theirs}
    assert admission.code


def test_nobody_comes_in_where_no_table_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    admission, code = invited(monkeypatch)
    admission.invite(None)
    assert asyncio.run(come(admission, hello_of(GUEST, code)))["refused"] == "code"


@each_row(
    ("left", "shown"),
    (
        (12.5, 12.5),
        (0, 0.0),
        (None, None),
        (-1, None),
        (86_400, None),
        (float("nan"), None),
        ("12", None),
        (True, None),
    ),
)
def test_a_time_that_no_clock_can_show_changes_none(left: object, shown: float | None) -> None:
    assert seconds_left({"what": "rolled", "left": left}) == shown
