"""How players come in: PINs shown at the table, squares for phones; and how much one page may send."""

from dataclasses import replace

from controller.referee import Phase
from controller.rules import Side
from controller.web.server.pace import A_SECOND, AT_ONCE, KEPT, Pace
from controller.web.server.picture import svg_of
from controller.web.table_service import Role
from tests.referee.table.scenes import SCENES
from tests.web.browsers import SETTINGS, TABLE, opened
from tests.web.served_table import TableHouse

OPEN = replace(SETTINGS, reached_at=lambda: "192.0.2.7")


def house() -> TableHouse:
    return TableHouse(SCENES[Phase.TO_ROLL]())


def test_the_pin_shown_at_the_table_lets_each_player_in_as_that_player() -> None:
    with opened(house(), OPEN) as hall:
        text = hall.browser(TABLE).get("/pins").text
        for side in Side:
            pin = hall.site.access.pin_of("m1", side)
            assert pin in text
            assert hall.with_pin(pin).state()["viewer"] == {"role": "player", "side": str(side)}


def test_a_square_leads_a_phone_to_the_login_with_its_pin_where_no_server_is_told_it() -> None:
    with opened(house(), OPEN) as hall:
        browser = hall.browser(TABLE)
        port, pin = hall.server.port, hall.site.access.pin_of("m1", Side.DARK)
        answer = browser.get("/pins/dark.svg")
        assert answer.headers["content-type"] == "image/svg+xml"
        assert answer.headers["cache-control"] == "no-store"
        assert answer.content == svg_of(f"http://192.0.2.7:{port}/login#{pin}")
        assert browser.get("/pins/red.svg").status_code == 404


def test_where_phones_may_not_open_the_pages_the_remedy_is_told_and_no_square_is_shown() -> None:
    with opened(house()) as hall:
        browser = hall.browser(TABLE)
        assert "open = true" in browser.get("/pins").text
        assert browser.get("/pins/dark.svg").status_code == 404


def test_pins_are_for_the_table_and_the_director_only() -> None:
    with opened(house(), replace(OPEN, at_table=Role.VIEWER)) as hall:
        assert hall.director().get("/pins").status_code == 200
        for browser in (hall.browser(), hall.browser(TABLE), hall.player(Side.DARK)):
            assert browser.get("/pins").headers["location"] == "/login?next=/pins"
            assert browser.get("/pins/light.svg").status_code == 403


def test_names_with_markup_stand_beside_their_pins_as_text() -> None:
    of = TableHouse(SCENES[Phase.TO_ROLL](), names={Side.LIGHT: "<script>A", Side.DARK: "</li>B"})
    with opened(of, OPEN) as hall:
        text = hall.browser(TABLE).get("/pins").text
    assert "<script>A" not in text
    assert "&lt;/li&gt;B" in text


def test_whoever_sends_commands_without_end_has_to_wait_and_nobody_else() -> None:
    clock = [0.0]
    pace = Pace(lambda: clock[0])
    assert all(pace.allows("one") for _ in range(AT_ONCE))
    assert not pace.allows("one")
    assert pace.allows("other")
    clock[0] += 1 / A_SECOND
    assert pace.allows("one")
    assert not pace.allows("one")
    clock[0] += 3600
    assert [pace.allows("one") for _ in range(AT_ONCE + 1)].count(True) == AT_ONCE


def test_senders_who_never_come_again_are_forgotten() -> None:
    pace = Pace(lambda: 0.0)
    for _ in range(AT_ONCE):
        pace.allows("first")
    assert not pace.allows("first")
    for number in range(KEPT):
        pace.allows(f"phone {number}")
    assert pace.allows("first")


def test_a_page_that_sends_too_much_is_told_so_and_the_table_is_not_asked() -> None:
    with opened(house()) as hall:
        dark = hall.player(Side.DARK)
        for _ in range(AT_ONCE):
            hall.site.pace.allows(
                hall.site.access.who(dark.cookies["pointsman"], "m1", loopback=False).session
            )
        answer = dark.say("double", side="dark")
        assert (answer.status_code, hall.house.asked) == (429, [])
        assert answer.json()["detail"].startswith("That was too much")
        assert hall.player(Side.DARK).say("double", side="dark").json()["answer"] == "done"
