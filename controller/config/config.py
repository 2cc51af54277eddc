"""The configuration of one table, read from one TOML file; whatever it leaves out has a default."""

import shlex
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, is_dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, get_type_hints

from controller.club.membership import Credentials, Membership
from controller.club.topics import TableAddress
from controller.club.transport import BrokerAddress
from controller.config.error import ConfigError
from controller.config.sections import (
    BoardSection,
    ButtonsSection,
    CameraSection,
    ClockKind,
    ClockSection,
    ClubSection,
    DiceAt,
    DiceSection,
    EngineSection,
    KeysSection,
    LightsAt,
    LightsSection,
    LogSection,
    MatchSection,
    RecordSection,
    SeatsSection,
    SpeechSection,
    TableSection,
    WebSection,
)
from controller.devices import Button, StripOrder
from controller.devices.camera.camera import Wish
from controller.devices.camera.choice import is_film
from controller.devices.dice.lines import way_to
from controller.devices.dice.patterns import find_pattern
from controller.devices.dice.textline import LinePattern
from controller.devices.keys.learned import LearnedKey
from controller.devices.lights.palette import Dimming
from controller.devices.link.messages import BoardSettings
from controller.devices.voice.voice import VoicePrograms
from controller.errors import UserError
from controller.referee import Caution, DiceFrom, Settings
from controller.referee.table.settings import End
from controller.rules import Form, Profile, Terms, load_profile
from controller.rules.game.clock import ClockError, Delay, TimeControl
from controller.rules.profile.catalogue import SUFFIX
from controller.speech.spoken import spoken_language
from controller.tomlfile.checks import Key, keys_of
from controller.tomlfile.document import Document, parse_document, read_text

NAME: Final = "pointsman.toml"
"""The file that is read if none is named."""
NONE: Final = "none"
USUAL_SIZE: Final = (1280, 720)
"""Width and height of the pictures where neither configuration nor board file says it."""


