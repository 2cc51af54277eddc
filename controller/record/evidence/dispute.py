"""All that is known about one ply: what was recorded, seen, ruled and corrected, and whether it was tampered with.

It is shown as one HTML page that a director can look at or print; everything is in it, nothing is loaded.
"""

import base64
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Final

from controller.messages.catalogue import Catalogue, catalogue
from controller.messages.game_words import offence_words, play_words
from controller.record.evidence.diagram import diagram_svg, overlay_svg
from controller.record.evidence.named import NamedPictures, named_pictures, naming_fault
from controller.record.evidence.store import EvidenceStore
from controller.record.files.html_page import html_page, script_hash
from controller.record.journal.journal import DamagedJournalError, Journal, JournalEvent
from controller.record.match.corrections import CorrectionError, game_of_ply
from controller.record.match.history import (
    OWN_KINDS,
    TABLE,
    Correction,
    CorrectionAction,
    GameHistory,
    MatchHistory,
    read_history,
)
from controller.record.match.match import Act, Turn
from controller.record.match.playthrough import moments
from controller.rules import Position, Side, judge
from controller.rules.game.match import Crawford
from controller.vision.board.board import PointSegments

MOST_NEAREST: Final = 3


@dataclass(frozen=True, slots=True)
class DisputePicture:
    """A picture the journal vouches for.

    Attributes:
        role: `before`, `between` or `after`.
        frame: its number in the film.
        t: when it was taken, seconds.
        sha256: what the journal says its digest is.
        seen: what was read from it, see `turn_pictures.seen_object`.
        jpeg: the picture itself, `None` if it is not kept any more or is no longer what it was.
    """

    role: str
    frame: int
    t: float
    sha256: str
    seen: Mapping[str, Any]
    jpeg: bytes | None


@dataclass(frozen=True, slots=True)
class Try:
    """One telling of the turn.

    Attributes:
        event: the number of its event; `utc` is when that was written.
        turn: the turn as it stands.
        original: the turn as it was first recorded, `None` if no correction changed it.
        nearest: the legal results nearest to what was judged illegal.
        pictures: those of this telling, in their order.
    """

    event: int
    utc: str
    turn: Turn
    original: Turn | None
    nearest: tuple[Position, ...]
    pictures: tuple[DisputePicture, ...]


@dataclass(frozen=True, slots=True)
class DisputeNote:
    """Another event about the ply: a doubt, a ruling; `text` is its payload in words of the record."""

    event: int
    utc: str
    kind: str
    text: str
    pictures: tuple[DisputePicture, ...]


@dataclass(frozen=True, slots=True)
class Dispute:
    """What a director needs to settle a quarrel about a ply.

    Attributes:
        journal: the name of the journal's file.
        history: the match.
        game: the number of the game, from 1; `ply` that of the turn in it.
        tries: every telling of the turn in its order, those that were put right among them.
        remarks: what else was noted about it.
        corrections: those that concern this game.
        events: how many events the chain was followed through.
        fault: what is wrong with the chain or with how it names pictures, `None` if nothing is.
        segments: where the points lie in the pictures, `None` where the journal does not say so.
    """

    journal: str
    history: MatchHistory
    game: int
    ply: int
    tries: tuple[Try, ...]
    remarks: tuple[DisputeNote, ...]
    corrections: tuple[Correction, ...]
    events: int
    fault: str | None
    segments: PointSegments | None = None

    @property
    def pictured(self) -> tuple[int, ...]:
        """The numbers of the events whose pictures are about the ply."""
        return (*(each.event for each in self.tries), *(each.event for each in self.remarks))

    @property
    def game_history(self) -> GameHistory:
        """The game that the ply belongs to."""
        return self.history.games[self.game - 1]


def gather_dispute(
    journal: Journal, store: EvidenceStore | None, match: str, game: int | None, ply: int
) -> Dispute:
    """All that is known about a ply; `game` counts from 1 and may be left out where the ply tells it.

    Raises:
        CorrectionError: if there is no such game or ply.
        JournalError: if the match cannot be read.
    """
    history = read_history(journal, match)
    number = game_of_ply(history, ply) if game is None else game
    if not 1 <= number <= len(history.games):
        raise CorrectionError(f"There is no game {number} in match {match}; it has {len(history.games)}.")
    tellings = [
        (each, each.entry)
        for each in history.games[number - 1].entries
        if isinstance(each.entry, Turn) and each.entry.ply == ply
    ]
    if not tellings:
        raise CorrectionError(f"There is no ply {ply} in game {number}; check the number.")
    first = {
        each.event: each.entry
        for game in read_history(journal, match, corrected=False).games
        for each in game.entries
    }
    events = tuple(journal.events(match))
    named = named_pictures(events)
    pictures = _pictures(named, store)
    rules = history.heading.profile(number - 1).movement
    tries: list[Try] = []
    for each, turn in tellings:
        original = first.get(each.event)
        illegal = turn.legal is False
        nearest = judge(turn.before, turn.player, turn.roll, turn.after, rules).nearest if illegal else ()
        tries.append(
            Try(
                each.event,
                each.utc,
                turn,
                original if each.corrections and isinstance(original, Turn) else None,
                nearest[:MOST_NEAREST],
                pictures.get(each.event, ()),
            )
        )
    seen_game = history.games[number - 1].event
    fault, count = _chain(journal)
    fault = fault or naming_fault(named, journal.path)
    return Dispute(
        journal.path.name,
        history,
        number,
        ply=ply,
        tries=tuple(tries),
        remarks=_remarks(events, seen_game, ply, pictures),
        corrections=tuple(each for each in history.corrections if each.payload.get("game") == seen_game),
        events=count,
        fault=fault,
        segments=segments_from(events),
    )


