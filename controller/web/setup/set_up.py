"""What the set-up page needs of the program that it belongs to; whoever runs a table fills it in."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from calibration.finder import Quadrant
from controller.arrays import FloatArray
from controller.messages.device_words import LocalText
from controller.record.journal.journal import Json
from controller.vision import Board, Reading
from controller.web.setup.aiming import AimingView
from controller.web.table_service import Glimpse, Reply


@dataclass(frozen=True, slots=True)
class Named:
    """Something that can be chosen.

    Attributes:
        key: what the configuration calls it.
        name: what people call it, the same in all languages; empty for what the page has words of its own for:
            cameras ``auto`` and ``picamera2``, ports ``auto`` and ``none``.
        game: of rules which game they are of, a value of the key ``game`` of a profile; else empty.
    """

    key: str
    name: str = ""
    game: str = ""


class TrialState(StrEnum):
    """How far the trial of a device is."""

    ABSENT = "absent"
    """There is no such device; nothing can be tried."""
    READY = "ready"
    RUNNING = "running"
    DONE = "done"
    """It was tried; a person or the words say how it went."""


@dataclass(frozen=True, slots=True)
class Trial:
    """The trial of lights or dice.

    Attributes:
        state: how far it is.
        words: what came of it, such as the dice that were reported; None where there is nothing to say.
    """

    state: TrialState = TrialState.ABSENT
    words: LocalText | None = None


@dataclass(frozen=True, slots=True)
class UpdateView:
    """How it stands with updates of the program.

    Attributes:
        state: absent where the program was not installed as a service, which alone has updates from the page.
        new: the version that there is to update to; empty for none, or where nobody has looked.
        before: the version to which it can go back; empty for none.
        words: how far it is, or what came of it; None where there is nothing to say.
    """

    state: TrialState = TrialState.ABSENT
    new: str = ""
    before: str = ""
    words: LocalText | None = None


@dataclass(frozen=True, slots=True)
class DiceChoice:
    """Where the rolls come from.

    Attributes:
        source: ``camera``, ``board``, ``text``, ``pins`` or ``bluetooth``.
        port, baud, dtr, pattern: with ``text``, the keys of that name in the configuration's section of the dice.
        light, dark, shared: with ``bluetooth``, whose the dice are, likewise; all of them empty is "as before".
    """

    source: str
    port: str
    baud: int
    dtr: bool
    pattern: str
    light: tuple[str, ...] = ()
    dark: tuple[str, ...] = ()
    shared: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FoundDie:
    """A die with Bluetooth that was found.

    Attributes:
        name: what it calls itself, or its address.
        kind: such as `GoDice`; empty while it is out of reach.
        colour: a name of `Colour`; empty where it does not say.
        percent: how full its battery is.
        face: what it showed when it last lay still.
        rolled: of all that were found it was rolled last.
    """

    name: str
    kind: str = ""
    colour: str = ""
    percent: int | None = None
    face: int | None = None
    rolled: bool = False


@dataclass(frozen=True, slots=True)
class DiceFound:
    """The search for dice with Bluetooth.

    Attributes:
        running: whether it goes on.
        dice: those found so far, and those that the configuration names, in the order of their names.
        words: what hinders it; None where nothing does.
    """

    running: bool = False
    dice: tuple[FoundDie, ...] = ()
    words: LocalText | None = None


@dataclass(frozen=True, slots=True)
class FacesView:
    """How far the table was shown its own dice.

    Attributes:
        state: absent without a board; done when it has ended, however.
        number: is to be shown next, with the ``face`` of the cube if that is shown as well.
        done: how many numbers were shown in this round.
        known: whether this board has learned dice or a cube.
        more: whether another round can be added to what was shown.
        doubted: whether a die seems to show another number, and somebody may say that it does not.
        words: what stood against the last picture and what is asked for, or what came of it all.
    """

    state: TrialState = TrialState.ABSENT
    number: int = 1
    face: int | None = None
    done: int = 0
    known: bool = False
    more: bool = False
    doubted: bool = False
    words: tuple[LocalText, ...] = ()


@dataclass(frozen=True, slots=True)
class LightsChoice:
    """What drives the lights, by the keys of that name in the configuration's section of the lights."""

    source: str = "board"
    address: str = "auto"


@dataclass(frozen=True, slots=True)
class LearnedButton:
    """A button of the table, and the key that was learned for it.

    Attributes:
        button: its key in the configuration's section of the keys.
        key: what the kernel calls the key, such as `KEY_PAGEDOWN`; empty without one.
        device: what the key's device calls itself.
    """

    button: str
    key: str = ""
    device: str = ""