@dataclass(frozen=True, slots=True)
class Config:
    """Everything that can be configured. Paths in it are relative to `folder`; the methods resolve them.

    Attributes:
        label: what messages call the file, empty if none was read.
        folder: where the file lies.
        caution: how careful the referee is, without the rules of movement.
        ignored: keys in the file that did something in earlier versions and do nothing any more.
    """

    label: str = ""
    folder: Path = field(default_factory=Path)
    match: MatchSection = field(default_factory=MatchSection)
    seats: SeatsSection = field(default_factory=SeatsSection)
    table: TableSection = field(default_factory=TableSection)
    clock: ClockSection = field(default_factory=ClockSection)
    camera: CameraSection = field(default_factory=CameraSection)
    board: BoardSection = field(default_factory=BoardSection)
    dice: DiceSection = field(default_factory=DiceSection)
    buttons: ButtonsSection = field(default_factory=ButtonsSection)
    keys: KeysSection = field(default_factory=KeysSection)
    lights: LightsSection = field(default_factory=LightsSection)
    speech: SpeechSection = field(default_factory=SpeechSection)
    record: RecordSection = field(default_factory=RecordSection)
    engine: EngineSection = field(default_factory=EngineSection)
    web: WebSection = field(default_factory=WebSection)
    club: ClubSection = field(default_factory=ClubSection)
    log: LogSection = field(default_factory=LogSection)
    caution: Caution = field(default_factory=Caution)
    ignored: tuple[str, ...] = ()

    def profiles(self) -> tuple[Profile, ...]:
        """The rules of the games in turn. Raises UserError for a profile that cannot be read."""
        usual = "standard-money" if self.match.form is Form.MONEY else "standard-match"
        return tuple(load_profile(self._profile(name)) for name in self.match.profile or (usual,))

    def terms(self) -> Terms:
        """What is agreed before the first roll. Raises UserError if it cannot be played like that."""
        profiles = self.profiles()
        if self.match.form is Form.SERIES:
            return Terms.series(self.match.length, *profiles)
        if self.match.form is Form.MONEY:
            return Terms.money(profiles[0])
        return Terms.match(profiles[0], self.match.length)

    def settings(self) -> Settings:
        """How the table's referee is set. Raises UserError as `terms` does."""
        terms, remote = self.terms(), self.seats.remote_side()
        return Settings(
            terms,
            clock=self.clock.kind is not ClockKind.NONE,
            dice=DiceFrom.CAMERA if self.dice.source is DiceAt.CAMERA else DiceFrom.ELECTRONIC,
            ends=frozenset(self.table.ends) | self._ends_alone(),
            rest_s=self.table.rest_s,
            premature=self.table.premature,
            consent=self.table.consent,
            hint=self.table.hint,
            remote=remote,
            caution=replace(self.caution, rules=terms.profiles[0].movement),
        )

    def _ends_alone(self) -> frozenset[End]:
        """What else ends a turn where the opponent's roll, at another table, cannot: the board lies still."""
        lifted = self.dice.source is DiceAt.CAMERA
        alone = self.seats.remote_side() is not None and not lifted and self.clock.kind is ClockKind.NONE
        return frozenset({End.REST}) if alone else frozenset()

    def time_control(self) -> TimeControl | None:
        """The clock's times, None without a clock. Raises ClockError if there is no reserve to give."""
        if self.clock.kind is ClockKind.NONE:
            return None
        reserve = self.clock.reserve_s
        if reserve is None and self.match.form is not Form.MONEY:
            reserve = self.clock.reserve_per_point_s * self.match.length
        if reserve is None:
            raise ClockError(
                "A money session has no length to reckon the clock's reserve by; give clock.reserve_s."
            )
        return TimeControl(reserve, self.clock.delay_s, Delay(self.clock.kind.value), self.clock.low_s)

    def wish(self, size: tuple[int, int] | None, lens_position: float | None = None) -> Wish:
        """How the camera is to be run.

        Args:
            size: width and height in pixels that the board file is for, None without one.
            lens_position: where the board file says that the lens was held, in dioptres; it is held there again, if
                the camera is locked.
        """
        known = size or USUAL_SIZE
        wanted = (self.camera.width or known[0], self.camera.height or known[1])
        source = self.camera.source
        if is_film(source):
            source = str(self.folder / source)
        held = lens_position if self.camera.lock else None
        return Wish(
            source, wanted, self.camera.fps, self.camera.lock, held, still=self.dice.source is DiceAt.CAMERA
        )

    def board_file(self) -> Path:
        """The board file's path."""
        return self.folder / self.camera.board

    def record_folder(self) -> Path:
        """Where matches go."""
        return self.folder / self.record.folder

    def membership(self) -> Membership | None:
        """The club that the table belongs to; None if it belongs to none.

        Raises:
            UserError: if what it logs in with cannot be read.
        """
        if not self.club.use:
            return None
        told = Credentials.read(self.credentials_file())
        broker = replace(
            BrokerAddress.parse(self.club.hub),
            user=told.user,
            password=told.password,
            authority=told.authority,
        )
        return Membership(
            TableAddress(self.club.club, self.club.table),
            broker,
            told.hub_key,
            self.club.title or self.club.table,
        )

    def credentials_file(self) -> Path:
        """Where it lies what the table logs in to its club's hub with."""
        return self.folder / self.club.credentials

    def port(self) -> str | None:
        """The port of the board's electronics or `auto`, None if there are none."""
        return None if self.board.port == NONE else self.board.port

    def dice_port(self) -> str:
        """The port of a dice unit of another maker, empty without one."""
        return self.dice.port if self.dice.source is DiceAt.TEXT else ""

    def lights_at(self) -> LightsAt:
        """What the lights hang on: nothing if it is a board that is not there."""
        absent = self.lights.source is LightsAt.BOARD and self.port() is None
        return LightsAt.NONE if absent else self.lights.source

    def dimming(self) -> Dimming:
        """How bright the lights are."""
        told = Dimming(self.lights.brightness, self.lights.night)
        return told if self.lights.limit_ma is None else replace(told, limit_ma=self.lights.limit_ma)

    def board_settings(self, kept: BoardSettings, order: StripOrder | None) -> BoardSettings:
        """What the board's chip is to keep, from what it keeps now.

        The limit is `lights.limit_ma`, if that is told; `lights.colours` tells of white LEDs. The status lamp lies
        where the board file's ``order`` of the lamps says, and there are at least as many lamps as it names. All else
        stays.
        """
        if self.lights_at() is not LightsAt.BOARD:
            return kept
        wanted = replace(kept, white=self.lights.colours.has_white)
        if self.lights.limit_ma is not None:
            wanted = replace(wanted, limit_ma=self.lights.limit_ma)
        if order is None:
            return wanted
        return replace(wanted, lamps=max(kept.lamps, order.count), status_lamp=order.lamps.get("status"))

    def spoken_language(self) -> str:
        """The language that is spoken at the table."""
        return spoken_language(self.speech.language or self.table.languages[0])

    def voice_programs(self) -> VoicePrograms:
        """What speaks, and how loud."""
        told = self.speech
        return VoicePrograms(told.command, told.voice, told.output, told.volume)

    def button_pins(self) -> dict[Button, int]:
        """The buttons at the Pi's pins, by their GPIO numbers."""
        pins = {button: getattr(self.buttons, button.name.lower()) for button in Button}
        return {button: pin for button, pin in pins.items() if pin is not None}

    def button_keys(self) -> dict[Button, LearnedKey]:
        """The keys that are buttons. Raises LearnedKeyError for one that is written wrongly."""
        told = {button: getattr(self.keys, button.name.lower()) for button in Button}
        return {button: LearnedKey.from_text(text) for button, text in told.items() if text}

    def pins(self) -> list[tuple[str, int]]:
        """Every key that takes a pin of the Pi, with its GPIO number."""
        used = [(f"buttons.{button.name.lower()}", pin) for button, pin in self.button_pins().items()]
        if self.dice.source is DiceAt.PINS:
            used += [("dice.first", pin) for pin in self.dice.first]
            used += [("dice.second", pin) for pin in self.dice.second]
            used.append(("dice.ready", self.dice.ready))
        if self.lights.source is LightsAt.LEDS:
            used += [
                (f"lights.{line}", getattr(self.lights, line))
                for line in ("data", "clock", "latch", "enable")
            ]
        return used

    def _profile(self, name: str) -> str:
        """A profile's name, or the path of its file."""
        path = Path(name)
        is_file = path.suffix == SUFFIX or len(path.parts) > 1
        return str(self.folder / path) if is_file else name