def segments_from(events: Iterable[JournalEvent]) -> PointSegments | None:
    """Where the points lie in the pictures of a match, as its table wrote it; `None` in older journals."""
    rows: Any = next(
        (event.payload["lie"] for event in events if event.kind == TABLE and "lie" in event.payload), None
    )
    try:
        return None if rows is None else tuple((int(a), int(b), int(c), int(d)) for a, b, c, d in rows)
    except (TypeError, ValueError):
        return None


def _pictures(named: NamedPictures, store: EvidenceStore | None) -> dict[int, tuple[DisputePicture, ...]]:
    """The pictures of each event that has some."""
    return {
        turn: tuple(
            DisputePicture(
                each.role,
                each.frame,
                each.t,
                each.sha256,
                each.seen,
                store.picture(each.sha256) if store is not None else None,
            )
            for each in pictures
        )
        for turn, pictures in named.of.items()
    }


def _remarks(
    events: tuple[JournalEvent, ...], game: int, ply: int, pictures: Mapping[int, tuple[DisputePicture, ...]]
) -> tuple[DisputeNote, ...]:
    """The notes that name this ply, of the events of this game."""
    later = [event.id for event in events if event.kind == "game" and event.id > game]
    end = min(later, default=max(event.id for event in events) + 1)
    return tuple(
        DisputeNote(event.id, event.utc, event.kind, _words(event.payload), pictures.get(event.id, ()))
        for event in events
        if game < event.id < end and event.kind not in OWN_KINDS and event.payload.get("ply") == ply
    )


def _words(payload: Mapping[str, Any]) -> str:
    shown = {name: value for name, value in payload.items() if name not in ("kind", "ply", "frame", "t")}
    return ", ".join(f"{name} {_word(value)}" for name, value in shown.items())


def _word(value: Any) -> str:
    if isinstance(value, Mapping):  # what the turn may have been
        return f"{value.get('move')} ({value.get('probability')})"
    return " ".join(map(_word, value)) if isinstance(value, list) else str(value)


def _chain(journal: Journal) -> tuple[str | None, int]:
    try:
        return None, journal.verify()
    except DamagedJournalError as fault:
        return str(fault), journal.head()[0]


@dataclass(frozen=True, slots=True)
class TurnEnd:
    """One end of a turn: `before` or `after`, the position that was recorded there, and what a picture showed."""

    role: str
    position: Position
    seen: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ReadingsTable:
    """The points, 1..24 from light's side, that are shown for each end of a turn of which there is a picture.

    They stand in the order in which the player counts them.
    """

    ends: tuple[TurnEnd, ...]
    points: tuple[int, ...]


def dispute_html(dispute: Dispute, language: str = "en") -> str:
    """The page as text, to be written as UTF-8.

    Nothing in it that came from outside can act as markup, and the page allows itself nothing but its own
    pictures and style.

    Raises:
        LanguageError: if there are no texts in that language.
    """
    from markupsafe import Markup

    texts = catalogue(language)
    script, style = (
        files(__package__).joinpath(name).read_text(encoding="utf-8")
        for name in ("dispute.js", "dispute.css")
    )
    game, heading = dispute.game_history, dispute.history.heading
    facts = heading.facts
    day = facts.played_on.isoformat() if facts.played_on else ""
    length = f" / {heading.length}" if heading.length else ""
    rules = heading.profile(dispute.game - 1).movement

    def say(name: str, **arguments: object) -> str:
        return texts.text("dispute", name, **arguments)

    def word(side: Side) -> str:
        return texts.text("term", str(side))

    return html_page(
        __package__,
        "dispute.html",
        language=language,
        players=" - ".join(heading.name(side) or word(side) for side in Side),
        title=say("title", game=dispute.game, ply=dispute.ply + 1),
        script=Markup(script),
        style=Markup(style),
        policy=f"default-src 'none'; img-src data:; style-src {script_hash(style)}; script-src {script_hash(script)}",
        dispute=dispute,
        heading=heading,
        where=" · ".join(filter(None, (facts.event, facts.round, facts.table, facts.place, day))),
        turn=dispute.tries[-1].turn,
        sides=tuple(Side),
        score=lambda side: f"{game.light_score if side is Side.LIGHT else game.dark_score}{length}",
        say=say,
        word=word,
        count=lambda n: f"{word(Side.LIGHT if n > 0 else Side.DARK)}: {abs(n)}" if n else "-",
        verdict=_verdict,
        reasons=lambda turn: offence_words(turn.reasons, language),
        played=lambda turn: play_words(
            turn.text, language, legal=turn.legal, moved=turn.after != turn.before
        ),
        diagram=lambda *what: Markup(diagram_svg(*what, segments=dispute.segments, rules=rules)),
        overlay=lambda points: Markup(overlay_svg(dispute.segments, points) if dispute.segments else ""),
        base64=lambda jpeg: base64.b64encode(jpeg).decode(),
        changed=_changed_points,
        readings_of=_readings,
        cube=_cube_words(dispute, texts),
        correction_text=lambda each: _correction_text(dispute, each, texts),
    )


