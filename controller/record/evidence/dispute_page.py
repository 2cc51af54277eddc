"""A dispute as one HTML page that a director can look at or print; everything is in it, nothing is loaded."""

import base64
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape
from importlib.resources import files

from controller.messages.catalogue import Catalogue, catalogue
from controller.messages.game_words import offence_words
from controller.record.evidence.diagram import diagram_svg
from controller.record.evidence.dispute import Dispute, DisputePicture, Try
from controller.record.match.entries import Turn
from controller.record.match.history import Action, Correction
from controller.record.match.names import header_text
from controller.rules.position import Position, Roll, Side


def dispute_html(dispute: Dispute, language: str = "en") -> str:
    """The page as text, to be written as UTF-8.

    Nothing in it that came from outside can act as markup, and the page allows itself nothing but its own
    pictures and style.

    Raises:
        LanguageError: if there are no texts in that language.
    """
    style = files("controller.record.evidence").joinpath("dispute.css").read_text(encoding="utf-8")
    page = _Page(dispute, catalogue(language), language)
    title = page.say("title", match=dispute.story.name, game=dispute.game, ply=dispute.ply)
    return "\n".join(
        [
            "<!DOCTYPE html>",
            f'<html lang="{language}">',
            '<head><meta charset="utf-8">',
            '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; img-src data:; '
            "style-src 'unsafe-inline'\">",
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{title}</title><style>{style}</style></head>",
            "<body>",
            *page.body(title),
            "</body></html>",
            "",
        ]
    )


