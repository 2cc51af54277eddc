"""The sections of the configuration, with all their keys, what they mean and what holds if they are left out."""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from controller.config.error import ConfigError
from controller.devices import Button
from controller.devices.dice.textline import USUAL_PATTERN
from controller.devices.lights.order import ColourOrder
from controller.logs.level import LogLevel
from controller.messages.catalogue import LANGUAGES
from controller.partner.remote.code import TableCode
from controller.referee.table.settings import MOST_HINT, End, Premature
from controller.rules import Form, Side
from controller.speech.phrase import SpokenTopic
from controller.speech.spoken import SPOKEN
from controller.tomlfile.checks import Flag, Number, OneOf, Several, Text, key, seldom
from controller.vision.fitted.runner import NetworkRunner

HIGHEST_PORT: Final = 65_536
PORT: Final = r"[0-9]{1,5}"
PIN: Final = Number(0, 27, whole=True)
NAME: Final = Text(60, "a name")
PLACE: Final = Text(200, "a file, device or address")
PLUGIN_WORDS: Final = "With `plugin`: its name, and after a colon what it is given, such as an address."


class ClockKind(StrEnum):
    """Which clock is used."""

    NONE = "none"
    SIMPLE = "simple"
    BRONSTEIN = "bronstein"


class DiceAt(StrEnum):
    """What tells the rolls."""

    CAMERA = "camera"
    BOARD = "board"
    TEXT = "text"
    PINS = "pins"
    BLUETOOTH = "bluetooth"
    PLUGIN = "plugin"


class SeatOf(StrEnum):
    """Who sits on a side."""

    PERSON = "person"
    ENGINE = "engine"
    REMOTE = "remote"


class LightsAt(StrEnum):
    """What the lights hang on."""

    BOARD = "board"
    STRIP = "strip"
    LEDS = "leds"
    WLED = "wled"
    PLUGIN = "plugin"
    NONE = "none"


class Engine(StrEnum):
    """What shows best plays and judges mistakes."""

    AUTO = "auto"
    GNUBG = "gnubg"
    BGSAGE = "bgsage"
    NONE = "none"


def _fact(words: str, example: str) -> str:
    return seldom("", Text(least=0), f"{words}, for the record.", example=example, otherwise="not told")


@dataclass(frozen=True, slots=True)
class MatchSection:
    """Who plays what."""

    light: str = key("Light", NAME, "The player of the light checkers.")
    dark: str = key("Dark", NAME, "The player of the dark checkers.")
    form: Form = key(
        Form.MATCH,
        OneOf(Form),
        "What is played for: a match to a length, a money session that counts every game by itself, or a series of "
        "single games without the cube.",
    )
    length: int = key(7, Number(1, 99, whole=True), "Points that win the match; ignored for money play.")
    profile: tuple[str, ...] = key(
        (),
        Several(Text(200, "the name or file of a profile"), 9, 1),
        "The rules: a name that `pointsman profiles` lists, or a file of your own; the games of a series may take "
        "turns between several.",
        example="standard-match",
        otherwise="`standard-match`, for money `standard-money`",
    )
    event: str = _fact("The tournament", "Spring Cup")
    round: str = _fact("The round", "Final")
    place: str = _fact("Club or town", "Tartu")
    table: str = _fact("The table's name or number", "4")


@dataclass(frozen=True, slots=True)
class SeatsSection:
    """Who sits on each side. The lights show the play of an engine or of another table; people move its checkers."""

    light: SeatOf = seldom(
        SeatOf.PERSON,
        OneOf(SeatOf),
        "Who plays the light checkers: a person, an engine, or a person at another table.",
    )
    dark: SeatOf = seldom(SeatOf.PERSON, OneOf(SeatOf), "Who plays the dark checkers.")
    level: int = seldom(
        6,
        Number(1, 7, whole=True),
        "How strong the engine plays, 1 to 7; from 4 on it needs gnubg or bgsage.",
    )
    external: str = seldom(
        "",
        Text(least=0),
        "The address of an engine that plays instead, through the socket of GNU Backgammon's external players.",
        example="localhost:1234",
        otherwise="none",
    )
    code: str = seldom(
        "",
        Text(least=0),
        "The code that the other table shows; without one this table waits for the other, and shows a code.",
        example="192.168.1.20:8080/K7QFW2MXAB",
        otherwise="none",
    )
    address: str = seldom(
        "",
        Text(least=0),
        "By what the other table reaches this one, where it is not in the same network.",
        example="table.example.org:8080",
        otherwise="the address in the own network",
    )

    def remote_side(self) -> Side | None:
        """The side that plays at another table; None where both sit here. Raises ConfigError for both sides."""
        away = self._sides(SeatOf.REMOTE)
        if len(away) > 1:
            raise ConfigError('Only one side can play at another table; set the other one to "person".')
        return away[0] if away else None

    def engine_sides(self) -> tuple[Side, ...]:
        """The sides that an engine plays."""
        return self._sides(SeatOf.ENGINE)

    def external_engine(self) -> tuple[str, int] | None:
        """Host and port of an engine that plays through a socket; None if there is none. Raises ConfigError."""
        return _host_and_port("seats.external", self.external, "localhost:1234")

    def table_code(self) -> TableCode | None:
        """The code of the table that is called; None where this one waits. Raises CodeError."""
        return TableCode.read(self.code) if self.code else None

    def reached_at(self) -> tuple[str, int] | None:
        """Where other tables reach this one from afar; None for its own address. Raises ConfigError."""
        return _host_and_port("seats.address", self.address, "table.example.org:8080")

    def _sides(self, seat: SeatOf) -> tuple[Side, ...]:
        return tuple(side for side in Side if getattr(self, side) is seat)


