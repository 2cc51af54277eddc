"""Set-up as a page shows it: data with all texts in one language; pure."""

from collections.abc import Iterator
from typing import Final

from calibration.aim import Measure
from calibration.calibrate import CalibrationDoubt, DoubtKind
from calibration.search import SearchProgress
from controller.messages.catalogue import Catalogue, catalogue
from controller.messages.profile_words import sentence
from controller.messages.sight_words import unread_words
from controller.record.journal.journal import Json
from controller.rules import START
from controller.rules.moves.movement import STANDARD_FAMILY, Variant
from controller.vision import Board, Reading
from controller.vision.dice.dice_size import dice_size
from controller.web.setup.aiming import AimingView
from controller.web.setup.set_up import (
    DiceFound,
    FacesView,
    FoundDie,
    KeysView,
    MatchPlan,
    Named,
    SetUpView,
    Trial,
)

PAGE: Final = ("page", "setup")
LENGTHS: Final = (1, 3, 5, 7, 9, 11, 13, 15, 17, 21, 25)
"""Lengths of a match that can be chosen."""


def setup_state(view: SetUpView, language: str) -> dict[str, Json]:
    """Everything that the set-up page shows, in one language. Raises LanguageError."""
    texts = catalogue(language)
    heading = texts.text(*PAGE, "table", table=view.table) if view.table else texts.text(*PAGE, "this_table")
    return {
        "heading": heading,
        "playing": view.playing,
        "camera": {
            "key": view.camera,
            "ready": view.camera_ready,
            "text": view.camera_words(language),
            "choices": list(_choices(view.cameras, "camera", view.camera, texts)),
        },
        "port": {
            "key": view.port,
            "ready": view.port_ready,
            "text": "" if view.port_words is None else view.port_words(language),
            "choices": list(_choices(view.ports, "port", view.port, texts)),
        },
        "board_known": view.board_known,
        "aim": _aim(view.aiming, view.camera_words(language), texts),
        "lights": _trial(view.lights, language),
        "dice": _trial(view.dice, language),
        "rolls": _rolls(view, language),
        "found": _found(view.dice_found, language),
        "lamps": {
            "source": view.lights_choice.source,
            "address": view.lights_choice.address,
            "text": "" if view.lights_words is None else view.lights_words(language),
        },
        "faces": _faces(view.faces, language),
        "search": _trial(view.lamp_search, language),
        "firmware": _trial(view.firmware, language),
        "keys": _keys(view.keys, language),
        "updates": {
            "state": view.updates.state,
            "new": view.updates.new,
            "before": view.updates.before,
            "text": "" if view.updates.words is None else view.updates.words(language),
        },
        "voice": {
            "use": view.voice.use,
            "sounds": view.voice.sounds,
            "volume": view.voice.volume,
            "language": view.voice.language,
        },
        "settings": {section: dict(values) for section, values in view.settings.items()},
        "plan": _plan(view.plan),
        "profiles": list(_profiles(view.profiles, language)),
        "lengths": list(LENGTHS),
    }


def _profiles(rules: tuple[Named, ...], language: str) -> Iterator[Json]:
    """The rules with what is played by them, those of backgammon first, then its near relations, then other games."""
    texts = catalogue(language)
    kin = {Variant.BACKGAMMON: "backgammon", **dict.fromkeys(STANDARD_FAMILY - {Variant.BACKGAMMON}, "kin")}
    families = {one.key: kin.get(Variant(one.game), "others") for one in rules}
    for family in ("backgammon", "kin", "others"):
        for one in rules:
            if families[one.key] == family:
                yield {
                    "key": one.key,
                    "name": one.name,
                    "family": texts.text(*PAGE, "family", family),
                    "about": sentence("game", one.game, language),
                }


