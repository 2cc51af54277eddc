"""Results and refusals of games in words."""

from controller.messages.catalogue import catalogue
from controller.rules.game.refusal import RefusedError
from controller.rules.game.scoring import Ending, Result
from controller.rules.position import Side


def result_words(result: Result, language: str = "en") -> str:
    """How the points of a game come about, as in ``gammon 2 x cube 4 = 8``. Raises LanguageError."""
    texts = catalogue(language)
    value = result.value
    if value is not None:
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
        if result.loss is not None and result.loss.assumed:
            notes.append(texts.text("result", "assumed"))
        if result.loss is not None and result.loss.after_bearoff:
            notes.append(texts.text("result", "after_bearoff"))
        return f"{worded} ({'; '.join(notes)})" if notes else worded
    if result.ending is Ending.DROPPED:
        kind = "dropped" if result.cube == result.points else "dropped_single"
        cube = result.cube if kind == "dropped" else result.points - 1
        return texts.text("result", kind, cube=cube, points=result.points)
    return texts.text("result", result.ending.value, points=result.points)


def refusal_words(refused: RefusedError, language: str = "en") -> str:
    """Why an event was refused, as one sentence. Raises LanguageError."""
    texts = catalogue(language)
    arguments = {
        name: texts.text("term", value.value) if isinstance(value, Side) else value
        for name, value in refused.arguments.items()
    }
    worded = texts.text("refusal", refused.code.value, **arguments)
    return worded[0].upper() + worded[1:]