def _host_and_port(key: str, address: str, example: str) -> tuple[str, int] | None:
    """The host and the port that a key names; None where it names none. Raises ConfigError."""
    if not address:
        return None
    host, _, port = address.rpartition(":")
    if not host or not re.fullmatch(PORT, port) or not 0 < int(port) < HIGHEST_PORT:
        raise ConfigError(f'{key} is "{address}"; give a host and a port, such as {example}.')
    return host, int(port)


@dataclass(frozen=True, slots=True)
class TableSection:
    """How the table is run."""

    ends: tuple[End, ...] = key(
        (),
        Several(OneOf(End), len(End)),
        "What ends a turn besides what the rules name; the button and the opponent's roll always do. `rest` is for "
        "casual play: the checkers have not moved for `rest_s` seconds.",
    )
    rest_s: float = key(4.0, Number(0.5, 60), "With `rest` in `ends`: seconds at rest that end a turn.")
    premature: Premature = seldom(
        Premature.STANDS,
        OneOf(Premature),
        "What becomes of a roll made before the opponent's turn was over; with `ask` the player who was cut short "
        "decides.",
    )
    consent: bool = seldom(
        False,
        Flag(),
        "Both players agree that the device tells them of illegal plays even where the rules leave that to the "
        "opponent.",
    )
    hint: int = key(
        0,
        Number(0, MOST_HINT, whole=True),
        "What a learner is shown: 0 nothing, 1 what can move, 2 where it can land, 3 the best play, 4 the best "
        "three. Only with rules that allow it, such as `teaching`.",
    )
    languages: tuple[str, ...] = key(
        ("en",),
        Several(OneOf(LANGUAGES), len(LANGUAGES), 1),
        "The languages of all messages, Light's first and then Dark's.",
    )


@dataclass(frozen=True, slots=True)
class ClockSection:
    """The tournament clock."""

    kind: ClockKind = key(
        ClockKind.NONE,
        OneOf(ClockKind),
        "`simple`: the reserve stands still for the delay. `bronstein`: it runs at once, and what was used of the "
        "delay is given back.",
    )
    reserve_s: float | None = seldom(
        None,
        Number(1, 86_399),
        "Seconds that each side has for the whole match.",
        example=1080,
        otherwise="`reserve_per_point_s` times the match's length",
    )
    reserve_per_point_s: float = key(
        120.0, Number(1, 3600), "Seconds that each side has for every point of the match."
    )
    delay_s: float = key(12.0, Number(0, 3600), "Seconds for each move.")
    low_s: float = seldom(
        60.0, Number(0, 3600), "A player with no more than this many seconds left is warned."
    )


def _pixels(words: str, check: Number, example: int) -> int | None:
    return seldom(None, check, words, example=example, otherwise="as the board file says")


