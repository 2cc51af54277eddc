"""Random matches for the tests: legal plays, plays put right, illegal plays that stand, games broken off."""

import random
from datetime import date

from controller.record.match.match import MONEY, Facts, GameRecord, MatchRecord, RecordedResult, Turn
from controller.rules.game.match import Terms
from controller.rules.game.scoring import loss
from controller.rules.judging.judge import judge
from controller.rules.moves.plays import LegalPlay, legal_plays
from controller.rules.notation import format_play
from controller.rules.position import CHECKERS, START, Position, Roll, Side
from controller.rules.profile.profile import STANDARD


def terms_of(length: int) -> Terms:
    """Standard rules; 0 for single games."""
    return Terms.match(STANDARD, length) if length else MONEY


def random_roll(rng: random.Random) -> Roll:
    return Roll.from_dice(rng.randint(1, 6), rng.randint(1, 6))


def board_result(board: Position) -> RecordedResult | None:
    """The result once a side has borne off, by the standard rules and without a cube."""
    for winner in Side:
        if board.off(winner) == CHECKERS:
            return RecordedResult(winner, loss(board, winner.opponent).level.value)
    return None


def misplay(rng: random.Random, before: Position, player: Side, roll: Roll) -> Position | None:
    """A result that this roll does not reach but another one may, so that all checkers are still there."""
    legal = {candidate.after for candidate in legal_plays(before, player, roll)}
    for _ in range(10):
        other = random_roll(rng)
        wrong = rng.choice(legal_plays(before, player, other)).after
        if wrong not in legal:
            return wrong
    return None


def played(ply: int, player: Side, roll: Roll, before: Position, chosen: LegalPlay) -> Turn:
    text = format_play(chosen.play)
    return Turn(
        ply, player, roll, chosen.play, text, True, (), False, before, chosen.after, 5 * ply, 2.5004 * ply
    )


def misplayed(ply: int, player: Side, roll: Roll, before: Position, after: Position, *, stands: bool) -> Turn:
    reasons = judge(before, player, roll, after).reasons
    return Turn(
        ply, player, roll, None, "24/23 ?", False, reasons, stands, before, after, 5 * ply, 2.5004 * ply
    )


def random_game(
    rng: random.Random,
    *,
    illegal: float = 0.0,
    corrected: float = 0.0,
    longest: int = 400,
    start: Position = START,
) -> GameRecord:
    board = start
    player = rng.choice(list(Side))
    turns: list[Turn] = []
    result: RecordedResult | None = None
    for ply in range(longest):
        roll = random_roll(rng)
        wrong = misplay(rng, board, player, roll) if rng.random() < illegal + corrected else None
        stands = wrong is not None and rng.random() * (illegal + corrected) < illegal
        if wrong is not None:
            turns.append(misplayed(ply, player, roll, board, wrong, stands=stands))
        if wrong is None or not stands:
            chosen = rng.choice(legal_plays(board, player, roll))
            turns.append(played(ply, player, roll, board, chosen))
        board = turns[-1].after
        result = board_result(board)
        if result is not None:
            break
        player = player.opponent
    return GameRecord(tuple(turns), start, result=result)


def random_match(
    seed: int, *, games: int, length: int = 0, illegal: float = 0.0, corrected: float = 0.0
) -> MatchRecord:
    rng = random.Random(seed)
    score = {Side.LIGHT: 0, Side.DARK: 0}
    played: list[GameRecord] = []
    for _ in range(games):
        game = random_game(rng, illegal=illegal, corrected=corrected)
        played.append(GameRecord(game.turns, game.start, score[Side.LIGHT], score[Side.DARK], game.result))
        if game.result is not None:
            score[game.result.winner] += game.result.points
        if length and max(score.values()) >= length:
            break
    terms, facts = terms_of(length), Facts(played_on=date(2026, 11, 21))
    return MatchRecord("Anna Kovács", "Béla", terms, tuple(played), facts)