@dataclass(frozen=True, slots=True)
class _Page:
    """A page being written; every method gives pieces of HTML."""

    dispute: Dispute
    texts: Catalogue
    language: str

    def say(self, name: str, **arguments: object) -> str:
        """A text of the catalogue with its arguments, safe to stand in HTML."""
        return _safe(self.texts.text("dispute", name, **arguments))

    def body(self, title: str) -> Iterator[str]:
        yield f"<h1>{title}</h1>"
        yield from self.chain_warning()
        yield from self.heading()
        for number, told in enumerate(self.dispute.tries):
            yield from self.telling(number, told)
        yield from self.remarks()
        yield from self.corrections()
        yield from self.integrity()

    def chain_warning(self) -> Iterator[str]:
        if self.dispute.fault is not None:
            yield f'<p class="broken">{self.say("chain_broken", fault=self.dispute.fault)}</p>'

    def heading(self) -> Iterator[str]:
        game, heading = self.dispute.of, self.dispute.story.heading
        turn = self.dispute.tries[-1].turn
        facts = heading.facts
        where = [facts.event, facts.round, facts.table, facts.place]
        day = facts.played_on.isoformat() if facts.played_on else ""
        line = " · ".join(_safe(part) for part in (*where, day) if part)
        if line:
            yield f'<p class="quiet">{line}</p>'
        yield "<table>"
        for side in Side:
            score = game.light_score if side is Side.LIGHT else game.dark_score
            name = _safe(heading.name(side)) or self.say("unknown")
            points = f"{score}{f' / {heading.length}' if heading.length else ''}"
            yield f"<tr><th>{self.side(side)}</th><td>{name}</td><td>{self.say('score')}: {points}</td></tr>"
        yield f"<tr><th>{self.say('player')}</th><td>{self.side(turn.player)}</td><td></td></tr>"
        yield f"<tr><th>{self.say('roll')}</th><td><b>{turn.roll}</b></td><td></td></tr></table>"

    def telling(self, number: int, told: Try) -> Iterator[str]:
        turn = told.turn
        yield f"<section><h2>{number + 1}. {self.say('play')} {turn.roll}: {_safe(turn.text)}</h2>"
        fate = "legal" if turn.legal else "illegal_stands" if turn.stands else "illegal_put_right"
        yield f'<p><span class="verdict {"legal" if turn.legal else "illegal"}">{self.say(fate)}</span></p>'
        if turn.reasons:
            sentences = offence_words(turn.reasons, self.language)
            yield f"<h3>{self.say('reasons')}</h3><ul>"
            yield from (f"<li>{_safe(sentence)}</li>" for sentence in sentences)
            yield "</ul>"
        if told.original is not None:
            yield f'<p class="odd">{self.say("original")}: {told.original.roll} {_safe(told.original.text)}</p>'
        yield '<div class="pair">'
        yield from self.side_by_side("before", told, turn.before, turn.roll)
        yield from self.side_by_side("after", told, turn.after, None)
        yield "</div>"
        yield from self.nearest(told)
        yield from self.strip(told.pictures)
        yield from self.readings(told)
        written = self.say("written", number=told.event, journal=self.dispute.journal, utc=told.utc)
        yield f'<p class="quiet">{written}</p></section>'

    def side_by_side(self, role: str, told: Try, position: Position, roll: Roll | None) -> Iterator[str]:
        """The picture of one end of the turn over the diagram of what was recorded there."""
        yield f"<div><h3>{self.say(role)}</h3>"
        shown = [picture for picture in told.pictures if picture.role == role]
        for picture in shown:
            yield from self.figure(picture)
        if not shown:
            yield f'<div class="missing">{self.say("no_pictures")}</div>'
        changed = _changed(told.turn)
        yield f"<figure>{diagram_svg(position, roll, told.turn.player, changed)}"
        pips = ", ".join(f"{self.side(side)} {position.pips(side)}" for side in Side)
        yield f"<figcaption>{self.say('pips')}: {pips}</figcaption></figure></div>"

    def figure(self, picture: DisputePicture) -> Iterator[str]:
        """A picture with its number, its time and whether it is still what was recorded."""
        caption = self.say("picture", frame=picture.frame, t=f"{picture.t:.2f}")
        if picture.seen.get("hand"):
            caption += f"; {self.say('hand')}"
        if picture.jpeg is None:
            yield f'<figure><div class="missing">{self.say("gone")}</div><figcaption>{caption}</figcaption></figure>'
            return
        data = base64.b64encode(picture.jpeg).decode()
        digest = f"SHA-256 {_safe(picture.sha256[:16])}…, {self.say('unchanged')}"
        yield (
            f'<figure><img alt="{caption}" src="data:image/jpeg;base64,{data}">'
            f"<figcaption>{caption}<br>{digest}</figcaption></figure>"
        )

    def nearest(self, told: Try) -> Iterator[str]:
        if not told.nearest:
            return
        yield f'<section class="whole"><h3>{self.say("nearest")}</h3><div class="three">'
        for position in told.nearest:
            yield f"<figure>{diagram_svg(position)}</figure>"
        yield "</div></section>"

    def strip(self, pictures: Iterable[DisputePicture]) -> Iterator[str]:
        between = [picture for picture in pictures if picture.role == "between"]
        if between:
            yield f'<h3>{self.say("between")}</h3><div class="four">'
            for picture in between:
                yield from self.figure(picture)
            yield "</div>"

    def readings(self, told: Try) -> Iterator[str]:
        """What was seen of the points that changed, and of those that were not read as they were recorded."""
        ends = [
            (role, position, picture)
            for role, position in (("before", told.turn.before), ("after", told.turn.after))
            for picture in told.pictures
            if picture.role == role
        ]
        points = {*_changed(told.turn)}
        for _, position, picture in ends:
            points |= {p for p in range(1, 25) if picture.seen["points"][p - 1] != position.points[p - 1]}
        if not ends or not points:
            return
        yield f'<h3>{self.say("readings")}</h3><table class="readings"><tr><th>{self.say("point")}</th>'
        for role, _, _ in ends:
            yield f"<th>{self.say(role)}: {self.say('recorded')}</th>"
            yield f"<th>{self.say('seen')}</th><th>{self.say('confidence')}</th>"
        yield "</tr>"
        for point in sorted(points):
            yield f"<tr><td>{point}</td>"
            for _, position, picture in ends:
                yield from self.reading(point, position, picture)
            yield "</tr>"
        yield "</table>"

    def reading(self, point: int, position: Position, picture: DisputePicture) -> Iterator[str]:
        recorded, seen = position.points[point - 1], picture.seen["points"][point - 1]
        state = (
            "covered"
            if point in picture.seen["covered"]
            else "unsure"
            if point in picture.seen["unsure"]
            else "sure"
        )
        odd = ' class="odd"' if recorded != seen else ""
        confidence = f"{picture.seen['confidence'][point - 1]} %, {self.say(state)}"
        yield f"<td>{self.count(recorded)}</td><td{odd}>{self.count(seen)}</td><td>{confidence}</td>"

    def remarks(self) -> Iterator[str]:
        if not self.dispute.remarks:
            return
        yield f"<h2>{self.say('course')}</h2><table>"
        for each in self.dispute.remarks:
            told = f"{_safe(each.kind)}: {_safe(each.text)}"
            yield f"<tr><td>{each.event}</td><td>{_safe(each.utc)}</td><td>{told}</td></tr>"
        yield "</table>"
        for each in self.dispute.remarks:
            yield from self.strip(each.pictures)

    def corrections(self) -> Iterator[str]:
        if not self.dispute.corrections:
            return
        yield f"<h2>{self.say('corrections')}</h2><table>"
        for each in self.dispute.corrections:
            revoked = f" ({self.say('taken_back')})" if each.revoked is not None else ""
            number = self.say("correction", number=each.event)
            yield f"<tr><td>{number}{revoked}</td><td>{_safe(each.utc)}</td><td>{_safe(_told(each))}</td></tr>"
        yield "</table>"

    def integrity(self) -> Iterator[str]:
        yield f'<section class="whole"><h2>{self.say("chain")}</h2>'
        if self.dispute.fault is None:
            yield f"<p>{self.say('chain_whole', events=self.dispute.events)}</p>"
        else:
            yield from self.chain_warning()
        yield f'<p class="quiet">{self.say("points_numbering")}</p></section>'

    def side(self, side: Side) -> str:
        """The word for a side."""
        return _safe(self.texts.text("term", str(side)))

    def count(self, number: int) -> str:
        """Checkers on a point, such as `2 light`."""
        side = Side.LIGHT if number > 0 else Side.DARK
        return f"{abs(number)} {self.side(side)}" if number else "-"


def _told(correction: Correction) -> str:
    payload = correction.payload
    parts = [str(correction.action)]
    if correction.action is Action.TURN:
        turn = payload["turn"]
        parts.append(f"{turn['ply']}: {turn['dice'][0]}-{turn['dice'][1]} {turn['move']}")
    parts += [str(payload[name]) for name in ("text", "light", "dark", "result") if name in payload]
    parts += [f"({part})" for part in (correction.by, correction.why) if part]
    return " ".join(parts)


def _changed(turn: Turn) -> set[int]:
    """The points, from light's side, that hold something else after the turn."""
    pairs = zip(turn.before.points, turn.after.points, strict=True)
    return {point for point, (before, after) in enumerate(pairs, start=1) if before != after}


def _safe(text: str) -> str:
    """Any text as one line of HTML text or in an attribute: no markup, no control characters."""
    return escape(header_text(text.replace('"', "”")), quote=True)
