"""Everything on wires: the board's electronics, the Pi's pins, a strip at its SPI line, a dice unit."""

import os
import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from controller.config.config import Config
from controller.config.dice import name_dice, open_dice
from controller.config.sections import DiceAt, DiceSection, LightsAt
from controller.devices import StripOrder
from controller.devices.dice.lines import MQTT, STANDARD_INPUT
from controller.devices.dice.source import DeviceRoll
from controller.devices.dice.status import DiceCode, DiceStatus
from controller.devices.lights.frame import PLACES
from controller.devices.lights.pixels import PixelMap
from controller.devices.lights.spi_clock import CoreClock
from controller.devices.lights.wled import FoundWled, find_wleds, look_for
from controller.devices.lights.wled_status import WledCode
from controller.devices.link.conversation import ANSWER_S, Conversation
from controller.devices.link.happenings import Greeted
from controller.devices.link.holders import holders
from controller.devices.link.keeping import list_changes, name_settings
from controller.devices.link.link import AUTO, dotted
from controller.devices.link.messages import BoardSettings, HelloOk, Pong
from controller.devices.link.status import LinkCode, LinkStatus
from controller.devices.link.transport import likely_ports, other_ports
from controller.devices.pins import PinsError, library_for, pin_factory
from controller.doctor.access import in_use
from controller.doctor.finding import Finding, absent, fail, missing, ok, warn
from controller.errors import UserError
from controller.messages.device_words import reason_of, remedy_of
from controller.vision.board.board import load_board

NOISE: Final = 20
"""This many frames that were damaged on the way are more than a restart explains."""
HEARD_S: Final = 5.0
"""How long a dice unit is listened to: longer than what it may say when its port is opened."""
LOOK_S: Final = 0.02
BOARD: Final = "electronics"
SETTINGS: Final = "board settings"


def electronics(
    config: Config,
    find_ports: Callable[[], Sequence[str]] = likely_ports,
    patience_s: float = ANSWER_S,
) -> Iterator[Finding]:
    """Whether the board's electronics answer."""
    port = config.port()
    if port is None:
        yield absent(BOARD, "none are configured")
        return
    ports = other_ports(find_ports(), config.dice_port()) if port == AUTO else (port,)
    busy = {each: found[0] for each in ports if each.startswith("/") and (found := holders(Path(each)))}
    free = [each for each in ports if each not in busy]
    board = Conversation(
        port, host_session=secrets.randbelow(2**32 - 1) + 1, adjust=lambda kept: kept, find_ports=lambda: free
    )
    stood = _meet(board, patience_s) if free else LinkStatus(LinkCode.NO_PORT, AUTO)
    if (greeted := board.last(Greeted)) is not None:
        yield from _chip(greeted.chip, board.last(Pong), stood.port)
        yield _settings(config, board.last(BoardSettings))
    elif busy:
        yield in_use(BOARD, *next(iter(busy.items())))
    else:
        needed = config.dice.source is DiceAt.BOARD or port != AUTO
        yield missing(BOARD, reason_of(stood), remedy_of(stood), needed=needed)


def _meet(board: Conversation, patience_s: float) -> LinkStatus:
    """Wait until the board has answered everything; how the link stood at the end."""
    with board:
        board.wait_for(
            lambda: board.last(Pong) is not None and board.last(BoardSettings) is not None, patience_s
        )
        return board.link.status


def _chip(chip: HelloOk, pong: Pong | None, port: str) -> Iterator[Finding]:
    yield ok(BOARD, f"firmware {dotted(chip.firmware)} on {port}, {chip.lamps} lamps, {chip.buttons} buttons")
    if chip.lamps < len(PLACES):
        yield warn(
            "lamps",
            f"{chip.lamps}, but there are {len(PLACES)} places",
            f"If there are more, run: pointsman board settings --lamps {len(PLACES)}; places without one stay dark.",
        )
    if pong is not None and pong.rx_bad + pong.overruns > NOISE:
        yield warn(
            "serial line",
            f"{pong.rx_bad} damaged frames and {pong.overruns} lost bytes since the board started",
            "Use a shorter or better cable, away from the strip's supply, without a hub.",
        )


def _settings(config: Config, kept: BoardSettings | None) -> Finding:
    """What the chip keeps, against what a match will have it keep."""
    if kept is None:
        return warn(
            SETTINGS,
            "the board does not tell them, so its lights would stay dark",
            "Flash the firmware that came with this program.",
        )
    told = ", ".join(f"{name} {value}" for name, value in name_settings(kept).items())
    try:
        wanted = config.board_settings(kept, _order(config))
    except UserError as error:
        return warn(SETTINGS, told, str(error))
    if differ := ", ".join(list_changes(kept, wanted)):
        return warn(
            SETTINGS,
            f"{told}; configured: {differ}",
            "A match changes that when it begins; pointsman board settings does so at once.",
        )
    return ok(SETTINGS, told)


def _order(config: Config) -> StripOrder | None:
    """The order of the lamps in the board file, if there is one; whether the file is good is checked elsewhere."""
    lights = None if config.lights_at() is LightsAt.WLED else _lights(config)
    return None if lights is None else StripOrder.of_table(lights, str(config.board_file()))


def _lights(config: Config) -> Mapping[str, int | list[int]] | None:
    """What the board file tells of the lights, if it tells anything."""
    path = config.board_file()
    try:
        return load_board(path.read_text(encoding="utf-8"), str(path)).lights
    except (OSError, UnicodeError, UserError):
        return None


