"""What the referee tells, set down: in the journal first, then as lines for whoever follows the game."""

from dataclasses import dataclass, replace

from controller.record.entries import Act, Note
from controller.record.events import event_line
from controller.record.matchlog import MatchLog, read_match
from controller.record.noting import game_over_note, note_of, turn_of
from controller.record.playthrough import moments
from controller.record.transcript import Facts, Result
from controller.record.witness import Witness
from controller.referee.actions import Action, CubeTaken, GameBegun, GameOver, TurnJudged, Unsure
from controller.rules.events import Doubled, Taken
from controller.rules.game import Game
from controller.rules.match import Form, Terms
from controller.rules.position import START, Position, Side
from controller.rules.profile import Profile
from controller.rules.result import Ending
from controller.rules.scoring import game_value, loss


@dataclass(slots=True)
class Chronicle:
    """The record of a match that is being watched.

    Attributes:
        witness: where it goes, with the pictures that show it; each entry is on the disk before the line about
            it is given out.
        profile: the rules of its games.
        first_ply: the number that the running game's first turn has among all turns of the film.
        score: points won so far, light's and dark's.
    """

    witness: Witness
    profile: Profile
    first_ply: int = 0
    score: tuple[int, int] = (0, 0)

    @property
    def log(self) -> MatchLog:
        """The match in its journal."""
        return self.witness.log

    def begin(self, start: Position) -> None:
        """A session of single games, the first one from ``start``: a film does not tell what they are for."""
        self.log.begin_match("", "", Terms(Form.MONEY, None, (self.profile,)), Facts())
        self.log.begin_game(start)

    def add(self, action: Action) -> str:
        """Set down one action; the line of ``events.jsonl`` that tells it, without its end."""
        match action:
            case TurnJudged():
                turn = turn_of(action, self.first_ply)
                flagged = not action.legal or action.revises
                self.witness.testify(self.log.add(turn), turn, action.frame, flagged=flagged)
                return event_line(turn_of(action))
            case Unsure():
                note = note_of(action)
                in_game = replace(note, arguments={**note.arguments, "ply": action.ply - self.first_ply})
                self.witness.testify(self.log.add(in_game), None, action.frame, flagged=True)
                return event_line(note)
            case CubeTaken(doubler=doubler, t=t):
                self.log.add(Act(Doubled(doubler), t))
                self.log.add(Act(Taken(doubler.opponent), t))
            case GameOver():
                return self._noted(game_over_note(action, self._won(action)))
            case GameBegun(ply=ply):
                self.log.begin_game(START, *self.score)
                self.first_ply = ply
        return self._noted(note_of(action))

    def _noted(self, note: Note) -> str:
        self.log.add(note)
        return event_line(note)

    def _won(self, over: GameOver) -> Result:
        """The result by the rules, from all that was set down of the game."""
        *_, last, end = moments(read_match(self.log.journal, self.log.match))
        if len(end.match.results) > len(last.match.results):
            result = Result.of(end.match.results[-1])
        else:
            result = _valued(over, last.match.game)
        self.log.end_game(result)
        light, dark = self.score
        won = result.points
        self.score = (light + won, dark) if result.winner is Side.LIGHT else (light, dark + won)
        return result


def _valued(over: GameOver, game: Game) -> Result:
    """The result from the last position alone, where turns that were not seen keep the rules from following."""
    lost = loss(over.position, over.winner.opponent, game.profile.score)
    value = game_value(lost.level, game.cube, game.profile)
    return Result(over.winner, value.points, Ending.PLAYED, value.working)
