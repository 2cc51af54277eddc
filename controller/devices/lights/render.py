"""A picture as bytes at a moment: the arithmetic of hardware_docs/protocol.md, the same that the chip does."""

from controller.devices.link.messages import Effect, LampPicture, Style

Rgb = tuple[int, int, int]
"""Red, green, blue, 0 to 255 each."""


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
    lit = [(style, by) for (style, _), by in zip(picture.lamps, levels(picture, now_ms), strict=True)]
    alike = {
        (style, by): _colour(picture.styles[style - 1], by, picture.brightness) if style else (0, 0, 0)
        for style, by in set(lit)
    }
    colours = [alike[each] for each in lit]
    if lamps is not None:
        colours = (colours + [(0, 0, 0)] * lamps)[:lamps]
    total, most = sum(map(sum, colours)), limit_ma * 51 // 4
    if total <= most:
        return tuple(colours)
    by = most * 255 // total
    return tuple((r * by // 255, g * by // 255, b * by // 255) for r, g, b in colours)