SECTIONS: Final[Mapping[str, Any]] = MappingProxyType(
    {name: hint for name, hint in get_type_hints(Config).items() if is_dataclass(hint)}
)
"""The dataclass of each section."""


def all_keys() -> Mapping[str, tuple[Key, ...]]:
    """The keys of every section, in their order."""
    return {name: tuple(keys_of(section)) for name, section in SECTIONS.items()}


def load_config(path: Path | None = None) -> Config:
    """The configuration in a file; without one that of `pointsman.toml` in the current folder, if there is one.

    Raises:
        ConfigError: for a file that cannot be read, an unknown section or key, a value that cannot be, or values that
            contradict each other; the sentence names the file, the line and the remedy.
    """
    if path is None:
        path = Path(NAME)
        if not path.exists():
            return Config()
    elif not path.exists():
        raise ConfigError(
            f"{path}: there is no such file; `pointsman config` prints an example to begin with."
        )
    text = read_text(path, ConfigError, "name a configuration file")
    return parse_config(text, str(path), path.parent)


def parse_config(text: str, label: str, folder: Path) -> Config:
    """The configuration that a TOML text tells. Raises ConfigError as `load_config` does."""
    toml = parse_document(text, label, ConfigError, SECTIONS)
    sections = {}
    for name, section in SECTIONS.items():
        checks = {key.name: key.check for key in keys_of(section)}
        retired = Caution.RETIRED if section is Caution else frozenset()
        sections[name] = section(**toml.section(name, checks, prefix=f"{name}.", retired=retired))
    ignored = tuple(f"caution.{name}" for name in toml.data.get("caution", {}) if name in Caution.RETIRED)
    config = Config(label=label, folder=folder, ignored=ignored, **sections)
    _check(config, toml)
    return config


def _check(config: Config, toml: Document) -> None:
    """Refuse what each key by itself allows and all together do not."""
    _check_terms(config, toml)
    with _blaming(toml, "clock.kind"):
        config.time_control()
    if config.dice.source is DiceAt.BOARD and config.port() is None:
        raise toml.fault(
            "dice.source",
            'dice.source is "board", but board.port is "none"; name the board\'s port, or other dice.',
        )
    for section, source, plugin in (
        ("dice", config.dice.source, config.dice.plugin),
        ("lights", config.lights.source, config.lights.plugin),
    ):
        if source == "plugin" and not plugin:
            raise toml.fault(
                f"{section}.source",
                f'{section}.source is "plugin", so {section}.plugin has to name the plug-in.',
            )
    if config.dice.source is DiceAt.TEXT:
        if not config.dice.port:
            raise toml.fault(
                "dice.source", 'dice.source is "text", so dice.port has to name the port of the dice unit.'
            )
        with _blaming(toml, "dice.pattern"):
            LinePattern(find_pattern(config.dice.pattern))
        with _blaming(toml, "dice.port"):
            way_to(config.dice.port)
    _check_sets(config.dice, toml)
    try:
        shlex.split(config.speech.command)
    except ValueError:
        raise toml.fault(
            "speech.command",
            "speech.command has a quotation mark that is not closed; write it as in a shell.",
        ) from None
    _check_pins(config, toml)
    _check_keys(config, toml)
    _check_club(config, toml)
    _check_seats(config, toml)


