"""What a director does: ``pointsman tournament new``, ``enter``, ``draw``, ``late``, ``result`` and others."""

import re
import secrets
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Final

import typer

from controller.cli.options import Language
from controller.cli.output import counted, put
from controller.cli.tournament.log import Author, TournamentPlace, change_log
from controller.cli.tournament.sheets import cents, percent
from controller.errors import UserError
from controller.hub.evening.tournament_log import begin_log
from controller.record.journal.journal import utc_now
from controller.tournament import changes
from controller.tournament.catalogue import load_format
from controller.tournament.draw import is_over, nothing_to_draw
from controller.tournament.entry_list import COLUMNS, listed_players
from controller.tournament.format import (
    LENGTH,
    EventClock,
    TournamentFormat,
    choose_lengths,
    choose_rounds,
    takes_rounds,
)
from controller.tournament.match import Bracket, MatchEnding
from controller.tournament.prizes import CENTS, PERCENT
from controller.tournament.sheets.lines import drawn_lines
from controller.tournament.sheets.wording import TournamentWords
from controller.tournament.tournament import fold

SCORE: Final = re.compile(r"(\d{1,4})\s*[-:]\s*(\d{1,4})")
LARGEST: Final = 1_000_000
LONGEST_NUMBER: Final = 6


def new(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to make, such as thursday.jsonl.")],
    name: Annotated[str, typer.Option(metavar="NAME", help="What the tournament is called.")],
    chosen: Annotated[
        str,
        typer.Option(
            "--format", metavar="FORMAT", help="A name that `pointsman tournament formats` lists, or a file."
        ),
    ],
    length: Annotated[
        str | None,
        typer.Option(
            metavar="POINTS",
            help="Length of every match; 5,7,9 for rounds of 5, of 7, and of 9 from then on.",
            show_default="the format's",
        ),
    ] = None,
    consolation: Annotated[
        str | None,
        typer.Option(
            metavar="POINTS",
            help="Match length in the consolation.",
            show_default="as --length, or the format's",
        ),
    ] = None,
    last_chance: Annotated[
        str | None,
        typer.Option(
            metavar="POINTS",
            help="Match length in the last chance.",
            show_default="as --consolation, or the format's",
        ),
    ] = None,
    knockout: Annotated[
        str | None,
        typer.Option(
            metavar="POINTS",
            help="Match length in the knockout that follows rounds or groups.",
            show_default="as --length, or the format's",
        ),
    ] = None,
    rounds: Annotated[
        int | None, typer.Option(metavar="NUMBER", help="How many rounds.", show_default="the format's")
    ] = None,
    clock: Annotated[
        EventClock | None,
        typer.Option(metavar="none|simple|bronstein", help="Which clock.", show_default="the format's"),
    ] = None,
    fee: Annotated[
        str | None,
        typer.Option(metavar="AMOUNT", help="What each player adds to the pot.", show_default="the format's"),
    ] = None,
    shares: Annotated[
        str | None,
        typer.Option(
            metavar="PERCENT",
            help="What part of the pot the first place gets, the second, and so on: 50,30,20.",
            show_default="the format's",
        ),
    ] = None,
    seed: Annotated[
        str | None,
        typer.Option(
            metavar="TEXT",
            help="What lots are drawn from, such as dice rolled in public.",
            show_default="by chance",
        ),
    ] = None,
    by: Author = "",
) -> None:
    """Begin a tournament. Its seed is shown, so that anybody can draw the same lots later."""
    later = {
        bracket: _lengths(f"--{str(bracket).replace('_', '-')}", given)
        for bracket, given in (
            (Bracket.CONSOLATION, consolation),
            (Bracket.LAST_CHANCE, last_chance),
            (Bracket.KNOCKOUT, knockout),
        )
    }
    made = choose_lengths(load_format(chosen), _lengths("--length", length), later)
    made = _with_prizes(_changed(made, rounds, clock), fee, shares)
    event = changes.begin(name, made, secrets.token_hex(4) if seed is None else seed)
    begin_log(file, event, utc_now(), by)
    words = TournamentWords(fold([event]))
    put(f"{words.title()}\n{'. '.join(words.facts())}.")


def _changed(made: TournamentFormat, rounds: int | None, clock: EventClock | None) -> TournamentFormat:
    """The format with what the command line says of its rounds and its clock."""
    if rounds is not None:
        if not 1 <= rounds <= 99:
            raise UserError(f"--rounds {rounds} is not possible; give 1 to 99.")
        if not takes_rounds(made):
            raise UserError(
                f"--rounds {rounds}: {made.name} has no number of rounds to choose; leave it out."
            )
        made = choose_rounds(made, rounds)
    return made if clock is None else replace(made, clock=replace(made.clock, kind=clock))


def _with_prizes(made: TournamentFormat, fee: str | None, shares: str | None) -> TournamentFormat:
    """The format with what the command line says of its pot."""
    rules = made.prizes
    if fee is not None:
        rules = replace(rules, fee=cents("--fee", fee) / CENTS)
    if shares is not None:
        rules = replace(rules, shares=tuple(map(percent, shares.split(","))))
    if rules.total > PERCENT:
        raise UserError(f"--shares {shares}: the shares are {rules.total:g} percent together; give 0 to 100.")
    return replace(made, prizes=rules)