@dataclass(frozen=True, slots=True)
class CameraSection:
    """The camera."""

    source: str = key(
        "auto",
        PLACE,
        "`auto` takes the first one that is plugged in. Otherwise a device (`/dev/v4l/by-id/...`, or a number), "
        "`picamera2` for the ribbon of a Raspberry Pi, the address of a stream (`http://...`, `rtsp://...`), "
        "`phone` for a phone that opens the page `/camera`, or a film.",
    )
    board: str = key(
        "board.toml", PLACE, "The board file that `pointsman calibrate board` made under this camera."
    )
    width: int | None = _pixels(
        "Width of the pictures in pixels; it must be that of the board file.",
        Number(160, 7680, whole=True),
        1280,
    )
    height: int | None = _pixels("Height of the pictures, likewise.", Number(120, 4320, whole=True), 720)
    fps: float = seldom(15.0, Number(1, 60), "Pictures a second; more take time and show no more.")
    lock: bool = seldom(
        True, Flag(), "Keep exposure, white balance and focus as they are once the camera has settled."
    )
    networks: NetworkRunner = seldom(
        NetworkRunner.OPENCV,
        OneOf(NetworkRunner),
        "What computes the networks that read the pictures. `onnxruntime` reads the same in two thirds of the time, "
        "and needs the extra of that name.",
    )


@dataclass(frozen=True, slots=True)
class BoardSection:
    """The board's electronics on their microcontroller."""

    port: str = key(
        "auto",
        PLACE,
        "`auto` finds the board at USB: it opens each port whose USB chip such boards have and that no other program "
        "holds. Many devices restart when their port is opened, a 3D printer too: where there is one, name the port "
        "(`/dev/serial/by-id/...`). `none` does without; `socket://host:port` and `unix:/path` are possible as well.",
    )


@dataclass(frozen=True, slots=True)
class DiceSection:
    """The dice."""

    source: DiceAt = key(
        DiceAt.CAMERA,
        OneOf(DiceAt),
        "What tells the rolls: the pictures, the board's own dice, a unit that writes lines of text, dice at the "
        "Pi's pins, GoDice or Pixels by Bluetooth, or a plug-in.",
    )
    port: str = seldom(
        "",
        PLACE,
        "With `text`: the dice unit's port (`/dev/serial/by-id/...`), `socket://host:port`, a topic at a broker "
        "(`mqtt://host/topic`), or `-` for standard input.",
        example="/dev/ttyUSB1",
        otherwise="none",
    )
    baud: int = seldom(
        9600,
        Number(50, 4_000_000, "bits a second", whole=True),
        "With `text`: the rate of its port, as the unit's maker or its program says. At a wrong rate only rubbish "
        "comes, and that is told.",
    )
    dtr: bool = seldom(
        True,
        Flag(),
        "With `text`: keep the line DTR of its port raised. Some units get their power from it; many restart when it "
        "goes up, and `false` spares them most of that.",
    )
    pattern: str = seldom(
        USUAL_PATTERN,
        Text(300, "a regular expression"),
        "With `text`: what its lines look like: the name of a pattern that `pointsman dice patterns` lists, or a "
        "regular expression, whose groups `first` and `second` are two dice, of which a line may tell one; `die` is "
        "one die, and `name` beside it says which.",
    )
    light: tuple[str, ...] = seldom(
        (),
        Several(Text(60, "a die"), 2, 2),
        "The two dice of Light's own, where each side has a pair: for `bluetooth` by their names "
        "or addresses, for `text` and a plug-in by the names that the unit gives them.",
        example=["A", "B"],
        otherwise="no dice of Light's own",
    )
    dark: tuple[str, ...] = seldom(
        (), Several(Text(60, "a die"), 2, 2), "Dark's, likewise.", example=["C", "D"], otherwise="none"
    )
    shared: tuple[str, ...] = seldom(
        (),
        Several(Text(60, "a die"), 2, 2),
        "The two dice that both sides use, likewise; in the opening roll the first one is Light's.",
        example=["E", "F"],
        otherwise="all dice of the unit",
    )
    first: tuple[int, ...] = seldom(
        (17, 27, 22), Several(PIN, 3, 3), "With `pins`: GPIO numbers of the first die's lines for 1, 2 and 4."
    )
    second: tuple[int, ...] = seldom((23, 24, 25), Several(PIN, 3, 3), "The same for the second die.")
    ready: int = seldom(4, PIN, "With `pins`: the line that is high while both dice lie still.")
    plugin: str = seldom("", PLACE, PLUGIN_WORDS, example="mydice:AA:BB:CC:DD:EE:FF", otherwise="none")


def _button(button: Button, words: str, pin: int) -> int | None:
    words = f"{words} (button `{button.name.lower()}`)."
    return seldom(None, PIN, words, example=pin, otherwise="no such button at the Pi")


