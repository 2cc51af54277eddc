"""Set-up at a real table: its devices by name, the board under its camera, lamps and dice tried, the match begun."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from calibration.boardfile import save_board
from calibration.finder import Quadrant
from controller.app.fitting.dice_search import DiceSearch
from controller.app.fitting.firmware import FirmwareErrand
from controller.app.fitting.keeping import SETTINGS, Keeping, settings_of
from controller.app.fitting.keys import KeyFitting
from controller.app.fitting.lamp_search import LampSearch, LampTable
from controller.app.fitting.updating import UpdateErrand
from controller.app.inbox import NotTakenError
from controller.app.room import Room
from controller.arrays import FloatArray
from controller.config import Config
from controller.config.config import NONE
from controller.config.dice import owners_of
from controller.config.sections import DiceAt, DiceSection, LightsAt, MatchSection, SeatOf
from controller.config.writing import Value, Values
from controller.devices import LightFrame
from controller.devices.camera.choice import AUTO, PHONE, RIBBON, cameras
from controller.devices.camera.status import CameraState
from controller.devices.dice.lines import way_to
from controller.devices.dice.patterns import find_pattern
from controller.devices.dice.textline import LinePattern
from controller.devices.firmware.image import FirmwareImage, ImageError, released_images
from controller.devices.lights.backends import Lights
from controller.devices.link.status import LinkState
from controller.devices.link.transport import candidates, likely_ports, other_ports
from controller.devices.names import plain_name
from controller.errors import UserError
from controller.messages.device_words import flash_words, program_words, status_words, update_words
from controller.messages.profile_words import title
from controller.messages.table_words import roll_words
from controller.record.journal.delivery import replace_file
from controller.referee import Event, RollReported
from controller.referee.table.lamps import LANDINGS
from controller.rules import Form, Profile, Roll, Side, load_profile
from controller.rules.profile.catalogue import profile_names
from controller.vision import Board, Reading
from controller.vision.board import dump_board
from controller.web.setup.aiming import Aiming
from controller.web.setup.lamp_walk import lamp_walk
from controller.web.setup.set_up import (
    DiceChoice,
    LightsChoice,
    MatchPlan,
    Named,
    SetUpView,
    Trial,
    TrialState,
    VoiceChoice,
)
from controller.web.table_service import Glimpse, Reply

LEARNING: Final = ("teaching", "teaching-money")
"""The rules for people who learn: of a match, and of a money session."""
ASK_S: Final = 5.0
"""How long the thread that steps the table is waited for."""
PAIR: Final = 2
"""Dice of a roll."""


class RoomSetUp:
    """Sets up the table of one room; `SetUp` is for any thread, `Waiting` for the one that steps."""

    def __init__(self, room: Room, keeping: Keeping | None = None) -> None:
        """Nothing was chosen or tried yet; ``keeping`` writes what is chosen into the configuration."""
        self._room, self._clock = room, room.clock
        self._keeping = keeping or Keeping(room, None)
        self._aiming = Aiming(room.glimpse, self._keep, read=room.read)
        self._plan = plan_of(room.config)
        self._lit_s: float | None = None
        self._lights_done = False
        self._dice = Trial(TrialState.READY)
        self._lamps = LampSearch(room.glimpse, lambda: room.electronics.lights, self._keep_lamps)
        self._firmware = FirmwareErrand(_released())
        self._search = DiceSearch(room)
        self._keys = KeyFitting(room, lambda values: self._keeping.keep(values, "keys"))
        self._updates = UpdateErrand(room.config.folder)
        room.waiting = self

    def view(self) -> SetUpView:
        """See `SetUp`."""
        room, config = self._room, self._room.config
        camera, link, unit = room.camera_status, room.link_status, room.electronics.dice_status
        dice, speech = config.dice, config.speech
        return SetUpView(
            table=config.match.table,
            cameras=_named((AUTO, *cameras(), RIBBON, PHONE), config.camera.source),
            camera=config.camera.source,
            camera_ready=camera is not None and camera.state is CameraState.OK,
            camera_words=program_words("camera_starts") if camera is None else status_words(camera),
            ports=_named((AUTO, NONE, *candidates()), config.board.port),
            port=config.board.port,
            port_ready=link is not None and link.state is LinkState.READY,
            port_words=None if link is None or config.port() is None else status_words(link),
            board_known=room.board is not None,
            aiming=self._aiming.view(),
            lights=self._lights(),
            dice=self._dice,
            plan=self._plan,
            profiles=tuple(_rules(load_profile(name)) for name in profile_names()),
            dice_choice=DiceChoice(
                dice.source,
                dice.port,
                dice.baud,
                dice.dtr,
                dice.pattern,
                **(_sets_of(dice) if dice.source is DiceAt.BLUETOOTH else {}),
            ),
            dice_found=self._search.view(),
            dice_ports=candidates(),
            dice_words=None if unit is None else status_words(unit),
            lights_choice=LightsChoice(config.lights.source, config.lights.address),
            lights_words=None if (stood := room.electronics.lights_status) is None else status_words(stood),
            settings=settings_of(config),
            lamp_search=self._lamps.view() if room.board is not None else Trial(),
            firmware=self._firmware_view(),
            keys=self._keys.view(),
            updates=self._updates.view(),
            voice=VoiceChoice(speech.use, speech.sounds, speech.volume, speech.language or ""),
            playing=room.playing,
        )

    def choose_camera(self, key: str) -> Reply:
        """See `SetUp`."""
        self._aiming.end()
        used = self._do(lambda: self._room.use_camera(key))
        return Reply(True, self._keeping.keep({"camera": {"source": key}})) if used.done else used

    def choose_port(self, key: str) -> Reply:
        """See `SetUp`."""
        if self._firmware.running:
            return Reply(False, program_words("firmware_running"))
        used = self._do(lambda: self._room.use_port(key))
        return Reply(True, self._keeping.keep({"board": {"port": key}})) if used.done else used

    def glimpse(self) -> Glimpse | None:
        """See `SetUp`."""
        return self._room.glimpse()

    def find(self, corners: FloatArray | None, light_home: Quadrant | None) -> Reply:
        """See `SetUp`."""
        if self._room.playing:
            return Reply(False, program_words("match_on"))
        if not self._aiming.find(corners, light_home):
            return Reply(False, program_words("no_picture"))
        self._room.calibrate(True)
        return Reply(True)

    def end_search(self) -> Reply:
        """See `SetUp`."""
        self._aiming.end()
        self._room.calibrate(False)
        return Reply(True)

    def read(self) -> tuple[Glimpse, Board, Reading] | None:
        """See `SetUp`."""
        room = self._room
        if room.playing and room.board is not None:
            glimpse = room.glimpse()
            read = None if glimpse is None else glimpse.reading
            return None if glimpse is None or read is None else (glimpse, room.board, read)
        return self._aiming.read(room.board)

    def confirm(self) -> Reply:
        """See `SetUp`."""
        try:
            board = self._aiming.confirm()
        except UserError as error:
            return Reply.refusing(error)
        if board is None:
            return Reply(False, program_words("no_board"))
        self._room.calibrate(False)
        return Reply(True)

    def try_lights(self) -> Reply:
        """See `SetUp`."""

        def begin() -> Reply:
            if self._room.playing:
                return Reply(False, program_words("match_on"))
            if type(self._room.electronics.lights) is Lights:
                return Reply(False, program_words("no_lights"))
            self._lit_s = self._clock()
            return Reply(True)

        return self._do(begin)

    def choose_lights(self, choice: LightsChoice) -> Reply:
        """See `SetUp`."""
        lights = replace(self._room.config.lights, source=LightsAt(choice.source), address=choice.address)
        if self._lamps.running:
            return Reply(False, program_words("lamps_running"))
        used = self._do(lambda: self._room.use_lights(lights))
        if not used.done:
            return used
        values: dict[str, Value] = {"source": str(lights.source)}
        if lights.source is LightsAt.WLED:
            values["address"] = lights.address
        return Reply(True, self._keeping.keep({"lights": values}, "lights"))

    def find_lamps(self) -> Reply:
        """See `SetUp`."""
        room = self._room
        if room.playing:
            return Reply(False, program_words("match_on"))
        if room.board is None:
            return Reply(False, program_words("no_board"))
        if not room.electronics.lights.lamps:
            return Reply(False, program_words("no_lights"))
        if not self._lamps.running:
            self._lit_s, room.hold = None, program_words("lamps_running")
            several = room.config.lights_at() is LightsAt.WLED
            self._lamps.begin(room.board, self._let_play, several=several)
        return Reply(True)

    def write_firmware(self) -> Reply:
        """See `SetUp`."""
        if self._room.playing:
            return Reply(False, program_words("match_on"))
        if self._firmware.running or self._firmware.view().state is TrialState.ABSENT:
            return Reply(self._firmware.running)
        ports = self._firmware_ports()
        if len(ports) != 1:
            entry = "many_ports" if ports else "no_port"
            return Reply(False, flash_words("text", entry, **({"ports": ", ".join(ports)} if ports else {})))
        before = self._room.config.board.port
        # The table lets go of the port meanwhile: two programs at one port would spoil both.
        freed = self._do(lambda: self._room.use_port(NONE))
        if freed.done:
            self._room.hold = program_words("firmware_running")
            self._firmware.begin(ports[0], lambda: self._use_again(before))
        return freed

    def ask_update(self, what: str) -> Reply:
        """See `SetUp`."""
        if self._room.playing:
            return Reply(False, program_words("match_on"))
        if self._firmware.running:
            return Reply(False, program_words("firmware_running"))
        if self._updates.running or self._updates.view().state is TrialState.ABSENT:
            return Reply(self._updates.running)
        try:
            self._updates.ask(what)
        except OSError as error:
            return Reply(False, update_words("outcome", "not_heard", why=error.strerror))
        return Reply(True)

    def choose_dice(self, choice: DiceChoice) -> Reply:
        """See `SetUp`."""
        try:
            dice = _dice_of(self._room.config, choice)
        except UserError as error:
            return Reply.refusing(error)
        if dice.source is DiceAt.TEXT and not dice.port:
            return Reply(False, program_words("dice_no_port"))
        if dice.source is DiceAt.BLUETOOTH and not _is_whole(dice):
            return Reply(False, program_words("dice_no_sets"))
        if dice.source is DiceAt.BOARD and self._room.config.port() is None:
            return Reply(False, program_words("dice_no_board"))

        def use() -> Reply:
            self._search.end()
            return self._room.use_dice(dice)

        used = self._do(use)
        return Reply(True, self._keeping.keep({"dice": _dice_values(dice)}, "dice")) if used.done else used

    def learn_key(self, button: str) -> Reply:
        """See `SetUp`."""

        def learn() -> Reply:
            try:
                return self._keys.learn(button)
            except UserError as error:
                return Reply.refusing(error)

        return self._do(learn)

    def end_learning(self) -> Reply:
        """See `SetUp`."""

        def end() -> Reply:
            self._keys.end()
            return Reply(True)

        return self._do(end)

    def forget_key(self, button: str) -> Reply:
        """See `SetUp`."""
        return self._do(lambda: self._keys.forget(button))

    def grab_keys(self, grab: bool) -> Reply:
        """See `SetUp`."""
        return self._do(lambda: self._keys.grab(grab))

    def find_dice(self) -> Reply:
        """See `SetUp`."""

        def find() -> Reply:
            try:
                return self._search.begin()
            except UserError as error:
                return Reply.refusing(error)

        return self._do(find)

    def end_finding(self) -> Reply:
        """See `SetUp`."""

        def end() -> Reply:
            self._search.end()
            return Reply(True)

        return self._do(end)

    def choose_voice(self, choice: VoiceChoice) -> Reply:
        """See `SetUp`."""
        speech = replace(
            self._room.config.speech,
            use=choice.use,
            sounds=choice.sounds,
            volume=choice.volume,
            language=choice.language or None,
        )
        used = self._do(lambda: self._room.use_speech(speech))
        if not used.done:
            return used
        language = choice.language or self._room.config.spoken_language()
        values: dict[str, Value] = {"use": choice.use, "sounds": choice.sounds}
        values |= {"volume": choice.volume, "language": language}
        return Reply(True, self._keeping.keep({"speech": values}, "voice"))

    def choose_settings(self, values: Values) -> Reply:
        """See `SetUp`."""
        if not all(set(chosen) <= set(SETTINGS.get(section, ())) for section, chosen in values.items()):
            return Reply(False, program_words("choice_unknown"))
        used = self._do(lambda: self._keeping.use(values))
        return Reply(True, self._keeping.keep(values)) if used.done else used

    def try_dice(self) -> Reply:
        """See `SetUp`."""
        if self._room.playing:
            return Reply(False, program_words("match_on"))
        self._dice = Trial(TrialState.RUNNING, self._dice.words)
        return Reply(True)

    def plan_match(self, plan: MatchPlan) -> Reply:
        """See `SetUp`."""
        try:
            planned(self._room.config, plan).settings()
        except UserError as error:
            return Reply.refusing(error)
        self._plan = plan
        return Reply(True)

    def start(self) -> Reply:
        """See `SetUp`."""

        def begin() -> Reply:
            config = planned(self._room.config, self._plan)
            return self._room.begin_match(config)

        begun = self._do(begin)
        if begun.done:
            # The same people are named when the table is switched on again.
            self._keeping.keep(plan_values(planned(self._room.config, self._plan)))
        return begun

    def happened(self, event: Event) -> None:
        """See `Waiting`."""
        if isinstance(event, RollReported) and self._dice.state is TrialState.RUNNING:
            self._dice = Trial(TrialState.DONE, roll_words(None, Roll.from_dice(*event.dice)))

    def match_begins(self) -> None:
        """See `Waiting`."""
        self._keys.end()
        self._search.end()

    def tick(self) -> None:
        """See `Waiting`."""
        self._keys.tick()
        self._search.tick()
        if self._lit_s is not None:
            frame = lamp_walk(self._clock() - self._lit_s)
            self._room.electronics.lights.show(frame or LightFrame())
            if frame is None:
                self._lit_s, self._lights_done = None, True
        glimpse = self._room.glimpse() if self._dice.state is TrialState.RUNNING else None
        if (
            glimpse is not None
            and glimpse.reading is not None
            and self._room.config.dice.source is DiceAt.CAMERA
            and len(glimpse.reading.dice) == PAIR
        ):
            first, second = (die.value for die in glimpse.reading.dice)
            self._dice = Trial(TrialState.DONE, roll_words(None, Roll.from_dice(first, second)))

    def _keep(self, board: Board) -> None:
        """Write the board file, with the focus that the camera has, and use the board."""
        board = replace(board, lens_position=self._room.lens_position)
        save_board(board, self._room.config.board_file())
        self._do(lambda: self._room.know_board(board))

    def _keep_lamps(self, board: Board, lamps: LampTable) -> None:
        """Write into the board file where each lamp lies, and use that."""
        board, path = replace(board, lights=lamps), self._room.config.board_file()
        try:
            replace_file(path.resolve(), dump_board(board).encode(), 0o644)
        except OSError as error:
            raise UserError(
                f"{path} cannot be written ({error.strerror}); make its folder writable."
            ) from None
        if not self._do(lambda: self._room.know_board(board)).done:
            raise UserError(f"{path} has it, but the table was busy; restart Pointsman.")

    def _let_play(self) -> None:
        """Matches may begin again."""
        self._room.hold = None

    def _firmware_view(self) -> Trial:
        """How far the firmware is written, and which runs on a board that answers."""
        trial, link = self._firmware.view(), self._room.link_status
        told = trial.words
        if (
            trial.state is TrialState.RUNNING
            or told is None
            or link is None
            or "firmware" not in link.arguments
        ):
            return trial
        running = flash_words("text", "running", version=link.arguments["firmware"])
        return Trial(trial.state, lambda language: f"{running(language)} {told(language)}")

    def _firmware_ports(self) -> tuple[str, ...]:
        """Where the board is: where it answers, where it is configured, or wherever one may be."""
        link, named = self._room.link_status, self._room.config.board.port
        if link is not None and link.state is LinkState.READY:
            return (link.port,)
        if named not in (AUTO, NONE):
            return (named,)
        return other_ports(likely_ports(), self._room.config.dice_port())

    def _use_again(self, port: str) -> None:
        self._do(lambda: self._room.use_port(port))
        self._let_play()

    def _lights(self) -> Trial:
        if type(self._room.electronics.lights) is Lights:
            return Trial(TrialState.ABSENT)
        if self._lit_s is not None:
            return Trial(TrialState.RUNNING)
        return Trial(TrialState.DONE if self._lights_done else TrialState.READY)

    def _do(self, errand: Callable[[], Reply]) -> Reply:
        """Have the thread that steps the table do it."""
        try:
            return self._room.inbox.ask(errand).result(ASK_S)
        except (NotTakenError, TimeoutError):
            return Reply(False, program_words("table_busy"))


def _released() -> dict[str, FirmwareImage]:
    """The firmware that came with the program; none if it is damaged, which `pointsman board flash` tells."""
    try:
        return released_images()
    except ImageError:
        return {}


def _named(keys: tuple[str, ...], chosen: str) -> tuple[Named, ...]:
    """Devices with what people call them; the one that is chosen among them, whether it is there or not."""
    known = keys if chosen in keys else (*keys, chosen)
    return tuple(Named(key, "" if key in (AUTO, NONE, RIBBON, PHONE) else plain_name(key)) for key in known)


def _dice_of(config: Config, choice: DiceChoice) -> DiceSection:
    """The dice that were chosen. Raises UserError for a pattern that cannot be used."""
    source = DiceAt(choice.source)
    if source is DiceAt.BLUETOOTH and (choice.light or choice.dark or choice.shared):
        return replace(config.dice, source=source, light=choice.light, dark=choice.dark, shared=choice.shared)
    if source is not DiceAt.TEXT:
        return replace(config.dice, source=source)
    LinePattern(find_pattern(choice.pattern))
    way_to(choice.port)
    return replace(
        config.dice, source=source, port=choice.port, baud=choice.baud, dtr=choice.dtr, pattern=choice.pattern
    )


def _sets_of(dice: DiceSection) -> dict[str, tuple[str, ...]]:
    """Whose the dice are, by the keys of the configuration."""
    return {"light": dice.light, "dark": dice.dark, "shared": dice.shared}


def _is_whole(dice: DiceSection) -> bool:
    """Whether both sides have two dice to roll, and each die has one place."""
    sizes = [len(names) for names in _sets_of(dice).values()]
    return sizes in ([2, 2, 0], [0, 0, 2], [2, 2, 2]) and len(owners_of(dice)) == sum(sizes)


def _dice_values(dice: DiceSection) -> dict[str, Value]:
    """The keys of the dice that the page sets."""
    values: dict[str, Value] = {"source": str(dice.source)}
    if dice.source is DiceAt.BLUETOOTH:
        values |= {name: list(names) or None for name, names in _sets_of(dice).items()}
    if dice.source is DiceAt.TEXT:
        values |= {"port": dice.port, "baud": dice.baud, "dtr": dice.dtr, "pattern": dice.pattern}
    return values


def plan_of(config: Config) -> MatchPlan:
    """The match that the configuration names, as set-up shows it."""
    told = config.match
    profile = told.profile[0] if told.profile else ""
    learning = profile in LEARNING
    return MatchPlan(
        told.light,
        told.dark,
        None if told.form is Form.MONEY else told.length,
        "" if learning else profile,
        consent=config.table.consent,
        learning=learning,
        engine=next((str(side) for side in config.engine_sides()), ""),
        level=config.seats.level,
        external=config.seats.external,
        away=str(config.remote_side() or ""),
        code=config.seats.code,
    )


def planned(config: Config, plan: MatchPlan) -> Config:
    """The configuration with the match that is planned. Names that are left out are Light and Dark.

    Raises UserError for an address of an engine that is none.
    """
    before, profile = config.match, _profile_of(plan)
    table = replace(config.table, consent=plan.consent, hint=_hint_of(config, profile))
    match = replace(
        before,
        light=plan.light or MatchSection().light,
        dark=plan.dark or MatchSection().dark,
        form=Form.MONEY if plan.length is None else Form.MATCH,
        length=before.length if plan.length is None else plan.length,
        profile=(profile,) if profile else (),
    )
    seats = replace(
        config.seats,
        light=_seat_of(plan, Side.LIGHT),
        dark=_seat_of(plan, Side.DARK),
        level=plan.level,
        external=plan.external,
        code=plan.code if plan.away else "",
    )
    made = replace(config, match=match, table=table, seats=seats)
    made.external_engine()  # Refuses an address that is none before the match begins.
    made.table_code()
    return made


def plan_values(config: Config) -> Values:
    """What the configuration keeps of a match that was planned, by section and key."""
    told, seats = config.match, config.seats
    return {
        "match": {
            "light": told.light,
            "dark": told.dark,
            "form": str(told.form),
            "length": told.length,
            "profile": told.profile or None,
        },
        "table": {"consent": config.table.consent, "hint": config.table.hint},
        "seats": {
            "light": str(seats.light),
            "dark": str(seats.dark),
            "level": seats.level,
            "external": seats.external or None,
        },
    }


def _seat_of(plan: MatchPlan, side: Side) -> SeatOf:
    if plan.away == side:
        return SeatOf.REMOTE
    return SeatOf.ENGINE if plan.engine == side else SeatOf.PERSON


def _profile_of(plan: MatchPlan) -> str:
    """The rules of a match, empty for the usual ones. Raises UserError where they allow learners no hints."""
    if not plan.learning:
        return plan.profile
    if plan.profile and not load_profile(plan.profile).conduct.shows_landing_points():
        raise UserError(
            f'The rules {plan.profile} allow no hints; choose the usual rules, or untick "We are learning".'
        )
    return plan.profile or LEARNING[plan.length is None]


def _hint_of(config: Config, profile: str) -> int:
    """How much is shown from the beginning: to learners where a checker may land, by other rules nothing."""
    if not profile or not load_profile(profile).conduct.shows_landing_points():
        return 0
    return config.table.hint or (LANDINGS if profile in LEARNING else 0)


def _rules(profile: Profile) -> Named:
    return Named(profile.name, title(profile), str(profile.movement.variant))