def reading_words(reading: Reading, language: str) -> dict[str, Json]:
    """What a reading of the start position amounts to: a sentence, and whether it is as it should be."""
    texts = catalogue(language)
    if reading.fault is not None:
        return {"right": False, "text": unread_words(reading, language)}
    wrong = [point for point in range(1, 25) if reading.points[point - 1] != START.points[point - 1]]
    unsure = sorted(reading.unsure)
    if wrong:
        return {"right": False, "text": texts.text(*PAGE, "differs", points=_listed(wrong))}
    if unsure:
        return {"right": True, "text": texts.text(*PAGE, "unsure_points", points=_listed(unsure))}
    return {"right": True, "text": texts.text(*PAGE, "all_read")}


def _choices(named: tuple[Named, ...], kind: str, chosen: str, texts: Catalogue) -> Iterator[Json]:
    own = texts.names(*PAGE, kind)
    for one in named:
        yield {
            "key": one.key,
            "name": one.name or (texts.text(*PAGE, kind, one.key) if one.key in own else one.key),
        }
    if chosen not in {one.key for one in named}:
        yield {"key": chosen, "name": texts.text(*PAGE, "not_there", name=chosen)}


def _aim(aiming: AimingView, status: str, texts: Catalogue) -> dict[str, Json]:
    glimpse, aim = aiming.glimpse, aiming.aim
    corners: Json = None
    if aiming.corners is not None:
        corners = [[round(float(x), 1), round(float(y), 1)] for x, y in aiming.corners]
    shown: dict[str, Json] = {
        "picture": None,
        "frame": list(aiming.frame),
        "corners": corners,
        "placed": aiming.placed,
        "measures": [],
        "advice": status,
        "search": _search(aiming.search, texts),
    }
    if glimpse is None or aim is None:
        return shown
    height, width = glimpse.picture.shape[:2]
    about = texts.text(*PAGE, "picture", width=width, height=height, seconds=f"{glimpse.age_s:.1f}")
    shown["picture"] = {"number": glimpse.number, "width": width, "height": height, "text": about}
    shown["measures"] = [
        _measure(name, measure, texts)
        for name, measure in (("sharpness", aim.sharpness), ("size", aim.size), ("light", aim.light))
    ]
    short = [one for one in (aim.sharpness, aim.size, aim.light) if one is not None and not one.enough]
    shown["advice"] = texts.text(*PAGE, "advice", short[0].word if short else "good")
    return shown


def _measure(name: str, measure: Measure | None, texts: Catalogue) -> dict[str, Json]:
    if measure is None:
        return {
            "name": name,
            "level": None,
            "mark": None,
            "enough": False,
            "text": texts.text(*PAGE, "word", "unknown"),
        }
    return {
        "name": name,
        "level": round(measure.level, 3),
        "mark": measure.mark,
        "enough": measure.enough,
        "text": texts.text(*PAGE, "word", measure.word),
    }


def _search(search: SearchProgress | None, texts: Catalogue) -> dict[str, Json]:
    """The state is ``none``, ``running``, ``found`` or ``failed``."""
    if search is None:
        return {"state": "none", "done": 0.0, "heading": "", "text": texts.text(*PAGE, "search", "none")}
    if not search.over:
        heading = texts.text(*PAGE, "search", search.step)
        return {"state": "running", "done": round(search.done, 2), "heading": heading, "text": ""}
    if search.board is not None:
        heading, text = (texts.text(*PAGE, "search", key) for key in ("found", "found_text"))
        doubts = dict.fromkeys(_doubt(each, texts) for each in search.board.doubts)
        told = " ".join((text, *doubts, *small_dice_words(search.board.board, texts)))
        return {"state": "found", "done": 1.0, "heading": heading, "text": told}
    return {
        "state": "failed",
        "done": 1.0,
        "heading": texts.text(*PAGE, "search", "failed"),
        "text": _trouble(search, texts),
    }


def _doubt(doubt: CalibrationDoubt, texts: Catalogue) -> str:
    points = _listed(list(doubt.points))
    if doubt.kind is DoubtKind.UNSURE:
        return texts.text(*PAGE, "unsure_points", points=points)
    return texts.text(*PAGE, "fault", doubt.kind, **({"points": points} if doubt.points else {}))