def _lengths(option: str, text: str | None) -> tuple[int, ...]:
    """Match lengths as typed, round by round; none where the option was left out."""
    return () if text is None else tuple(_length(option, text, part) for part in text.split(","))


def _length(option: str, text: str, part: str) -> int:
    try:
        return int(str(LENGTH.value(int(part))))
    except ValueError:
        raise UserError(
            f"{option} {text}: {part.strip()!r} is no match length; give 1 to 99, such as 5,7,9."
        ) from None


def enter(
    file: TournamentPlace,
    names: Annotated[list[str] | None, typer.Argument(metavar="[NAME]...", help="Who plays.")] = None,
    rating: Annotated[float | None, typer.Option(metavar="NUMBER", help="The rating, of one player.")] = None,
    experience: Annotated[float, typer.Option(metavar="POINTS", help="Points of match length so far.")] = 0,
    club: Annotated[
        str, typer.Option(metavar="NAME", help="Players of one club are kept apart at first.")
    ] = "",
    country: Annotated[str, typer.Option(metavar="NAME", help="So are those of one country.")] = "",
    family: Annotated[str, typer.Option(metavar="NAME", help="And those of one family.")] = "",
    head_start: Annotated[
        int,
        typer.Option(
            metavar="POINTS", help="Their matches begin with this many points, less those of the opponent."
        ),
    ] = 0,
    source: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="CSV",
            help=f"A list of players with the columns {', '.join(COLUMNS)}; only name is needed.",
        ),
    ] = None,
    by: Author = "",
) -> None:
    """Enter players, also late: they get the place of a bye, or begin with the rounds that they missed."""
    given = names or []
    if rating is not None and len(given) != 1:
        raise UserError(
            "--rating is for one player; enter players with ratings one by one, or --from a list."
        )
    wishes = [
        changes.EntryWish(
            each, rating, experience, club=club, country=country, family=family, head_start=head_start
        )
        for each in given
    ]
    wishes += [] if source is None else _listed(source)
    if not wishes:
        raise UserError("nobody was named; give names, or a list of players --from a CSV file.")
    with change_log(file) as log:
        entered = changes.enter(log.events, wishes)
        log.append(entered, utc_now(), by)
        tournament = log.tournament()
    words = TournamentWords(tournament)
    for each in entered:
        notes = words.remarks(each.entry.number)
        place = [f"takes the bye of match {each.bye_of}"] if each.bye_of else []
        if tournament.matches or len(entered) <= 3:
            put(f"{each.entry.number}  {each.entry.name}{''.join(f', {note}' for note in (*notes, *place))}")
    put(f"{counted(len(entered), 'player')} entered, {len(tournament.entries)} in all.")


def _listed(path: Path) -> list[changes.EntryWish]:
    """The players of a CSV file."""
    try:
        data = path.read_bytes()[: LARGEST + 1]
    except OSError as error:
        raise UserError(f"{path} cannot be read ({error.strerror}); check the path.") from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UserError(f"{path} is not a text file in UTF-8; save it as CSV in UTF-8.") from None
    return listed_players(text, str(path))


def withdraw(
    file: TournamentPlace,
    name: Annotated[str, typer.Argument(metavar="PLAYER", help="Name, beginning of a name, or number.")],
    by: Author = "",
) -> None:
    """Take a player out: what they have not played is walked over, and they are drawn no more."""
    with change_log(file) as log:
        event = changes.withdraw(log.events, name)
        log.append([event], utc_now(), by)
        tournament = log.tournament()
    words = TournamentWords(tournament)
    put(f"{words.name(event.entry)}: {words.text('withdrawn')}.")


def draw(
    file: TournamentPlace,
    seed: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="Another seed for this draw.", show_default="the tournament's"),
    ] = None,
    pair: Annotated[
        list[str] | None,
        typer.Option(metavar="A=B", help="A pair that you make yourself; may be given several times."),
    ] = None,
    trial: Annotated[bool, typer.Option("--trial", help="Show the draw without making it.")] = False,
    language: Language = "en",
    by: Author = "",
) -> None:
    """Draw what comes next: the bracket, the groups, the next round, or the knockout after them."""
    pairs = [_pair(each) for each in pair or []]
    with change_log(file) as log:
        event = changes.draw(log.events, seed, pairs)
        if not trial:
            log.append([event], utc_now(), by)
    put(drawn_lines(fold([*log.events, *([event] if trial else [])]), language))


def _pair(text: str) -> tuple[str, str]:
    one, mark, other = text.partition("=")
    if not (mark and one.strip() and other.strip()):
        raise UserError(
            f'--pair {text} is no pair; give two players with a sign between them, such as "Ann=Bob".'
        )
    return one, other