def pins(config: Config, model: str | None, *, has_lgpio: bool) -> Finding:
    """Whether the Pi's pins can be used, if any are."""
    name, used = "pins", config.pins()
    if not used:
        return absent(name, "none are used")
    try:
        library = library_for(model, has_lgpio=has_lgpio)
        pin_factory(library).close()
    except PinsError as error:
        reason, _, remedy = str(error).partition("; ")
        return fail(name, reason, f"{remedy[:1].upper()}{remedy[1:]}")
    return ok(name, f"{len(used)} in use, through {library.value}, on a {model}")


def strip(config: Config) -> Finding:
    """Whether the SPI device of a strip can be written to, if there is one."""
    name, device = "strip", Path(config.lights.device)
    if config.lights_at() is not LightsAt.STRIP:
        return absent(name, "none hangs on the Pi")
    if not device.exists():
        return fail(
            name, f"there is no {device}", "Switch SPI on (sudo raspi-config nonint do_spi 0) and restart."
        )
    if not os.access(device, os.W_OK):
        return fail(
            name,
            f"this user may not write to {device}",
            "Put the user into the group spi: sudo usermod -a -G spi $USER.",
        )
    return ok(name, f"{device} can be written to")


def wled(config: Config, find: Callable[[], Sequence[FoundWled]] = find_wleds) -> Finding:
    """Whether the WLED that drives the lights answers, and has enough pixels, if there is one."""
    name = "WLED"
    if config.lights_at() is not LightsAt.WLED:
        return absent(name, "the lights hang elsewhere")
    needed = _pixels(config).count
    stood = look_for(config.lights.address, needed, find)
    if stood.code is WledCode.READY:
        return ok(name, reason_of(stood))
    return (warn if stood.ready else fail)(name, reason_of(stood), remedy_of(stood))


def _pixels(config: Config) -> PixelMap:
    """The pixels of each place, by the board file or as configured."""
    lights = _lights(config)
    along = PixelMap.along(config.lights.pixels)
    return along if lights is None else PixelMap.of_table(lights, str(config.board_file()))


def spi_clock(config: Config, model: str | None, clock: CoreClock | None) -> Finding:
    """Whether the rate of the SPI line of a strip can fall; `model` and `clock` as the devices tell them."""
    name = "SPI clock"
    if config.lights_at() is not LightsAt.STRIP:
        return absent(name, "no strip hangs on the Pi")
    if model is None:
        return absent(name, "this is no Raspberry Pi")
    if clock is None:
        return ok(name, f"nothing is known to slow it down on a {model}")
    if clock.share == 1:
        return ok(name, f"the core clock stays at {clock.most_mhz} MHz")
    return warn(
        name,
        f"falls to {clock.share * 100:.0f} % of its rate when the Pi is idle",
        f"Add the line {clock.fix} to /boot/firmware/config.txt and restart; lamps may flash white otherwise.",
    )


def dice_unit(config: Config, heard_s: float = HEARD_S) -> Finding:
    """Whether a dice unit of another maker can be reached and what it says makes sense, if there is one."""
    name, port = "dice unit", Path(config.dice.port)
    if config.dice.source is DiceAt.TEXT and config.dice.port == STANDARD_INPUT:
        return ok(name, "writes into standard input, which is read in a match only")
    if config.dice.source is DiceAt.PLUGIN:
        return _listen(name, config, heard_s)
    if config.dice.source is not DiceAt.TEXT:
        return absent(name, "the rolls come from elsewhere")
    if not config.dice.port.startswith("/"):
        return _listen(name, config, heard_s)
    if not port.exists():
        return fail(name, f"there is no {port}", "Plug it in, or correct dice.port (ls /dev/serial/by-id).")
    if busy := holders(port):
        return in_use(name, str(port), busy[0])
    if not os.access(port, os.R_OK | os.W_OK):
        return fail(
            name,
            f"this user may not open {port}",
            "Run: sudo usermod -a -G dialout $USER, then log out and in again.",
        )
    return _listen(name, config, heard_s)


def _listen(name: str, config: Config, heard_s: float) -> Finding:
    """What a dice unit says until it reports a roll or a fault, or has been silent for ``heard_s`` seconds."""
    dice = config.dice
    try:
        unit = open_dice(dice)
    except UserError as error:
        reason, _, remedy = str(error).partition("; ")
        return fail(name, reason, f"{remedy[:1].upper()}{remedy[1:]}")
    assert unit is not None
    began, rolls = time.monotonic(), list[DeviceRoll]()
    try:
        while not rolls and (now := time.monotonic()) - began < heard_s:
            rolls = unit.poll(now)
            if unit.status is not None and unit.status.code is not DiceCode.READY:
                return _trouble(name, unit.status)
            time.sleep(LOOK_S)
    finally:
        unit.close()
    at = _what_it_is(dice)
    if rolls:
        return ok(name, f"{at} told {'-'.join(map(str, rolls[0].dice))}")
    return ok(name, f"{at} can be opened; nobody rolled in {heard_s:.0f} s, so no roll was tried")


def _what_it_is(dice: DiceSection) -> str:
    """A unit by what it is and where."""
    if dice.source is DiceAt.PLUGIN:
        return f"the plug-in {dice.plugin}"
    if dice.port.startswith("/"):
        return f"a serial unit, {dice.port} at {dice.baud} bits a second,"
    if dice.port.startswith(MQTT):
        return f"a topic of MQTT, {name_dice(dice)},"
    return f"a unit in the network, {dice.port},"


def _trouble(name: str, status: DiceStatus) -> Finding:
    tell = warn if status.code in (DiceCode.STRANGE, DiceCode.ALONE) else fail
    return tell(name, reason_of(status), remedy_of(status))