def _verdict(turn: Turn) -> tuple[str, str]:
    """The look of a verdict, and its entry in the catalogues."""
    if turn.legal is None:
        return "unconfirmed", "unconfirmed"
    if turn.legal:
        return "legal", "legal"
    return "illegal", "illegal_stands" if turn.stands else "illegal_put_right"


def _readings(telling: Try) -> ReadingsTable | None:
    """What was seen of the points that changed, and of those that were not read as they were recorded."""
    positions = {"before": telling.turn.before, "after": telling.turn.after}
    ends = tuple(
        TurnEnd(role, position, picture.seen)
        for role, position in positions.items()
        for picture in telling.pictures
        if picture.role == role
    )
    points = _changed_points(telling.turn).union(
        *(_differing(each.position.points, each.seen["points"]) for each in ends)
    )
    return (
        ReadingsTable(ends, tuple(sorted(points, reverse=telling.turn.player is Side.DARK)))
        if ends and points
        else None
    )


def _cube_words(dispute: Dispute, texts: Catalogue) -> str:
    """Where the cube lay before the ply, and what it counted."""
    played = (each for each in moments(dispute.history.record()) if each.game == dispute.game - 1)
    moment = next(each for each in played if _is_reached(each.entry, dispute.ply))
    game, cube = moment.match.game, moment.match.game.cube
    if not game.has_cube:
        crawford = moment.match.crawford is Crawford.NOW
        return texts.text("dispute", "cube_crawford" if crawford else "cube_out")
    if cube.owner is None:
        return texts.text("dispute", "cube_centred", value=cube.value)
    owner = dispute.history.heading.name(cube.owner) or texts.text("term", str(cube.owner))
    return texts.text("dispute", "cube_owned", value=cube.value, name=owner)


def _is_reached(entry: Turn | Act | None, ply: int) -> bool:
    """Whether a game has come to a ply with this entry, or to its end: the ply itself may have been taken back."""
    return entry is None or (isinstance(entry, Turn) and entry.ply >= ply)


def _correction_text(dispute: Dispute, correction: Correction, texts: Catalogue) -> str:
    """What a correction of this game says, in words, as the page of a packet tells it."""
    payload, game, heading = correction.payload, dispute.game_history, dispute.history.heading

    def say(key: str, **arguments: object) -> str:
        return texts.text("packet", "page", key, **arguments)

    match correction.action:
        case CorrectionAction.TURN:
            turn = payload["turn"]
            name = f"{'-'.join(map(str, turn['dice']))} {turn['move']}"
            what = say("correction_turn", ply=turn["ply"] + 1, name=name)
        case CorrectionAction.SCORE:
            what = say("correction_score", name=f"{payload['light']}-{payload['dark']}")
        case CorrectionAction.RESULT:
            result = payload["result"]
            winner = Side(result["winner"]) if result else Side.LIGHT
            called = heading.name(winner) or texts.text("term", str(winner))
            what = say("correction_result", name=f"{called}: {result['points']}" if result else "-")
        case CorrectionAction.RULING:
            plies = {each.event: each.entry.ply for each in game.entries if isinstance(each.entry, Turn)}
            ply = plies.get(payload["of"])
            what = (
                say("correction_ruling", name=payload["text"])
                if ply is None
                else say("correction_ruling_on", ply=ply + 1, name=payload["text"])
            )
        case _:
            what = say(f"correction_{correction.action}")
    by = say("corrected_by", who=correction.by) if correction.by else ""
    why = f"({correction.why})" if correction.why else ""
    return " ".join(filter(None, (say("of_game", game=dispute.game), what, by, why)))


def _changed_points(turn: Turn) -> set[int]:
    """The points, from light's side, that hold something else after the turn."""
    return _differing(turn.before.points, turn.after.points)


def _differing(some: Iterable[int], others: Iterable[int]) -> set[int]:
    pairs = zip(some, others, strict=True)
    return {point for point, (one, other) in enumerate(pairs, start=1) if one != other}
