"""The lights of a room: chosen, tried, and each found where it lies on the board."""

from dataclasses import replace

from controller.app.fitting.board_file import keep_board
from controller.app.fitting.errands import have_done
from controller.app.fitting.keeping import Keeping
from controller.app.fitting.lamp_search import LampSearch, LampTable
from controller.app.room import Room
from controller.config.sections import LightsAt
from controller.config.writing import Value
from controller.devices import LightFrame
from controller.devices.lights.backends import Lights
from controller.messages.device_words import program_words
from controller.vision import Board
from controller.web.setup.lamp_walk import lamp_walk
from controller.web.setup.set_up import LightsChoice, Trial, TrialState
from controller.web.table_service import Reply


class LightsFitting:
    """Sets up the lights of one room; see `LightsSetUp`. `tick` is for the thread that steps."""

    def __init__(self, room: Room, keeping: Keeping) -> None:
        """Nothing was tried yet; ``keeping`` writes what is chosen into the configuration."""
        self._room, self._keeping = room, keeping
        self._search = LampSearch(room.glimpse, lambda: room.electronics.lights, self.keep_lamps)
        self._lit_s: float | None = None
        self._done = False

    def view(self) -> Trial:
        """How far the trial is."""
        if type(self._room.electronics.lights) is Lights:
            return Trial(TrialState.ABSENT)
        if self._lit_s is not None:
            return Trial(TrialState.RUNNING)
        return Trial(TrialState.DONE if self._done else TrialState.READY)

    def view_search(self) -> Trial:
        """How far the search for the lamps is; nothing can be found without a board."""
        return Trial() if self._room.board is None else self._search.view()

    def choose(self, choice: LightsChoice) -> Reply:
        """See `LightsSetUp`."""
        lights = replace(self._room.config.lights, source=LightsAt(choice.source), address=choice.address)
        if self._search.running:
            return Reply(False, program_words("lamps_running"))
        used = have_done(self._room, lambda: self._room.use(lights))
        if not used.done:
            return used
        values: dict[str, Value] = {"source": str(lights.source)}
        if lights.source is LightsAt.WLED:
            values["address"] = lights.address
        return Reply(True, self._keeping.keep({"lights": values}, "lights"))

    def try_all(self) -> Reply:
        """See `LightsSetUp`."""

        def begin() -> Reply:
            if self._room.match.playing:
                return Reply(False, program_words("match_on"))
            if type(self._room.electronics.lights) is Lights:
                return Reply(False, program_words("no_lights"))
            self._lit_s = self._room.clock()
            return Reply(True)

        return have_done(self._room, begin)

    def find(self) -> Reply:
        """See `LightsSetUp`."""
        room = self._room
        if room.match.playing:
            return Reply(False, program_words("match_on"))
        if room.board is None:
            return Reply(False, program_words("no_board"))
        if not room.electronics.lights.lamps:
            return Reply(False, program_words("no_lights"))
        if not self._search.running:
            self._lit_s, room.hold = None, program_words("lamps_running")
            several = room.config.lights_at() is LightsAt.WLED
            self._search.begin(room.board, self._let_play, several=several)
        return Reply(True)

    def close(self) -> None:
        """The table is switched off: no lamp is looked for any more."""
        self._search.end()

    def tick(self) -> None:
        """Light the next point of a trial."""
        if self._lit_s is not None:
            frame = lamp_walk(self._room.clock() - self._lit_s)
            self._room.electronics.lights.show(frame or LightFrame())
            if frame is None:
                self._lit_s, self._done = None, True

    def keep_lamps(self, board: Board, lamps: LampTable) -> None:
        """Write into the board file where each lamp lies, and use that. Raises UserError."""
        keep_board(self._room, replace(board, lights=lamps))

    def _let_play(self) -> None:
        """Matches may begin again."""
        self._room.hold = None
