"""Broken rules and results of games in words, in any of the languages."""

from collections.abc import Iterable, Sequence
from typing import Final

from controller.messages.catalogue import Catalogue, catalogue
from controller.messages.table_words import capital
from controller.rules import Ending, Reason, ReasonCode
from controller.rules.game.scoring import Result
from controller.rules.notation import CANNOT_MOVE
from controller.rules.position import Direction, Side, side_point
from controller.rules.reasons import COUNT_CODES

PLACES: Final = frozenset({"source", "target", "point", "rearmost", "found", "due"})
"""Arguments that are places, numbered from light's side."""
MOVE: Final = frozenset({"source", "target", "die", "count"})
"""Arguments that tell moves apart which broke a rule in the same way."""
EXTRA: Final = frozenset({ReasonCode.EXTRA_CHECKER_MOVED, ReasonCode.EXTRA_CHECKER_OFF})
"""Codes that are one offence, however many checkers they name: more was played than the roll allows."""


def offence_words(reasons: Iterable[Reason], language: str = "en") -> list[str]:
    """What was done wrong, one sentence for each offence, in the order of the reasons. Raises LanguageError.

    Moves that broke the same rule in the same way as an earlier one are named behind it.
    """
    alike: dict[str, list[Reason]] = {}
    for reason in reasons:
        alike.setdefault(_offence(reason), []).append(reason)
    sentences = (
        sentence
        for group in alike.values()
        for sentence in (
            [_extra_words(group, language)] if group[0].code in EXTRA else _alike_words(group, language)
        )
    )
    return list(dict.fromkeys(sentences))


def play_words(text: str, language: str = "en", *, legal: bool | None, moved: bool) -> str:
    """What was played: the notation, or words where the record has none for it; and that nobody confirmed it.

    Args:
        text: as the record has it, from the mover's side; empty where there is no notation for it.
        language: one of the catalogues'.
        legal: whether it was; where something could have been played, nobody danced. None where nobody confirmed it.
        moved: whether the checkers lie otherwise than before.

    Raises:
        LanguageError: there are no texts in this language.
    """
    texts = catalogue(language)
    if text and text != CANNOT_MOVE:
        words = text.replace("opponent", texts.text("term", "opponent"))
    else:
        words = texts.text("play", "dance" if text and legal else "unwritten" if moved else "nothing")
    return texts.text("play", "unconfirmed", play=words) if legal is None else words


def reason_words(reason: Reason, language: str = "en") -> str:
    """Which rule was broken and by what, as one sentence; points are numbered from the side it is about.

    Raises LanguageError.
    """
    texts = catalogue(language)
    return capital(texts.text("reason", _entry(reason), **_arguments(reason, texts)))


def result_words(result: Result, language: str = "en") -> str:
    """How the points of a game come about, as in `gammon 2 × cube 4 = 8`. Raises LanguageError."""
    texts = catalogue(language)
    value = result.value
    if value is None:
        single = result.ending is Ending.DROPPED and result.cube != result.points
        entry = "dropped_single" if single else str(result.ending)
        return texts.text("result", entry, cube=result.points - single, points=result.points)
    worded = texts.text(
        "result",
        "added" if value.added else "multiplied",
        level=texts.text("term", value.level.term),
        count=value.level.value,
        cube=value.cube,
        points=value.points,
    )
    notes = []
    if value.jacoby:
        notes.append(texts.text("result", "jacoby", level=texts.text("term", value.played.term)))
    if result.loss is not None:
        notes += [
            texts.text("result", note) for note in ("assumed", "after_bearoff") if getattr(result.loss, note)
        ]
    return f"{worded} ({'; '.join(notes)})" if notes else worded


def _offence(reason: Reason) -> str:
    """What reasons have in common that differ in the move alone, or that are told together."""
    if reason.code in EXTRA:
        return str(EXTRA)
    told = {
        name: value for name, value in reason.arguments.items() if name not in MOVE or not _is_move(reason)
    }
    return repr((_entry(reason), sorted(told.items())))


def _is_move(reason: Reason) -> bool:
    return reason.arguments.keys() >= {"source", "target"}