def small_dice_words(board: Board, texts: Catalogue) -> Iterator[str]:
    """What to do about dice that are small in the pictures of a board; nothing where they are large enough."""
    size = dice_size(board)
    if size.rolls is not None:
        entry = "small_dice_larger" if size.larger else "small_dice"
        yield texts.text(*PAGE, entry, pixels=size.pixels, rolls=size.rolls)


def _trouble(search: SearchProgress, texts: Catalogue) -> str:
    if search.trouble is not None:
        known = search.trouble.arguments
        words = {name: _listed(value) if isinstance(value, list) else value for name, value in known.items()}
        return texts.text(*PAGE, "fault", search.trouble.fault, **words)
    return (
        texts.text(*PAGE, "search", "broken", why=search.why)
        if search.why
        else texts.text(*PAGE, "search", "ended")
    )


def _trial(trial: Trial, language: str) -> dict[str, Json]:
    return {"state": trial.state, "text": "" if trial.words is None else trial.words(language)}


def _faces(faces: FacesView, language: str) -> dict[str, Json]:
    return {
        "state": faces.state,
        "number": faces.number,
        "face": faces.face,
        "done": faces.done,
        "known": faces.known,
        "more": faces.more,
        "doubted": faces.doubted,
        "text": " ".join(words(language) for words in faces.words),
    }


def _keys(keys: KeysView, language: str) -> dict[str, Json]:
    texts = catalogue(language)
    named = {each.button: texts.text(*PAGE, "keys_of", each.button) for each in keys.buttons}
    told = " ".join(words(language) for words in keys.words)
    if keys.listening:
        told = texts.text(*PAGE, "keys_listening", button=named[keys.listening])
    return {
        "buttons": [
            {
                "key": each.button,
                "name": named[each.button],
                "learned": f"{each.key.removeprefix('KEY_')} ({each.device})" if each.key else "",
            }
            for each in keys.buttons
        ],
        "listening": keys.listening,
        "grab": keys.grab,
        "text": told,
    }


def _rolls(view: SetUpView, language: str) -> dict[str, Json]:
    choice = view.dice_choice
    return {
        "source": choice.source,
        "port": choice.port,
        "baud": choice.baud,
        "dtr": choice.dtr,
        "pattern": choice.pattern,
        "light": list(choice.light),
        "dark": list(choice.dark),
        "shared": list(choice.shared),
        "ports": list(view.dice_ports),
        "text": "" if view.dice_words is None else view.dice_words(language),
    }


def _found(found: DiceFound, language: str) -> dict[str, Json]:
    return {
        "running": found.running,
        "text": "" if found.words is None else found.words(language),
        "dice": [
            {"name": die.name, "rolled": die.rolled, "text": _die(die, catalogue(language))}
            for die in found.dice
        ],
    }


def _die(die: FoundDie, texts: Catalogue) -> str:
    """What is known of a die, in a row."""
    if not die.kind:
        return texts.text(*PAGE, "die", "away")
    known = [die.kind]
    if die.colour:
        known.append(texts.text(*PAGE, "colour", die.colour))
    if die.percent is not None:
        known.append(texts.text(*PAGE, "die", "battery", percent=die.percent))
    if die.face is not None:
        known.append(texts.text(*PAGE, "die", "face", face=die.face))
    if die.rolled:
        known.append(texts.text(*PAGE, "die", "rolled"))
    return ", ".join(known)


def _plan(plan: MatchPlan) -> dict[str, Json]:
    return {
        "light": plan.light,
        "dark": plan.dark,
        "length": plan.length,
        "profile": plan.profile,
        "consent": plan.consent,
        "learning": plan.learning,
        "engine": plan.engine,
        "level": plan.level,
        "external": plan.external,
        "away": plan.away,
        "code": plan.code,
    }


def _listed(points: list[int]) -> str:
    return ", ".join(map(str, points))