@dataclass(frozen=True, slots=True)
class KeysView:
    """Keys of keyboards and switches that are buttons.

    Attributes:
        buttons: all there are.
        listening: the button whose key is listened for; empty if none is.
        grab: whether the devices are the table's alone.
        words: what is the matter with the devices, or what became of learning; empty where nothing is to be said.
    """

    buttons: tuple[LearnedButton, ...] = ()
    listening: str = ""
    grab: bool = False
    words: tuple[LocalText, ...] = ()


@dataclass(frozen=True, slots=True)
class VoiceChoice:
    """What the table says aloud, by the keys of that name in the configuration's section of speech.

    Attributes:
        use: whether it speaks.
        sounds: whether it makes short sounds too.
        volume: 0 to 1.
        language: that is spoken; empty for that of the messages.
    """

    use: bool = False
    sounds: bool = True
    volume: float = 0.8
    language: str = ""


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """The match that is to be played.

    Attributes:
        light, dark: what the players are called.
        length: points that win it; None for a money session.
        profile: the rules, by a name that `pointsman profiles` lists or a file.
        consent: whether both agree that the device tells them of illegal plays whatever the rules say.
        learning: whether they learn: by the usual rules, with hints, and plays may be taken back.
        engine: the side that an engine plays, ``light`` or ``dark``; empty where people play both.
        level: how strong it plays, 1 to 7.
        external: address of an engine that plays instead, ``host:port``; empty where the table's own does.
        away: the side that plays at another table, ``light`` or ``dark``; empty where both sit here.
        code: the code of that table; empty where this one waits for it.
    """

    light: str = ""
    dark: str = ""
    length: int | None = 7
    profile: str = ""
    consent: bool = False
    learning: bool = False
    engine: str = ""
    level: int = 6
    external: str = ""
    away: str = ""
    code: str = ""


@dataclass(frozen=True, slots=True)
class SetUpView:
    """Set-up as it is at one moment; nothing in it changes any more.

    Attributes:
        table: the table's name or number, empty without one.
        cameras: those there are, the way to have one found first.
        camera: which is chosen, by its key.
        camera_ready: whether it gives pictures.
        camera_words: how it is, with the remedy.
        ports: those of the electronics, likewise; ``none`` among them.
        port, port_ready, port_words: likewise; no words where no electronics are wanted.
        board_known: whether there is a board file.
        aiming: camera and board in the picture.
        lights, dice: their trials.
        dice_choice: where the rolls come from.
        dice_ports: serial ports, for a dice unit.
        dice_found: dice with Bluetooth that are looked for.
        dice_words: how the dice unit is, with the remedy; None without one.
        faces: how far the table was shown its own dice.
        keys: keys of keyboards and switches that are buttons.
        voice: what the table says aloud.
        lights_choice: what drives the lights.
        lights_words: how lights in the network stand; None without any.
        settings: what else can be chosen, as it holds now, by section and key of the configuration.
        lamp_search: how far it is known where each lamp lies.
        firmware: how far the board's firmware is written.
        updates: of the program.
        plan: the match as far as it is known.
        profiles: the rules to choose from, with their titles.
        playing: a match is on: nothing can be set up.
    """

    table: str
    cameras: tuple[Named, ...]
    camera: str
    camera_ready: bool
    camera_words: LocalText
    ports: tuple[Named, ...]
    port: str
    port_ready: bool
    port_words: LocalText | None
    board_known: bool
    aiming: AimingView
    lights: Trial
    dice: Trial
    plan: MatchPlan
    profiles: tuple[Named, ...]
    dice_choice: DiceChoice
    dice_ports: tuple[str, ...] = ()
    dice_found: DiceFound = DiceFound()
    dice_words: LocalText | None = None
    faces: FacesView = FacesView()
    keys: KeysView = KeysView()
    voice: VoiceChoice = VoiceChoice()
    lights_choice: LightsChoice = LightsChoice()
    lights_words: LocalText | None = None
    lamp_search: Trial = Trial()
    settings: Mapping[str, Mapping[str, Json]] = field(default_factory=dict)
    firmware: Trial = Trial()
    updates: UpdateView = UpdateView()
    playing: bool = False


