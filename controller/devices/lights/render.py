"""A picture as bytes at a moment: the arithmetic of hardware_docs/protocol.md, the same that the chip does."""

from collections.abc import Sequence

from controller.devices.link.messages import Effect, LampPicture, Style

Rgb = tuple[int, int, int]
"""Red, green, blue, 0 to 255 each."""
Rgbw = tuple[int, int, int, int]
"""The same, and how bright the white LED of a lamp is that has one."""


def scale(value: int, by: int) -> int:
    """`value` times `by`/255 or nearly so, in whole numbers."""
    return value * (by + 1) >> 8


def level(effect: Effect, position: int) -> int:
    """How bright an effect is, 0 to 255, at a position of its period, 0 to 255."""
    match effect:
        case Effect.BLINK:
            return 255 if position < 128 else 0
        case Effect.PULSE:
            return 40 + scale(2 * position if position < 128 else 2 * (255 - position), 215)
        case Effect.CHASE:
            return 255 if position < 64 else 64 if position < 128 else 0
        case _:
            return 255


def levels(picture: LampPicture, now_ms: int) -> tuple[int, ...]:
    """How bright the effect of each lamp is at a moment, 0 to 255, whatever its colour."""
    at = [now_ms % (style.period * 10) * 256 // (style.period * 10) for style in picture.styles]
    alike = {
        (style, phase): level(picture.styles[style - 1].effect, (at[style - 1] + 16 * phase) % 256)
        if style
        else 0
        for style, phase in set(picture.lamps)
    }
    return tuple([alike[lamp] for lamp in picture.lamps])


def _colour(style: Style, by: int, brightness: int) -> Rgb:
    red, green, blue = (
        scale(scale(channel, by), brightness) for channel in (style.red, style.green, style.blue)
    )
    return red, green, blue


def render(picture: LampPicture, now_ms: int, *, limit_ma: int, lamps: int | None = None) -> tuple[Rgb, ...]:
    """The colour of each lamp at a moment.

    Args:
        picture: what to show.
        now_ms: milliseconds of the clock that the effects run by.
        limit_ma: all channels together draw no more than that, at 20 mA for each at 255.
        lamps: how many there are; those beyond the picture are dark. As many as in the picture if not given.
    """
    return tuple((r, g, b) for r, g, b in _limited(_painted(picture, now_ms, lamps), limit_ma))


def render_white(
    picture: LampPicture, now_ms: int, *, limit_ma: int, lamps: int | None = None
) -> tuple[Rgbw, ...]:
    """The same for lamps that have a white LED: it shows what the three colours have in common, for one current."""
    parted = [
        (r - w, g - w, b - w, w) for r, g, b in _painted(picture, now_ms, lamps) for w in (min(r, g, b),)
    ]
    return tuple((r, g, b, w) for r, g, b, w in _limited(parted, limit_ma))


def _painted(picture: LampPicture, now_ms: int, lamps: int | None) -> list[Rgb]:
    """The colours before anything is taken off for the limit."""
    lit = [(style, by) for (style, _), by in zip(picture.lamps, levels(picture, now_ms), strict=True)]
    alike = {
        (style, by): _colour(picture.styles[style - 1], by, picture.brightness) if style else (0, 0, 0)
        for style, by in set(lit)
    }
    colours = [alike[each] for each in lit]
    return colours if lamps is None else (colours + [(0, 0, 0)] * lamps)[:lamps]


def _limited(colours: Sequence[tuple[int, ...]], limit_ma: int) -> Sequence[tuple[int, ...]]:
    """The colours, dimmed so far that all channels together draw no more than the limit."""
    total, most = sum(map(sum, colours)), limit_ma * 51 // 4
    if total <= most:
        return colours
    by = most * 255 // total
    return [tuple([channel * by // 255 for channel in colour]) for colour in colours]
