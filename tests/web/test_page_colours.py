"""The contrasts of the pages' colours and of the boards' palettes, reckoned by the rule of WCAG 2."""

import re
from pathlib import Path

import pytest

TOKENS = Path(__file__).resolve().parents[2] / "controller" / "web" / "static" / "tokens.css"
TEXT = 4.5
CONTROL = 3.0
Colours = dict[str, str]


def blocks() -> list[tuple[str, Colours]]:
    """Each rule of the style sheet: its selectors and the colours that it sets; of a media rule the one inside."""
    text = re.sub(r"/\*.*?\*/", "", TOKENS.read_text("utf-8"), flags=re.DOTALL)
    rules = re.findall(r"([^{}]+)\{([^{}]*)\}", text)
    return [
        (head.strip(), dict(re.findall(r"--([a-z0-9-]+):\s*(#[0-9a-f]{6});", body))) for head, body in rules
    ]


def ground(name: str) -> Colours:
    return next(colours for head, colours in blocks() if f'[data-ground="{name}"]' in head)


def palettes() -> dict[str, Colours]:
    found = ((re.search(r'\[data-board="([a-z]+)"\]', head), colours) for head, colours in blocks())
    return {name[1]: colours for name, colours in found if name is not None}


def luminance(colour: str) -> float:
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_the_contrast_of_black_and_white_is_that_of_the_rule() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


@pytest.mark.parametrize("name", ["light", "dark"])
def test_text_can_be_read_on_its_ground(name: str) -> None:
    colours = ground(name)
    for text in ("ink", "soft", "act", "warn", "ask", "ok"):
        assert contrast(colours[text], colours["paper"]) >= TEXT, text
    for behind in ("card", "warn-ground", "ask-ground"):
        assert contrast(colours["ink"], colours[behind]) >= TEXT, behind
        assert contrast(colours["soft"], colours[behind]) >= TEXT, behind


@pytest.mark.parametrize("name", ["light", "dark"])
def test_the_outline_of_a_control_can_be_seen(name: str) -> None:
    colours = ground(name)
    assert contrast(colours["line2"], colours["paper"]) >= CONTROL
    assert contrast(colours["warn"], colours["warn-ground"]) >= CONTROL
    assert contrast(colours["ask"], colours["ask-ground"]) >= CONTROL


def test_a_device_that_is_dark_shows_the_same_as_one_who_chose_dark() -> None:
    dark = [colours for head, colours in blocks() if head == ":root" and "paper" in colours]
    assert dark == [ground("dark")]


@pytest.mark.parametrize("name", palettes())
def test_checkers_stand_out_from_each_other_and_from_every_ground_that_they_lie_on(name: str) -> None:
    colours = palettes()[name]
    assert contrast(colours["light"], colours["dark"]) >= TEXT
    for behind in ("field", "point-a", "point-b"):
        for side in ("light", "dark"):
            assert contrast(colours[side], colours[behind]) >= CONTROL, f"{side} on {behind}"


@pytest.mark.parametrize("name", palettes())
def test_a_dark_checker_has_a_bright_ring_and_a_light_one_a_pale_ring(name: str) -> None:
    colours = palettes()[name]
    assert contrast(colours["dark-ring"], colours["dark"]) >= CONTROL
    assert 1.5 <= contrast(colours["light-ring"], colours["light"]) < CONTROL


@pytest.mark.parametrize("name", palettes())
def test_the_marks_of_the_last_play_can_be_seen_on_the_checkers(name: str) -> None:
    marks = next(colours for _, colours in blocks() if "mark-on-light" in colours)
    colours = palettes()[name]
    assert contrast(marks["mark-on-light"], colours["light"]) >= CONTROL
    assert contrast(marks["mark-on-dark"], colours["dark"]) >= CONTROL
    for behind in ("field", "point-a", "point-b"):
        assert contrast(marks["hollow"], colours[behind]) >= CONTROL, behind
    assert contrast(marks["number"], colours["frame"]) >= TEXT
    assert contrast(marks["unsure"], marks["key"]) >= TEXT
