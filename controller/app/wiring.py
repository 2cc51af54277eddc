"""Gives a table its devices, as its configuration says."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from controller.app.electronics import Electronics
from controller.config import Config
from controller.config.dice import open_dice
from controller.config.sections import DiceAt, LightsAt
from controller.devices import EventMark, StripOrder
from controller.devices.buttons import PinButtons
from controller.devices.keys.buttons import KeyButtons
from controller.devices.lights.backends import FirmwareLights, Lights, ShiftLights, StripLights
from controller.devices.lights.darkener import Darkener
from controller.devices.lights.pixels import PixelMap
from controller.devices.lights.plugin import PluginLights
from controller.devices.lights.wled import WledLights
from controller.devices.link.link import Link
from controller.devices.link.transport import free_ports, other_ports
from controller.devices.pins import usual_factory
from controller.errors import UserError
from controller.messages.device_words import LocalText, program_words
from controller.vision import Board

Tell = Callable[[LocalText], None]


def wire(
    electronics: Electronics,
    config: Config,
    board: Board | None,
    last: EventMark | None,
    host_session: int,
    tell: Tell,
    clock: Callable[[], float],
) -> None:
    """Give a table its devices; nothing is started.

    Args:
        electronics: the table's.
        config: what there is to be.
        board: its file says which lamp lies where; None where there is no file yet.
        last: the last event of the board in the journal.
        host_session: see `Link`.
        tell: called with what cannot be used, and why.
        clock: monotonic seconds.
    """
    port = config.port()
    electronics.met = last is not None
    if port is not None:
        electronics.link = Link(
            port,
            host_session=host_session,
            deliver=electronics.deliver,
            tell=electronics.link_changed,
            notice=electronics.notice,
            last=last,
            adjust=lambda kept: electronics.adjust(kept),
            clock=clock,
            # Many dice units have the USB chip of a board: theirs is not opened to look for one.
            find_ports=lambda: other_ports(free_ports(), electronics.dice_port),
        )
    give_dice(electronics, config, tell)
    _give(partial(_give_buttons, electronics, config, clock), tell)
    give_keys(electronics, config, tell)
    give_lights(electronics, config, board, tell)


def give_dice(electronics: Electronics, config: Config, tell: Tell) -> None:
    """Give a table the dice that its configuration names; those that it had before are let go of."""
    electronics.board_dice, electronics.dice_port = config.dice.source is DiceAt.BOARD, config.dice_port()
    before, electronics.dice, electronics.dice_status = electronics.dice, None, None
    if before is not None:
        before.close()
    _give(partial(_give_dice, electronics, config), tell)


def give_keys(electronics: Electronics, config: Config, tell: Tell) -> None:
    """Give a table the keys that are its buttons; those that it had before are let go of."""
    before, electronics.keys, electronics.keys_status = electronics.keys, None, {}
    if before is not None:
        before.close()
    _give(partial(_give_keys, electronics, config), tell)


def give_lights(electronics: Electronics, config: Config, board: Board | None, tell: Tell) -> None:
    """Give a table its lights, in the order that its board's file says; those that it had before are let go of.

    The board's chip is told its settings once more: they may depend on the file.
    """
    electronics.adjust = partial(config.board_settings, order=_kept_order(config, board))
    if electronics.link is not None:
        electronics.link.settle()
    before = electronics.lights
    electronics.lights, electronics.lights_status = Lights(), None
    before.close()
    _give(partial(_give_lights, electronics, config, board), tell)


def _give(device: Callable[[], None], tell: Tell) -> None:
    try:
        device()
    except UserError as error:
        tell(program_words("without_device", why=error))


def _give_dice(electronics: Electronics, config: Config) -> None:
    electronics.dice = open_dice(config.dice, electronics.dice_changed)


def _give_buttons(electronics: Electronics, config: Config, clock: Callable[[], float]) -> None:
    pins = config.button_pins()
    if pins:
        electronics.buttons = PinButtons(usual_factory(), pins, clock)


def _give_keys(electronics: Electronics, config: Config) -> None:
    keys = config.button_keys()
    if keys:
        electronics.keys = KeyButtons(keys, electronics.keys_changed, grab=config.keys.grab)


def _give_lights(electronics: Electronics, config: Config, board: Board | None) -> None:
    electronics.lights = _lights(electronics, config, board)
    electronics.lights.night(config.lights.dark_room)


def _lights(electronics: Electronics, config: Config, board: Board | None) -> Lights:
    if config.lights_at() is LightsAt.WLED:
        pixels = _pixels(board) or PixelMap.along(config.lights.pixels)
        return WledLights(config.lights.address, pixels, config.dimming(), electronics.lights_changed)
    order = _order(board) or StripOrder.as_delivered()
    match config.lights_at():
        case LightsAt.BOARD if electronics.link is not None:
            return FirmwareLights(electronics.link, _coloured(order, config), config.dimming())
        case LightsAt.STRIP:
            return StripLights.on_spi(config.lights.device, _coloured(order, config), config.dimming())
        case LightsAt.LEDS:
            lines = config.lights
            return ShiftLights(
                usual_factory(),
                order,
                data=lines.data,
                clock=lines.clock,
                latch=lines.latch,
                enable=lines.enable,
                registers=lines.registers,
                darkener=Darkener("registers", lines.data, lines.clock, lines.latch, lines.registers),
            )
        case LightsAt.PLUGIN:
            return PluginLights.named(config.lights.plugin, order, config.dimming())
        case _:
            return Lights()


def _order(board: Board | None) -> StripOrder | None:
    """The order of the lamps that a board's file tells, if it tells one."""
    told = None if board is None else board.lights
    return None if told is None else StripOrder.of_table(told, "board")


def _coloured(order: StripOrder, config: Config) -> StripOrder:
    """The order of the lamps with that of their colours."""
    return replace(order, colours=config.lights.colours)


def _kept_order(config: Config, board: Board | None) -> StripOrder | None:
    """The order that the board's chip is told of; None where there is none that it can use, which its lights tell."""
    try:
        return _order(board) if config.lights_at() is LightsAt.BOARD else None
    except UserError:
        return None


def _pixels(board: Board | None) -> PixelMap | None:
    """The pixels of each place that a board's file tells, if it tells them."""
    told = None if board is None else board.lights
    return None if told is None else PixelMap.of_table(told, "board")