@contextmanager
def _blaming(toml: Document, key: str) -> Iterator[None]:
    """Say which key it is that something is wrong with."""
    try:
        yield
    except UserError as error:
        raise toml.fault(key, str(error)) from None


def _check_sets(dice: DiceSection, toml: Document) -> None:
    """Refuse a set without its other one, a die in two sets, and dice with Bluetooth that are not named."""
    if bool(dice.light) != bool(dice.dark):
        lacking = "dark" if dice.light else "light"
        raise toml.fault(
            f"dice.{'light' if dice.light else 'dark'}",
            f"One side has dice of its own, so name those of the other side, too: dice.{lacking}.",
        )
    named = [die.casefold() for die in (*dice.light, *dice.dark, *dice.shared)]
    twice = next((die for die in named if named.count(die) > 1), None)
    if twice is not None:
        raise toml.fault(
            "dice.shared" if dice.shared else "dice.dark",
            f'The die "{twice}" is named twice; each has one place.',
        )
    if dice.source is DiceAt.BLUETOOTH and not named:
        raise toml.fault(
            "dice.source",
            'dice.source is "bluetooth", so name two dice in dice.shared, or two each in dice.light and dice.dark.',
        )


def _check_keys(config: Config, toml: Document) -> None:
    """Refuse keys that are written wrongly, and one key for two buttons."""
    owner: dict[LearnedKey, str] = {}
    for button in Button:
        name = button.name.lower()
        if not (text := getattr(config.keys, name)):
            continue
        with _blaming(toml, f"keys.{name}"):
            key = LearnedKey.from_text(text).bare
        if key in owner:
            raise toml.fault(
                f"keys.{name}",
                f"keys.{owner[key]} and keys.{name} are the same key; give each one of its own.",
            )
        owner[key] = name


def _check_seats(config: Config, toml: Document) -> None:
    for key, check in (
        ("seats.external", config.seats.external_engine),
        ("seats.dark", config.seats.remote_side),
        ("seats.code", config.seats.table_code),
        ("seats.address", config.seats.reached_at),
    ):
        with _blaming(toml, key):
            check()


def _check_club(config: Config, toml: Document) -> None:
    if not config.club.use:
        return
    for name in ("hub", "club", "table"):
        if not getattr(config.club, name):
            raise toml.fault(
                "club.use", f"club.use is true, but club.{name} is not told; pointsman pair writes it."
            )
    with _blaming(toml, "club.hub"):
        BrokerAddress.parse(config.club.hub)
    with _blaming(toml, "club.table"):
        TableAddress(config.club.club, config.club.table)


def _check_terms(config: Config, toml: Document) -> None:
    at = "match.profile" if "profile" in toml.data.get("match", {}) else "match.form"
    with _blaming(toml, at):
        terms = config.settings().terms
    if len(config.match.profile) > 1 and config.match.form is not Form.SERIES:
        raise toml.fault(
            at, 'several profiles take turns in a series only; name one, or set match.form = "series".'
        )
    aids = all(profile.conduct.shows_landing_points() for profile in terms.profiles)
    if config.table.hint and not aids:
        raise toml.fault(
            "table.hint",
            f"table.hint is {config.table.hint}, but the rules {terms.profiles[0].name} allow no aids; set it to 0, "
            'or choose a profile with assist.leds = "teach".',
        )


def _check_pins(config: Config, toml: Document) -> None:
    twice = pin_used_twice(config)
    if twice is not None:
        raise toml.fault(*twice)


def pin_used_twice(config: Config) -> tuple[str, str] | None:
    """A key whose pin of the Pi another key uses too, and a sentence about both; None if each has its own."""
    owner: dict[int, str] = {}
    for key, pin in config.pins():
        if pin in owner:
            return key, f"{key} and {owner[pin]} both use pin {pin}; give each a pin of its own."
        owner[pin] = key
    return None