class BoardSetUp(Protocol):
    """Looks for the board under the camera. All about pictures and the board in them is done by `Aiming`."""

    def find(self, corners: FloatArray | None, light_home: Quadrant | None) -> Reply:
        """Look for the board in the newest pictures, or between corners; a search that goes on is ended."""

    def end_search(self) -> Reply:
        """Have the search ended."""

    def read(self) -> tuple[Glimpse, Board, Reading] | None:
        """The newest picture as it is read by the board that was found, else by the board file; None without one.

        While a match is on it is the picture that was read last for the match.
        """

    def confirm(self) -> Reply:
        """The board that was found is right: write the board file and use it."""


class LightsSetUp(Protocol):
    """Chooses and tries lights."""

    def try_all(self) -> Reply:
        """Light one point after the other, 1 to 24 from light's side, then bar and trays."""

    def choose(self, choice: LightsChoice) -> Reply:
        """Light these from now on, and keep that in the configuration's file, if there is one."""

    def find(self) -> Reply:
        """Light one lamp after another and look where it is; what is found goes into the board file."""


class DiceSetUp(Protocol):
    """Chooses and tries dice."""

    def choose(self, choice: DiceChoice) -> Reply:
        """Take the rolls of these dice from now on, and keep that in the configuration's file, if there is one."""

    def find(self) -> Reply:
        """Look for dice with Bluetooth and listen to all of them; the table takes no rolls meanwhile."""

    def end_search(self) -> Reply:
        """Look for dice no more."""

    def try_next(self) -> Reply:
        """Tell the next roll that the dice report, or that the camera reads."""


class FacesSetUp(Protocol):
    """Has the table shown its own dice and cube, one number after the other."""

    def begin(self, dice: int, *, cube: bool, more: bool) -> Reply:
        """Ask for one number after the other; so many ``dice`` lie there at once, 1 to 4, and the ``cube`` or not.

        With ``more`` another round is added to what was shown before. Pictures are taken whenever the board is at
        rest; after the last number the table learns, and keeps what it learned in the board file.
        """

    def confirm(self) -> Reply:
        """The dice show the number that was asked for, whatever they seem to show."""

    def end(self) -> Reply:
        """Ask for no more; nothing is learned."""

    def forget(self) -> Reply:
        """Read dice and cube as if none had been shown."""


class KeysSetUp(Protocol):
    """Learns the keys that are buttons."""

    def learn(self, button: str) -> Reply:
        """Listen for the key that is to be this button; the first one that is pressed is kept."""

    def end(self) -> Reply:
        """Listen no more."""

    def forget(self, button: str) -> Reply:
        """No key is this button any more."""

    def grab(self, grab: bool) -> Reply:
        """Have the devices of the learned keys for the table alone, or not."""


class SetUp(Protocol):
    """Everything from "no board" to "start". Every method may be called from any thread, and returns soon.

    The room around a table implements it: it lists and chooses devices (`plain_name` says what people call them),
    tries lights (`lamp_walk` says what is lit when) and dice, and begins a match.
    """

    @property
    def board(self) -> BoardSetUp:
        """Where the board is."""

    @property
    def lights(self) -> LightsSetUp:
        """The lights under the points."""

    @property
    def dice(self) -> DiceSetUp:
        """The dice."""

    @property
    def faces(self) -> FacesSetUp:
        """The table's own dice and cube."""

    @property
    def keys(self) -> KeysSetUp:
        """The keys that are buttons."""

    def view(self) -> SetUpView:
        """Set-up as it is now."""

    def glimpse(self) -> Glimpse | None:
        """The newest picture; None where the camera gives none."""

    def choose_camera(self, key: str) -> Reply:
        """Use this camera from now on, whether it is there or not; the status tells how it gets on."""

    def choose_port(self, key: str) -> Reply:
        """Use the electronics at this port from now on."""

    def write_firmware(self) -> Reply:
        """Write the firmware that came with the program onto the board's chip."""

    def choose_settings(self, values: Mapping[str, Mapping[str, Any]]) -> Reply:
        """Use these values from now on and keep them, by section and key of the configuration; only those of
        `SetUpView.settings`.

        None leaves a key out.
        """

    def choose_voice(self, choice: VoiceChoice) -> Reply:
        """Speak so from now on, say a sentence, and keep that in the configuration's file, if there is one."""

    def ask_update(self, what: str) -> Reply:
        """Look for a newer version (``check``), take it (``update``), or go back to the one before (``back``)."""

    def plan_match(self, plan: MatchPlan) -> Reply:
        """This is the match to be played; refused where it cannot be played like that."""

    def start(self) -> Reply:
        """Begin the match; refused where something is missing."""