def _alike_words(reasons: Sequence[Reason], language: str) -> list[str]:
    """The sentence for the first of the moves that broke a rule in the same way, and one that names the others."""
    sentence = reason_words(reasons[0], language)
    texts = catalogue(language)
    moves = list(dict.fromkeys(str(_arguments(reason, texts).get("step")) for reason in reasons))
    if len(moves) == 1 or not _is_move(reasons[0]):
        return [sentence]
    return [sentence, texts.text("play", "same_rule", steps=_joined(moves[1:], "and", texts))]


def _extra_words(reasons: Sequence[Reason], language: str) -> str:
    """The sentence for all checkers that were played besides the roll."""
    counted = [reason for reason in reasons if _entry(reason) == "extra_numbers"]
    if counted or len(reasons) == 1:
        return reason_words([*counted, *reasons][0], language)
    texts = catalogue(language)
    told = [_arguments(reason, texts) for reason in reasons]
    steps = ", ".join(dict.fromkeys(str(each["step"]) for each in told))
    return texts.text("reason", "extra_checkers", steps=steps, roll=told[0]["roll"])


def _entry(reason: Reason) -> str:
    """The text for a reason; some codes have a second one for certain arguments."""
    told = reason.arguments
    if reason.code is ReasonCode.DICE_MISMATCH and not told["would_be"]:
        return "dice_unmatched"
    if reason.code is ReasonCode.BAR_FIRST and told["source"] == "bar":
        return "hand_first"
    if reason.code is ReasonCode.HIT_NOT_ON_BAR and told["found"] is not None:
        return "hit_off" if told["found"] == "off" else "hit_found"
    if reason.code is ReasonCode.OPPONENT_MOVED and "off" in (told["source"], told["target"]):
        return "opponent_off" if told["target"] == "off" else "opponent_back"
    if reason.code is ReasonCode.EXTRA_CHECKER_MOVED and told.get("played") is not None:
        return "extra_numbers"
    return str(reason.code)


def _arguments(reason: Reason, texts: Catalogue) -> dict[str, object]:
    told = reason.arguments
    side, direction = Side(str(told["side"])), Direction(str(told.get("direction", Direction.OPPOSED)))

    def number(place: object) -> str:
        """A point in the numbering of its side, or `bar` or `off`."""
        text = str(place)
        return str(side_point(int(text), side, direction)) if text.isdecimal() else text

    words: dict[str, object] = dict(told)
    words["side"] = named = texts.text("term", str(told["side"]))
    owner = named if reason.code in COUNT_CODES else None
    for name in PLACES & told.keys():
        words[name] = "" if told[name] is None else _place(number(told[name]), texts, owner)
    words["place"] = words.get("point", words.get("rearmost"))
    if "source" in told and "target" in told:
        times = f"({told['count']})" if told.get("count", 1) != 1 else ""
        words["step"] = f"{number(told['source'])}/{number(told['target'])}{times}"
    for name in ("outside", "held"):
        if name in told:
            places = [_place(number(each), texts) for each in _listed(told[name])]
            words["places"] = _joined(places, "and", texts)
    if told.get("dice"):
        dice = [str(die) for die in _listed(told["dice"])]
        words |= {"roll": "-".join(dice), "dice": _joined(dice, "and", texts), "number": dice[0]}
    if "would_be" in told:
        rolls = ["-".join(map(str, roll)) for roll in _listed(told["would_be"]) if isinstance(roll, list)]
        words["rolls"] = _joined(rolls, "or", texts)
    played = str(told.get("played"))
    words["times"] = texts.text("times", played) if played in texts.names("times") else played
    return words


def _place(number: str, texts: Catalogue, owner: str | None = None) -> str:
    """A place in words; one of `owner`, whose checkers need not be those of the player, names the owner."""
    if not number.isdecimal():
        return texts.text("place", number)
    return texts.text("place", "point" if owner is None else "owners", n=number, side=owner)


def _joined(words: Sequence[str], word: str, texts: Catalogue) -> str:
    """`6, 4 and 4`: the words with a comma, before the last one `word` of the catalogue."""
    if len(words) < 2:
        return "".join(words)
    return texts.text("list", word, first=", ".join(words[:-1]), last=words[-1])


def _listed(argument: object) -> Sequence[object]:
    return argument if isinstance(argument, list) else []
