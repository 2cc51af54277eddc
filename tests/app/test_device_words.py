"""What the people at a table are told of their devices, and what not."""

from controller.app.electronics import Electronics
from controller.app.inbox import Inbox
from controller.app.live import CameraNews
from controller.app.screen import LineScreen
from controller.devices.camera.status import CameraCode, CameraStatus
from controller.devices.link.status import LinkCode, LinkStatus
from controller.messages.device_words import time_words
from controller.referee.events import DeviceChanged
from controller.rules.position import Side


class Told:
    """A screen in some languages, what was written on it, and the electronics that write there."""

    def __init__(self, *languages: str) -> None:
        self.text: list[str] = []
        self.screen = LineScreen(self.text.append, languages, {Side.LIGHT: "Anna"})
        self.inbox = Inbox()
        self.electronics = Electronics(self.inbox, lambda at: at, self.screen.print_words, lambda: 0.0)

    def after(self, *codes: LinkCode) -> list[str]:
        self.text.clear()
        for code in codes:
            self.electronics.link_changed(LinkStatus(code, "/dev/board", {"firmware": "1.0.0"}))
        return self.text


def test_a_camera_is_told_of_in_the_languages_of_the_table_and_in_no_other() -> None:
    told = Told("hu", "sk")
    news = CameraNews(told.inbox, lambda: 5.0, told.screen.print_words)
    news.changed(CameraStatus(CameraCode.OK, "EYE", {"size": "1x1"}))
    told.text.clear()
    news.changed(CameraStatus(CameraCode.LOST, "EYE"))
    assert [line.split(" ")[0] for line in told.text] == ["A", "Kamera"]
    assert "Ellenőrizze a kábelét" in told.text[0]
    assert "Skontrolujte kábel" in told.text[1]
    item = told.inbox.get(0.0)
    assert item is not None
    assert item.event == DeviceChanged(5.0, "camera", False, "lost")


def test_electronics_that_nobody_has_are_not_missed() -> None:
    told = Told("en")
    assert told.after(LinkCode.NO_PORT, LinkCode.CLOSED) == []
    told.after(LinkCode.NO_PORT)
    assert told.electronics.shown() == []


def test_electronics_whose_dice_count_are_missed_from_the_beginning() -> None:
    told = Told("en")
    told.electronics.board_dice = True
    (line,) = told.after(LinkCode.NO_PORT, LinkCode.NO_PORT)
    assert line.startswith("No board electronics are plugged in. Plug the board in by USB")


def test_electronics_that_were_there_are_missed_when_they_go() -> None:
    told = Told("en")
    told.after(LinkCode.GREETING, LinkCode.READY)
    assert len(told.after(LinkCode.LOST, LinkCode.NO_PORT)) == 2
    assert [(each.name, each.ready) for each in told.electronics.shown()] == [("board", False)]


def test_electronics_of_the_match_that_goes_on_are_missed() -> None:
    told = Told("en")
    told.electronics.met = True
    assert len(told.after(LinkCode.NO_PORT)) == 1
    assert [(each.name, each.ready) for each in told.electronics.shown()] == [("board", False)]


def test_a_low_reserve_is_told_in_every_language() -> None:
    told = Told("en", "et")
    told.screen.print_words(time_words(Side.LIGHT, {Side.LIGHT: "Anna"}))
    assert ["Anna" in line for line in told.text] == [True] * 2