def play_off(
    file: TournamentPlace,
    players: Annotated[list[str], typer.Argument(metavar="PLAYER PLAYER", help="Two who share a place.")],
    length: Annotated[int, typer.Option(metavar="POINTS", help="Match length.")] = 1,
    language: Language = "en",
    by: Author = "",
) -> None:
    """Have two players who share a place after rounds or groups play for it."""
    if len(players) != 2:
        raise UserError(
            f"{' '.join(players)}: a play-off is for two; give both, each name in quotation marks."
        )
    (points,) = _lengths("--length", str(length))
    with change_log(file) as log:
        event = changes.play_off(log.events, players[0], players[1], points)
        log.append([event], utc_now(), by)
        tournament = log.tournament()
    put(drawn_lines(tournament, language))


def late(
    file: TournamentPlace,
    words: Annotated[
        list[str],
        typer.Argument(metavar="PLAYER MINUTES", help="Who came late to the match that they play now."),
    ],
    language: Language = "en",
    by: Author = "",
) -> None:
    """Note who came late: the opponent begins with points, or wins by walk-over. Both late: name both."""
    pairs = [(words[at], _minutes(words[at + 1])) for at in range(0, len(words) - 1, 2)]
    if len(words) not in (2, 4):
        raise UserError("give a player and the minutes, each name in quotation marks; for both late both.")
    (one, minutes), (other, others) = (*pairs, ("", 0))[:2]
    with change_log(file) as log:
        events = changes.come_late(log.events, one, minutes, other, others)
        log.append(events, utc_now(), by)
        tournament = log.tournament()
    texts = TournamentWords(tournament, language)
    state = texts.states[events[0].match]
    names = " - ".join(map(texts.name, state.players))
    put(f"{state.match.number}  {names}  {texts.score(state.result) or texts.start(state)}".rstrip())


def _minutes(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= LONGEST_NUMBER):
        raise UserError(f"{text!r} are no minutes; give a whole number after the player, such as Ann 12.")
    return int(text)


def result(
    file: TournamentPlace,
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="MATCH SCORE", help="12 7-4, or the players and the points of both: Ann Bob 7-4."
        ),
    ],
    walkover: Annotated[
        bool, typer.Option("--walkover", help="The first player goes on, the other did not come.")
    ] = False,
    double_walkover: Annotated[bool, typer.Option("--double-walkover", help="Neither came.")] = False,
    instead: Annotated[
        bool, typer.Option("--replace", help="Put it in the place of the result that was reported.")
    ] = False,
    language: Language = "en",
    by: Author = "",
) -> None:
    """Report the result of a match, by its number or by its players."""
    report = _report(words, walkover=walkover, double_walkover=double_walkover)
    with change_log(file) as log:
        event = changes.report(log.events, report, instead=instead)
        log.append([event], utc_now(), by)
        tournament = log.tournament()
    texts = TournamentWords(tournament, language)
    names = " - ".join(map(texts.name, event.result.players))
    put(f"{event.match}  {names}  {texts.score(event.result)}")
    if is_over(tournament):
        put(f"{texts.text('over')} {texts.champion()}".rstrip())
    elif not nothing_to_draw(tournament):
        put(texts.text("draw_next"))


def _report(words: list[str], *, walkover: bool, double_walkover: bool) -> changes.Report:
    if walkover and double_walkover:
        raise UserError("--walkover and --double-walkover cannot both be; give one of them.")
    ending = (
        MatchEnding.WALKOVER
        if walkover
        else MatchEnding.DOUBLE_WALKOVER
        if double_walkover
        else MatchEnding.PLAYED
    )
    score, rest = None, list(words)
    if ending is MatchEnding.PLAYED:
        found = SCORE.fullmatch(rest.pop().strip()) if rest else None
        if found is None:
            raise UserError(f'"{words[-1]}" is no score; give the points of both at the end, such as 7-4.')
        score = (int(found[1]), int(found[2]))
    if len(rest) == 2:
        return changes.Report((rest[0], rest[1]), score, ending)
    if len(rest) == 1 and rest[0].lstrip("#").isdecimal() and ending is not MatchEnding.WALKOVER:
        return changes.Report(int(rest[0].lstrip("#")), score, ending)
    if ending is MatchEnding.WALKOVER:
        raise UserError(
            "a walk-over needs both players, the one who goes on first, each name in quotation marks."
        )
    raise UserError(
        f"{' '.join(rest)!r} names no match; give its number, or both players, each name in quotation marks."
    )


def undo(
    file: TournamentPlace,
    number: Annotated[
        int | None,
        typer.Argument(
            metavar="[EVENT]",
            help="Which event, as `pointsman tournament show --log` numbers them.",
            show_default="the last",
        ),
    ] = None,
    later: Annotated[bool, typer.Option("--later", help="Undo what follows from it, too.")] = False,
    by: Author = "",
) -> None:
    """Take an event back, as if it had never happened. Undoing can be undone."""
    with change_log(file) as log:
        event = changes.undo(log.events, number, later=later)
        words = TournamentWords(log.tournament())
        told = [f"{each}  {words.event(log.events[each - 1])}" for each in event.numbers]
        log.append([event], utc_now(), by)
    put("\n".join(f"{words.text('event', 'counts_not')}: {each}" for each in told))
