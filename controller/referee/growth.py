"""Everything a roll may have become: played, rolled again, played against a rule, or not what it seemed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from controller.referee.breaches import breaches
from controller.referee.caution import Caution
from controller.referee.tracks import Entry, Kind, Look, Throw, Track, continued, lawful, pruned
from controller.rules.position import Side
from controller.rules.roll import Roll

ASKED = 3
FOLLOWED = 40
ROLLS = tuple(Roll.of(high, low) for high in range(1, 7) for low in range(1, high + 1))


def grown(tracks: Sequence[Track], throw: Throw, look: Look, caution: Caution) -> tuple[Track, ...]:
    """The tracks after a turn: each one continued by everything that its roll may have become.

    Rules broken, dice misread and turns missed are only thought of where no legal play of the roll explains
    what was seen.
    """
    children = [child for track in tracks for child in _played(track, throw, look, caution)]
    best = max(child.score for child in children)
    if best < max(track.score for track in tracks) - caution.surprise:
        for track in sorted(tracks, key=lambda one: -one.score)[:ASKED]:
            children += _against_rules(track, throw, look, caution)
            children += _played_unseen(track, throw, look, caution)
            if throw.misread is not None:
                children += _misread(track, throw, look, caution)
                children += _missed_dance(track, throw, look, caution)
                if not throw.stayed:
                    children += _missed_turn(track, throw, look, caution)
    return pruned(children, caution.kept, caution.kept_within)


def _sides(track: Track, throw: Throw) -> Mapping[Side, float]:
    return throw.sides if track.side is None else {track.side: 0.0}


def _likeliest(throw: Throw) -> Roll:
    return max(throw.rolls, key=lambda roll: throw.rolls[roll])


def _played(track: Track, throw: Throw, look: Look, caution: Caution) -> Iterator[Track]:
    """The legal plays of the roll, and the roll being void."""
    evidence = look.since(track.position)
    for roll, share in throw.rolls.items():
        danced = True
        for side, chance in _sides(track, throw).items():
            ends = lawful(track.position, side, roll, caution.rules)
            danced = danced and ends == (track.position,)
            for after, score in zip(ends, evidence.scores(ends), strict=True):
                entry = Entry(track.ply, Kind.LEGAL, side, roll, track.position, after, share + chance)
                yield continued(track, entry, float(score))
        handicap = caution.void_dance(throw.lay_s) if danced else caution.void
        same = track.position
        void = Entry(track.ply, Kind.VOID, track.side, roll, same, same, share - handicap)
        yield continued(track, void, float(evidence.scores([same])[0]))


def _against_rules(track: Track, throw: Throw, look: Look, caution: Caution) -> Iterator[Track]:
    evidence = look.since(track.position)
    roll = _likeliest(throw)
    for side, chance in _sides(track, throw).items():
        for breach in breaches(track.position, side, roll, evidence, caution):
            entry = Entry(
                ply=track.ply,
                kind=Kind.ILLEGAL,
                side=side,
                roll=roll,
                before=track.position,
                after=breach.after,
                prior=throw.rolls[roll] + chance - breach.handicap,
                text=breach.text,
                reasons=breach.reasons,
                also=breach.also,
                nearest=breach.nearest,
            )
            yield continued(track, entry, float(evidence.scores([breach.after])[0]))


def _misread(track: Track, throw: Throw, look: Look, caution: Caution) -> Iterator[Track]:
    """Legal plays of a roll in which one die shows another number than was read."""
    evidence = look.since(track.position)
    high, low = _likeliest(throw).dice
    others = {Roll.of(high, n) for n in range(1, 7)} | {Roll.of(low, n) for n in range(1, 7)}
    prior = -(throw.misread or 0.0)
    for roll in sorted(others - set(throw.rolls), key=lambda one: one.dice):
        for side, chance in _sides(track, throw).items():
            ends = lawful(track.position, side, roll, caution.rules)
            for after, score in zip(ends, evidence.scores(ends), strict=True):
                entry = Entry(track.ply, Kind.LEGAL, side, roll, track.position, after, prior + chance)
                yield continued(track, entry, float(score))


def _missed_dance(track: Track, throw: Throw, look: Look, caution: Caution) -> Iterator[Track]:
    """The roll is the other side's, since a turn in which nothing could move went by unseen."""
    if track.side is None:
        return
    evidence = look.since(track.position)
    side, roll = track.side.opponent, _likeliest(throw)
    ends = lawful(track.position, side, roll, caution.rules)
    prior = throw.rolls[roll] - caution.missed_dance
    for after, score in zip(ends, evidence.scores(ends), strict=True):
        entry = Entry(track.ply + 1, Kind.LEGAL, side, roll, track.position, after, prior)
        yield continued(track, entry, float(score))


def _played_unseen(track: Track, throw: Throw, look: Look, caution: Caution) -> Iterator[Track]:
    """The roll before, taken for void, was played after all, and no picture showed it before this roll came."""
    if not track.history or track.history[-1].kind is not Kind.VOID:
        return
    void, roll = track.history[-1], _likeliest(throw)
    evidence = look.since(track.position)
    for side, chance in _sides(track, throw).items():
        middles = lawful(track.position, side, void.roll, caution.rules)
        ranked = sorted(zip(evidence.scores(middles), middles, strict=True), key=lambda one: -one[0])
        for _, middle in ranked[:FOLLOWED]:
            ends = lawful(middle, side.opponent, roll, caution.rules)
            first = replace(void, kind=Kind.LEGAL, side=side, after=middle, prior=chance)
            for after, score in zip(ends, look.since(middle).scores(ends), strict=True):
                if score > -caution.kept_within:
                    then = Entry(
                        track.ply + 1, Kind.LEGAL, side.opponent, roll, middle, after, -caution.unseen
                    )
                    yield continued(replace(track, history=(*track.history[:-1], first)), then, float(score))


def _missed_turn(track: Track, throw: Throw, look: Look, caution: Caution) -> Iterator[Track]:
    """After the roll was played the other side rolled and played, too, and the roll was not seen."""
    evidence = look.since(track.position)
    roll = _likeliest(throw)
    prior = throw.rolls[roll] - caution.missed_turn
    for side, chance in _sides(track, throw).items():
        ends = lawful(track.position, side, roll, caution.rules)
        ranked = sorted(zip(evidence.scores(ends), ends, strict=True), key=lambda one: -one[0])
        for _, middle in ranked[:FOLLOWED]:
            for unseen in ROLLS:
                finals = lawful(middle, side.opponent, unseen, caution.rules)
                for after, score in zip(finals, evidence.scores(finals), strict=True):
                    if score + prior < -caution.kept_within:
                        continue
                    then = Entry(track.ply + 1, Kind.LEGAL, side.opponent, unseen, middle, after, 0.0)
                    first = Entry(
                        track.ply, Kind.LEGAL, side, roll, track.position, middle, prior + chance, then=then
                    )
                    yield continued(track, first, float(score))
