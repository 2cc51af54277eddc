"""Set-up at a real table: its devices by name, the board under its camera, lamps and dice tried, the match begun."""

from dataclasses import replace
from typing import Final

from controller.app.fitting.board import BoardFitting
from controller.app.fitting.dice import DiceFitting
from controller.app.fitting.errands import have_done
from controller.app.fitting.faces import FacesFitting
from controller.app.fitting.firmware import FirmwareErrand
from controller.app.fitting.keeping import SETTINGS, Keeping, settings_of
from controller.app.fitting.keys import KeyFitting
from controller.app.fitting.lights import LightsFitting
from controller.app.fitting.updating import UpdateErrand
from controller.app.room import Room
from controller.config import Config
from controller.config.config import NONE
from controller.config.sections import MatchSection, SeatOf
from controller.config.writing import Value, Values
from controller.devices.camera.choice import AUTO, PHONE, RIBBON, cameras
from controller.devices.firmware.image import FirmwareImage, ImageError, released_images
from controller.devices.link.status import LinkState
from controller.devices.link.transport import candidates, likely_ports, other_ports
from controller.devices.names import plain_name
from controller.errors import UserError
from controller.messages.device_words import flash_words, program_words, status_words, update_words
from controller.messages.profile_words import title
from controller.referee import Event
from controller.referee.table.lamps import LANDINGS
from controller.rules import Form, Profile, Side, load_profile
from controller.rules.profile.catalogue import profile_names
from controller.tomlfile.checks import JOINERS
from controller.web.setup.set_up import (
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


class RoomSetUp:
    """Sets up the table of one room; `SetUp` is for any thread, `Waiting` for the one that steps.

    Attributes:
        board, lights, dice, faces, keys: see `SetUp`.
    """

    def __init__(self, room: Room, keeping: Keeping | None = None) -> None:
        """Nothing was chosen or tried yet; ``keeping`` writes what is chosen into the configuration."""
        self._room = room
        self._keeping = keeping or Keeping(room, None)
        self.board, self.lights = BoardFitting(room), LightsFitting(room, self._keeping)
        self.dice, self.keys = DiceFitting(room, self._keeping), KeyFitting(room, self._keeping)
        self.faces = FacesFitting(room)
        self._plan = plan_of(room.config)
        self._firmware = FirmwareErrand(_released())
        self._updates = UpdateErrand(room.config.folder)
        room.waiting = self

    def view(self) -> SetUpView:
        """See `SetUp`."""
        room, config = self._room, self._room.config
        camera, link, unit = room.camera.status, room.electronics.link_status, room.electronics.dice_status
        speech = config.speech
        return SetUpView(
            table=config.match.table,
            cameras=_named((AUTO, *cameras(), RIBBON, PHONE), config.camera.source),
            camera=config.camera.source,
            camera_ready=room.camera.ready,
            camera_words=program_words("camera_starts") if camera is None else status_words(camera),
            ports=_named((AUTO, NONE, *candidates()), config.board.port),
            port=config.board.port,
            port_ready=link is not None and link.state is LinkState.READY,
            port_words=None if link is None or config.port() is None else status_words(link),
            board_known=room.board is not None,
            aiming=self.board.view(),
            lights=self.lights.view(),
            dice=self.dice.trial,
            plan=self._plan,
            profiles=tuple(_rules(load_profile(name)) for name in profile_names()),
            dice_choice=self.dice.view_choice(),
            dice_found=self.dice.view_found(),
            dice_ports=candidates(),
            dice_words=None if unit is None else status_words(unit),
            lights_choice=LightsChoice(config.lights.source, config.lights.address),
            lights_words=None if (stood := room.electronics.lights_status) is None else status_words(stood),
            settings=settings_of(config),
            lamp_search=self.lights.view_search(),
            firmware=self._firmware_view(),
            faces=self.faces.view(),
            keys=self.keys.view(),
            updates=self._updates.view(),
            voice=VoiceChoice(speech.use, speech.sounds, speech.volume, speech.language or ""),
            playing=room.match.playing,
        )

    def choose_camera(self, key: str) -> Reply:
        """See `SetUp`."""
        self.board.camera_changes()
        used = have_done(self._room, lambda: self._room.use(replace(self._room.config.camera, source=key)))
        return Reply(True, self._keeping.keep({"camera": {"source": key}})) if used.done else used

    def choose_port(self, key: str) -> Reply:
        """See `SetUp`."""
        if self._firmware.running:
            return Reply(False, program_words("firmware_running"))
        used = self._use_port(key)
        return Reply(True, self._keeping.keep({"board": {"port": key}})) if used.done else used

    def glimpse(self) -> Glimpse | None:
        """See `SetUp`."""
        return self._room.glimpse()

    def write_firmware(self) -> Reply:
        """See `SetUp`."""
        if self._room.match.playing:
            return Reply(False, program_words("match_on"))
        if self._firmware.running or self._firmware.view().state is TrialState.ABSENT:
            return Reply(self._firmware.running)
        ports = self._firmware_ports()
        if len(ports) != 1:
            entry = "many_ports" if ports else "no_port"
            return Reply(False, flash_words("text", entry, **({"ports": ", ".join(ports)} if ports else {})))
        before = self._room.config.board.port
        # The table lets go of the port meanwhile: two programs at one port would spoil both.
        freed = self._use_port(NONE)
        if freed.done:
            self._room.hold = program_words("firmware_running")
            self._firmware.begin(ports[0], lambda: self._use_again(before))
        return freed

    def ask_update(self, what: str) -> Reply:
        """See `SetUp`."""
        if self._room.match.playing:
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

    def choose_voice(self, choice: VoiceChoice) -> Reply:
        """See `SetUp`."""
        speech = replace(
            self._room.config.speech,
            use=choice.use,
            sounds=choice.sounds,
            volume=choice.volume,
            language=choice.language or None,
        )
        used = have_done(self._room, lambda: self._room.use(speech))
        if not used.done:
            return used
        language = choice.language or self._room.config.spoken_language()
        values: dict[str, Value] = {"use": choice.use, "sounds": choice.sounds}
        values |= {"volume": choice.volume, "language": language}
        return Reply(True, self._keeping.keep({"speech": values}, "voice"))

    def choose_settings(self, values: Values) -> Reply:
        """See `SetUp`."""
        if not all(set(chosen) <= set(SETTINGS.get(section, ())) for section, chosen in values.items()):
            return Reply(False, program_words("settings_unknown"))
        used = have_done(self._room, lambda: self._keeping.use(values))
        return Reply(True, self._keeping.keep(values)) if used.done else used

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

        begun = have_done(self._room, begin)
        if begun.done:
            # The same people are named when the table is switched on again.
            self._keeping.keep(plan_values(planned(self._room.config, self._plan)))
        return begun

    def happened(self, event: Event) -> None:
        """See `Waiting`."""
        self.dice.happened(event)

    def match_begins(self) -> None:
        """See `Waiting`."""
        self.keys.leave()
        self.dice.leave()
        self.faces.end()

    def close(self) -> None:
        """See `Waiting`."""
        self.board.close()
        self.lights.close()
        self.faces.end()

    def tick(self) -> None:
        """See `Waiting`."""
        self.keys.tick()
        self.dice.tick()
        self.lights.tick()

    def _firmware_view(self) -> Trial:
        """How far the firmware is written, and which runs on a board that answers."""
        trial, link = self._firmware.view(), self._room.electronics.link_status
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
        link, named = self._room.electronics.link_status, self._room.config.board.port
        if link is not None and link.state is LinkState.READY:
            return (link.port,)
        if named not in (AUTO, NONE):
            return (named,)
        return other_ports(likely_ports(), self._room.config.dice_port())

    def _use_port(self, port: str) -> Reply:
        return have_done(self._room, lambda: self._room.use(replace(self._room.config.board, port=port)))

    def _use_again(self, port: str) -> None:
        self._use_port(port)
        self._room.hold = None


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
        engine=next((str(side) for side in config.seats.engine_sides()), ""),
        level=config.seats.level,
        external=config.seats.external,
        away=str(config.seats.remote_side() or ""),
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
        light=_readable(plan.light) or MatchSection().light,
        dark=_readable(plan.dark) or MatchSection().dark,
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
    made.seats.external_engine()  # Refuses an address that is none before the match begins.
    made.seats.table_code()
    return made


def _readable(name: str) -> str:
    """A name as a configuration keeps it: without signs that keyboards of phones add, and that cannot be seen."""
    told = (each if each.isprintable() or ord(each) in JOINERS else " " for each in name)
    return " ".join("".join(told).split())


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
