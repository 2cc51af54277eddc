"""What the lights mean, in words."""

from controller.devices.lights.frame import PLACES, LightFrame, Signal
from controller.messages.catalogue import LANGUAGES
from controller.rules.position import Side
from controller.telling.table import lamp_words
from tests.rows import each_row

FRAME = LightFrame().lit(Signal.TAKE, [24, 6, "bar-dark"]).lit(Signal.PUT, [8])


def test_each_place_is_named_as_the_viewer_counts() -> None:
    assert list(lamp_words(FRAME, "en", Side.LIGHT)) == [
        (Signal.TAKE, "take a checker away: 6, 24, the bar (Dark)"),
        (Signal.PUT, "put a checker here: 8"),
    ]
    assert [words for _, words in lamp_words(FRAME, "en", Side.DARK)] == [
        "take a checker away: 1, 19, the bar (Dark)",
        "put a checker here: 17",
    ]


def test_no_light_has_no_words() -> None:
    assert list(lamp_words(LightFrame())) == []


@each_row("language", LANGUAGES)
@each_row("signal", [signal for signal in Signal if signal is not Signal.DARK])
def test_every_signal_has_words_in_every_language(signal: Signal, language: str) -> None:
    ((shown, words),) = lamp_words(LightFrame().lit(signal, PLACES[:1]), language)
    assert shown is signal
    assert words