@dataclass(frozen=True, slots=True)
class ButtonsSection:
    """Buttons at the pins of a Raspberry Pi, by their GPIO numbers. Those of the board need no lines here."""

    roll: int | None = _button(Button.ROLL, "Roll the electronic dice", 5)
    clock_light: int | None = _button(Button.CLOCK_LIGHT, "Light's plunger of the clock", 6)
    clock_dark: int | None = _button(Button.CLOCK_DARK, "Dark's plunger of the clock", 13)
    double: int | None = _button(Button.DOUBLE, "Offer a double", 19)
    take: int | None = _button(Button.TAKE, "Take the double", 26)
    drop: int | None = _button(Button.DROP, "Pass the double", 16)
    pause: int | None = _button(Button.PAUSE, "Pause, and go on", 20)
    done: int | None = _button(Button.DONE, "End the turn", 21)


def _learned(button: Button, words: str) -> str:
    words = f"{words} (button `{button.name.lower()}`)."
    return seldom(
        "",
        Text(200, "a key", 0),
        words,
        example=f"KEY_F{button + 1} 046d:c52d Logitech R400",
        otherwise="no such key",
    )


@dataclass(frozen=True, slots=True)
class KeysSection:
    """Keys of USB keyboards, foot switches and presenters as buttons; the set-up page learns them.

    A key is written by its name, who made the device, and what that calls itself. Where two devices of the same make
    are there, the port of one stands between, in brackets.
    """

    roll: str = _learned(Button.ROLL, "Roll the electronic dice")
    clock_light: str = _learned(Button.CLOCK_LIGHT, "Light's plunger of the clock")
    clock_dark: str = _learned(Button.CLOCK_DARK, "Dark's plunger of the clock")
    double: str = _learned(Button.DOUBLE, "Offer a double")
    take: str = _learned(Button.TAKE, "Take the double")
    drop: str = _learned(Button.DROP, "Pass the double")
    pause: str = _learned(Button.PAUSE, "Pause, and go on")
    done: str = _learned(Button.DONE, "End the turn")
    grab: bool = seldom(
        False,
        Flag(),
        "Take these devices for the table alone: what is pressed there is typed nowhere else. Without it, a keyboard "
        "beside a browser presses twice.",
    )


@dataclass(frozen=True, slots=True)
class LightsSection:
    """The lights under the points."""

    source: LightsAt = key(
        LightsAt.BOARD,
        OneOf(LightsAt),
        "What drives them: the board's electronics, a strip or shift registers at the Pi, a WLED, a plug-in, or "
        "nothing.",
    )
    brightness: float = key(0.5, Number(0, 1), "How bright they are.")
    night: float = seldom(0.08, Number(0, 1), "How bright they are in a dark room.")
    dark_room: bool = seldom(False, Flag(), "The room is dark: `night` holds instead of `brightness`.")
    limit_ma: int | None = seldom(
        None,
        Number(100, 2500, whole=True),
        "What all of them may draw, in mA; supply and fuse decide that. The board is told it at every connection, "
        "and its lights stay dark until it has accepted it.",
        example=500,
        otherwise="what the board keeps (500 as delivered); 500 for a strip at the Pi",
    )
    device: str = seldom("/dev/spidev0.0", PLACE, "With `strip`: the SPI device.")
    colours: ColourOrder = seldom(
        ColourOrder.GRB,
        OneOf(ColourOrder),
        "With `board` and `strip`: the order in which the lamps take their colours; WS2812B and SK6812 take `grb`, "
        "WS2811 and some others `rgb`; SK6812 with a white LED as well takes `grbw`, others of that kind `rgbw`.",
    )
    address: str = seldom(
        "auto",
        PLACE,
        "With `wled`: its name or address in the network (`wled-kitchen.local`, `192.168.1.30`); `auto` takes the "
        "only one that is there.",
    )
    pixels: int = seldom(
        1,
        Number(1, 50, whole=True),
        "With `wled`: how many pixels lie under each place, one after the other along the drawn strip. What the "
        "set-up page found out stands in the board file, and holds instead.",
    )
    data: int = seldom(10, PIN, "With `leds`: GPIO number of the data line.")
    clock: int = seldom(11, PIN, "With `leds`: the clock line.")
    latch: int = seldom(8, PIN, "With `leds`: the latch line.")
    enable: int = seldom(
        7, PIN, "With `leds`: the line to the registers' OE, which is high until the lights are lit."
    )
    registers: int = seldom(4, Number(1, 8, whole=True), "With `leds`: how many shift registers there are.")
    plugin: str = seldom("", PLACE, PLUGIN_WORDS, example="mylamps:192.168.1.30", otherwise="none")


