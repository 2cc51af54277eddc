"""Verdicts in words: what was played, which rule it breaks, and how the checkers go back."""

from collections.abc import Iterable, Iterator

from controller.messages.catalogue import Catalogue, catalogue
from controller.messages.reason_words import reason_words
from controller.messages.table_words import Names, capital, side_words
from controller.referee.actions import TurnJudged
from controller.referee.weighing.change import moves_between
from controller.rules.explain import explain
from controller.rules.notation import BAR, OFF, format_play
from controller.rules.reasons import Reason


def verdict_text(
    turn: TurnJudged, language: str = "en", names: Names | None = None, *, back: bool = False
) -> str:
    """A turn and what is to be said of it, to the player who made it.

    An illegal one is told with every rule it breaks and one legal play; with ``back`` also with the way on which the
    checkers go back, else with whether it stands. Points are numbered from the mover's side. Raises LanguageError.
    """
    texts = catalogue(language)
    entry = "legal" if turn.legal else "illegal"
    player = side_words(turn.side, language, names)
    play = change_words(turn, language)
    told = [capital(texts.text("verdict", entry, side=player, roll=turn.roll, play=play))]
    if not turn.legal:
        told.append(reasons_words(turn.reasons, language))
        if turn.instead is not None and not any("example" in reason.arguments for reason in turn.reasons):
            told.append(texts.text("verdict", "instead", play=format_play(turn.instead)))
        if back:
            told.append(texts.text("verdict", "back", steps=", ".join(_way_back(turn, texts))))
        elif turn.stands:
            told.append(texts.text("verdict", "stands"))
    return " ".join(each for each in told if each)


def change_words(turn: TurnJudged, language: str = "en") -> str:
    """What was moved, in notation from the mover's side. Raises LanguageError."""
    opponent = catalogue(language).text("term", "opponent")
    return turn.text.replace("opponent", opponent)


def reasons_words(reasons: Iterable[Reason], language: str = "en") -> str:
    """Broken rules, a sentence for each. English is that of the judge. Raises LanguageError."""
    texts = (explain(each) if language == "en" else reason_words(each, language) for each in reasons)
    return " ".join(dict.fromkeys(texts))


def _way_back(turn: TurnJudged, texts: Catalogue) -> Iterator[str]:
    """Where every checker that lies otherwise goes, from the mover's side."""
    for move in moves_between(turn.before, turn.after, turn.side, turn.roll):
        yield f"{_place(move.target, texts)} → {_place(move.source, texts)}"
    opponent = turn.side.opponent
    for move in moves_between(turn.before, turn.after, opponent, turn.roll):
        source, target = (_place(place, texts, others=True) for place in (move.source, move.target))
        yield f"{texts.text('term', 'opponent')}: {target} → {source}"


def _place(place: int, texts: Catalogue, *, others: bool = False) -> str:
    if place in (BAR, OFF):
        return texts.text("place", "bar" if place == BAR else "off")
    return str(25 - place if others else place)