@dataclass(frozen=True, slots=True)
class SpeechSection:
    """What is said aloud, and the short sounds."""

    use: bool = key(
        False,
        Flag(),
        "Say aloud at the table what happens; `install.sh --speech` installs what that needs.",
    )
    topics: tuple[SpokenTopic, ...] = seldom(
        tuple(SpokenTopic),
        Several(OneOf(SpokenTopic), len(SpokenTopic)),
        "What is said, at the table and by pages that read aloud, as far as the rules of the match allow it.",
    )
    sounds: bool = seldom(
        True, Flag(), "Make short sounds too: for a legal play, an illegal one, and little time left."
    )
    volume: float = seldom(0.8, Number(0, 1), "How loud voice and sounds are.")
    language: str | None = seldom(
        None,
        OneOf(SPOKEN),
        "The language that is spoken at the table.",
        example="en",
        otherwise="the first of `table.languages`",
    )
    voice: str = seldom(
        "",
        PLACE,
        "A voice of espeak-ng; `espeak-ng --voices` lists them.",
        example="en-us+f3",
        otherwise="that of the language",
    )
    command: str = seldom(
        "",
        Text(300, "a command", 0),
        "A program of your own that speaks, with its arguments. It gets the text at its standard input; `{language}` "
        "and `{volume}` (0 to 100) are filled in.",
        example="/usr/local/bin/speak --language {language}",
        otherwise="espeak-ng",
    )
    output: str = seldom(
        "",
        PLACE,
        "The sound device, as `aplay -L` lists it.",
        example="plughw:CARD=Headphones",
        otherwise="the usual one of the machine",
    )


@dataclass(frozen=True, slots=True)
class RecordSection:
    """Where the match is written down."""

    folder: str = key("matches", PLACE, "Folder for matches, each with a folder of its own.")
    evidence_mb: int = seldom(
        2000,
        Number(0, 1_000_000, whole=True),
        "Megabytes of pictures that are kept of a match as evidence; the least important go first, 0 keeps none.",
    )


@dataclass(frozen=True, slots=True)
class WebSection:
    """The pages in the browser."""

    use: bool = key(
        True,
        Flag(),
        "Show the table in the browser: set-up, board, director and spectators. The address is printed.",
    )
    open: bool | None = key(
        None,
        Flag(),
        "Phones and other machines in the network may open the pages by https, too.",
        example=False,
        otherwise="closed; but a new table lets in the phone that brings its code, and is open then",
    )
    port: int = seldom(
        8080, Number(0, 65_535, whole=True), "The port of the pages; 0 takes any that is free."
    )
    names: tuple[str, ...] = seldom(
        (),
        Several(Text(200, "a name"), 20),
        "More names by which this machine is reached, such as `table4.local`.",
    )
    delay_s: float = seldom(
        0.0, Number(0, 3600), "By how many seconds spectators and the stream see everything later."
    )


@dataclass(frozen=True, slots=True)
class ClubSection:
    """A club with many tables; `pointsman pair` writes this section."""

    use: bool = seldom(
        False, Flag(), "Send what happens at this table to the hub of a club, and take its commands."
    )
    hub: str = seldom(
        "",
        Text(200, "an address", 0),
        "Where the hub listens for tables: its name or number, and the port.",
        example="192.168.1.20:8883",
        otherwise="needed with `use`",
    )
    club: str = seldom(
        "",
        Text(32, "a name of small letters, digits and hyphens", 0),
        "The club's name.",
        example="tartu",
        otherwise="needed with `use`",
    )
    table: str = seldom(
        "",
        Text(32, "a name of small letters, digits and hyphens", 0),
        "This table's name in the club; no two tables share one.",
        example="table-7",
        otherwise="needed with `use`",
    )
    title: str = seldom(
        "", Text(60, "a name", 0), "What people call the table.", example="Table 7", otherwise="its name"
    )
    credentials: str = seldom(
        "club.json", PLACE, "The file that holds what the table logs in with; `pointsman pair` makes it."
    )


@dataclass(frozen=True, slots=True)
class EngineSection:
    """The program that knows best plays."""

    use: Engine = key(
        Engine.AUTO,
        OneOf(Engine),
        "`auto` takes bgsage or gnubg, whichever is installed. It runs only where the rules allow help.",
    )


@dataclass(frozen=True, slots=True)
class LogSection:
    """What the program writes of itself, for whoever keeps the table."""

    level: LogLevel = seldom(
        LogLevel.INFO,
        OneOf(LogLevel),
        "How much is written into the log: `debug` is for looking for a fault. The signal SIGUSR1 turns `debug` on "
        "while it runs, and off again.",
    )
