"""What is drawn next: a bracket, a round, groups, or the knockout that follows them."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import combinations, count

from controller.tournament.brackets import bracket_matches, seeded_order, size_for
from controller.tournament.events import MatchesDrawn
from controller.tournament.fault import RefusalError
from controller.tournament.format import Seeding, StageKind, of_round
from controller.tournament.lot import lot, shuffle
from controller.tournament.match import (
    BYE,
    NOBODY,
    Bracket,
    MatchSource,
    SourceKind,
    TournamentMatch,
)
from controller.tournament.matching import LOTS, Pair, pair_cheaply
from controller.tournament.pairing import clash, pair_round
from controller.tournament.record import alive, player_records
from controller.tournament.round_robin import all_rounds, even_groups
from controller.tournament.standings import group_tables, play_off_groups
from controller.tournament.tournament import DrawnMatch, Progress, Tournament


def draw_next(tournament: Tournament, seed: str, fixed: Sequence[Pair] = ()) -> MatchesDrawn:
    """Draw what comes next with this seed; `fixed` pairs of a round are those that the director has made.

    Raises RefusalError if matches are open, there is nothing left to draw, or too few players are here.
    """
    if refusal := nothing_to_draw(tournament):
        raise refusal
    if tournament.format.stage.kind is StageKind.FREE:
        return _free_pairs(tournament, seed, fixed)
    if fixed and not (tournament.format.stage.kind is StageKind.ROUNDS and not _knockout_is_next(tournament)):
        raise RefusalError("pairs_not_now")
    if _knockout_is_next(tournament):
        drawn = _knockout(tournament, seed)
    elif tournament.format.stage.kind is StageKind.BRACKETS:
        drawn = _brackets(tournament, seed)
    elif tournament.format.stage.kind is StageKind.ROUND_ROBIN:
        drawn = _groups(tournament, seed)
    else:
        drawn = _round(tournament, seed, fixed)
    first = max(tournament.matches, default=0)
    return replace(drawn, matches=tuple(_numbered(each, first) for each in drawn.matches))


def nothing_to_draw(tournament: Tournament) -> RefusalError | None:
    """Why nothing can be drawn now; None if something can."""
    states = tournament.states().values()
    free = tournament.format.stage.kind is StageKind.FREE
    unfinished = (
        [] if free else [each for each in states if each.progress in (Progress.OPEN, Progress.WAITING)]
    )
    if unfinished:
        return _not_over(unfinished)
    if not free and is_over(tournament):
        return RefusalError("event_over", name=tournament.name)
    here = [each for each in tournament.entries if each not in tournament.withdrawn]
    return RefusalError("too_few", count=len(here)) if len(here) < 2 else None


def _not_over(unfinished: Sequence[DrawnMatch]) -> RefusalError:
    first = unfinished[0].match
    if len(unfinished) == 1:
        return RefusalError("match_not_over", match=first.number, round=first.round)
    numbers = ", ".join(str(each.match.number) for each in unfinished[:3])
    if len(unfinished) <= 3:
        return RefusalError("matches_not_over", matches=numbers)
    return RefusalError("more_not_over", matches=numbers, more=len(unfinished) - 3)


def draw_play_off(tournament: Tournament, one: int, other: int, length: int) -> MatchesDrawn:
    """A match between two players who would share a place after rounds or groups.

    Raises RefusalError if their places are not known yet, are not equal, or they have played it already.
    """
    names = {"one": tournament.entries[one].name, "other": tournament.entries[other].name}
    if refusal := _no_play_off_now(tournament):
        raise refusal
    equal = play_off_groups(tournament)
    if one == other or not any(one in each and other in each for each in equal):
        if not equal:
            raise RefusalError("no_shared_places", **names)
        groups = "; ".join(", ".join(tournament.entries[each].name for each in group) for group in equal[:4])
        raise RefusalError("no_shared_place", **names, groups=groups)
    before = tournament.play_offs()
    if any({*each.players} == {one, other} for each in before):
        raise RefusalError("play_off_had", **names)
    turn = 1 + max((each.match.round for each in before if {one, other} & {*each.players}), default=0)
    number = 1 + max(tournament.matches, default=0)
    match = TournamentMatch(number, Bracket.PLAY_OFF, turn, _entry(one), _entry(other), length)
    return MatchesDrawn(tournament.seed, (match,))


def possible_play_offs(tournament: Tournament) -> list[tuple[int, int]]:
    """The pairs of players for whom a play-off can be drawn now, the best places first."""
    if _no_play_off_now(tournament):
        return []
    before = [{*each.players} for each in tournament.play_offs()]
    pairs = [pair for group in play_off_groups(tournament) for pair in combinations(group, 2)]
    left = [(one, other) for one, other in pairs if not {one, other} & tournament.withdrawn]
    return [pair for pair in left if {*pair} not in before]


def busy_players(tournament: Tournament) -> dict[int, int]:
    """The players of open matches, each with the match."""
    return {
        player: state.match.number
        for state in tournament.states().values()
        if state.progress is Progress.OPEN
        for player in state.players
    }


def _no_play_off_now(tournament: Tournament) -> RefusalError | None:
    """Why no play-off can be drawn now; None if one can."""
    if tournament.format.stage.kind is StageKind.BRACKETS:
        return RefusalError("play_off_brackets")
    states = tournament.states().values()
    if any(each.match.bracket is Bracket.KNOCKOUT for each in states):
        return RefusalError("play_off_knockout")
    if unfinished := [each for each in states if each.progress in (Progress.OPEN, Progress.WAITING)]:
        return _not_over(unfinished)
    return None if _stage_is_over(tournament) else RefusalError("play_off_rounds")


def is_over(tournament: Tournament) -> bool:
    """Whether all matches are over and none will be drawn any more."""
    states = tournament.states().values()
    if any(each.progress in (Progress.OPEN, Progress.WAITING) for each in states):
        return False
    if not _stage_is_over(tournament):
        return False
    wanted = tournament.format.knockout.qualify > 0
    return not wanted or any(each.match.bracket is Bracket.KNOCKOUT for each in states)


def _stage_is_over(tournament: Tournament) -> bool:
    """Whether brackets, groups or rounds are drawn to the end; their last matches may still be on."""
    rules = tournament.format.stage
    if rules.kind is not StageKind.ROUNDS:
        return bool(tournament.matches)
    drawn = tournament.rounds_drawn()
    if rules.rounds is not None and drawn >= rules.rounds:
        return True
    if drawn == 0:
        return False
    records = player_records(tournament, tournament.stage(knockout=False))
    playing = alive(tournament, records)
    if rules.play_off_at is not None and len(playing) <= min(rules.play_off_at, len(records) - 1):
        return True
    if rules.to_win is None:
        return len(playing) < 2
    return sum(records[each].losses < rules.to_win for each in playing) <= 1 or len(playing) < 2


def _knockout_is_next(tournament: Tournament) -> bool:
    return tournament.format.knockout.qualify > 0 and bool(tournament.matches) and _stage_is_over(tournament)


def _numbered(match: TournamentMatch, first: int) -> TournamentMatch:
    def moved(source: MatchSource) -> MatchSource:
        before = source.kind in (SourceKind.WINNER, SourceKind.LOSER)
        return MatchSource(source.kind, source.number + first) if before else source

    return replace(match, number=match.number + first, first=moved(match.first), second=moved(match.second))


def _entry(player: int) -> MatchSource:
    return BYE if player == NOBODY else MatchSource(SourceKind.ENTRY, player)


def _here(tournament: Tournament) -> list[int]:
    return [each for each in sorted(tournament.entries) if each not in tournament.withdrawn]


def _in_order(tournament: Tournament, seed: str) -> list[int]:
    """Everybody who is here, by rating where the format says so, else by lot."""
    order = shuffle(seed, "order", _here(tournament))
    if tournament.format.stage.seeding is Seeding.RATING:
        order.sort(key=lambda each: -(tournament.entries[each].rating or tournament.format.rating.start))
    return order


# --- rounds ----------------------------------------------------------------------------------------------


def _round(tournament: Tournament, seed: str, fixed: Sequence[Pair]) -> MatchesDrawn:
    number = tournament.rounds_drawn() + 1
    paired = pair_round(tournament, seed, fixed)
    length = round_length(tournament, Bracket.ROUNDS, number)
    matches = tuple(
        TournamentMatch(place, Bracket.ROUNDS, number, _entry(one), _entry(other), length)
        for place, (one, other) in enumerate(paired.pairs, start=1)
    )
    totals = {str(key): value for key, value in paired.totals.items()}
    return MatchesDrawn(seed, matches, totals, tuple(sorted(tournament.withdrawn)))


def _free_pairs(tournament: Tournament, seed: str, pairs: Sequence[Pair]) -> MatchesDrawn:
    """The director's pairs; everybody else goes on with what they play, or waits."""
    if not pairs:
        raise RefusalError("pairs_missing", name=tournament.name)
    busy = busy_players(tournament)
    for player in (each for pair in pairs for each in pair):
        name = tournament.entries[player].name
        if player in tournament.withdrawn:
            raise RefusalError("has_withdrawn", name=name)
        if player in busy:
            raise RefusalError("plays_now", name=name, match=busy[player])
    number, before = tournament.rounds_drawn() + 1, max(tournament.matches, default=0)
    length = round_length(tournament, Bracket.ROUNDS, number)
    matches = tuple(
        TournamentMatch(before + place, Bracket.ROUNDS, number, _entry(one), _entry(other), length)
        for place, (one, other) in enumerate(pairs, start=1)
    )
    return MatchesDrawn(seed, matches)


def round_length(tournament: Tournament, bracket: Bracket, number: int, *, final: bool = False) -> int:
    """The points of a match in a round of a bracket."""
    rules = tournament.format.match
    if final and rules.final is not None:
        return rules.final
    lengths = {
        Bracket.CONSOLATION: rules.consolation,
        Bracket.LAST_CHANCE: rules.last_chance or rules.consolation,
        Bracket.KNOCKOUT: rules.knockout,
    }.get(bracket, ()) or rules.length
    return of_round(lengths, number)


# --- groups ----------------------------------------------------------------------------------------------


def _groups(tournament: Tournament, seed: str) -> MatchesDrawn:
    rules, entries = tournament.format.stage, tournament.entries
    order = _in_order(tournament, seed)
    most = rules.groups_of or len(order)
    groups = even_groups(
        order,
        most,
        lambda one, other: clash(entries[one], entries[other], rules.apart),
        lambda player, group: lot(seed, "group", player, group),
    )
    apart = sum(
        clash(entries[one], entries[other], rules.apart)
        for group in groups
        for place, one in enumerate(group)
        for other in group[place + 1 :]
    )
    several = len(groups) > 1
    found = [
        (number, group * several, pair)
        for group, players in enumerate(groups, start=1)
        for number, pairs in all_rounds(shuffle(seed, "berger", players), rules)
        for pair in pairs
        if NOBODY not in pair
    ]
    found.sort(key=lambda each: each[:2])
    matches = tuple(
        TournamentMatch(
            place,
            Bracket.GROUP,
            number,
            first=_entry(one),
            second=_entry(other),
            length=round_length(tournament, Bracket.GROUP, number),
            group=group,
        )
        for place, (number, group, (one, other)) in enumerate(found, start=1)
    )
    return MatchesDrawn(seed, matches, {"apart": apart} if several else {})


# --- brackets --------------------------------------------------------------------------------------------


def _brackets(tournament: Tournament, seed: str) -> MatchesDrawn:
    made = tournament.format
    if made.stage.seeding is Seeding.RATING:
        order, totals = _in_order(tournament, seed), {}
    else:
        order, together = _drawn_order(tournament, seed)
        totals = {"apart": together}
    matches = bracket_matches(len(order), made.consolation, made.last_chance)
    return MatchesDrawn(seed, _filled(tournament, matches, order), totals)


def _drawn_order(tournament: Tournament, seed: str) -> tuple[list[int], int]:
    """The players by seed after a random draw, and how much those who meet first have in common.

    Pairs and byes of the first round are drawn together, then shuffled over the bracket.
    """
    players = shuffle(seed, "order", _here(tournament))
    pairs, shared = _first_pairs(tournament, players, seed)
    paired = {each for pair in pairs for each in pair}
    together, alone = iter(pairs), iter([each for each in players if each not in paired])
    order = [NOBODY] * size_for(len(players))
    places = seeded_order(len(players))
    for one, other in zip(places[::2], places[1::2], strict=True):
        high, low = min(one, other), max(one, other)
        if low > len(players):
            order[high - 1] = next(alone)
        else:
            order[high - 1], order[low - 1] = next(together)
    return order[: len(players)], shared


def _first_pairs(tournament: Tournament, players: Sequence[int], seed: str) -> tuple[list[Pair], int]:
    """Who plays in the first round, in the order of lots, and how much all pairs have in common: as little as can be.

    Where there are enough pairs with nothing in common some of these are taken; else pairs and byes are weighed
    together, which takes longer.
    """
    entries, apart = tournament.entries, tournament.format.stage.apart
    number = len(players) - size_for(len(players)) // 2
    costs: dict[Pair, tuple[int, int]] = {
        (one, other): (
            clash(entries[one], entries[other], apart),
            lot(seed, "pair", *sorted((one, other))) % LOTS,
        )
        for place, one in enumerate(players)
        for other in players[place + 1 :]
    }
    if not any(shared for shared, _ in costs.values()):
        return list(zip(players[:number], players[number : 2 * number], strict=True)), 0
    found = pair_cheaply({pair: cost for pair, cost in costs.items() if cost[0] == 0})
    if len(found) < number:
        byes = [-each for each in range(1, len(players) - 2 * number + 1)]
        alone = {(each, bye): (0, lot(seed, "bye", each, bye) % LOTS) for bye in byes for each in players}
        found = {pair for pair in pair_cheaply(costs | alone) if pair[1] > 0}
    drawn = sorted(found, key=lambda pair: (lot(seed, "place", *sorted(pair)), pair))[:number]
    return drawn, sum(costs[pair][0] for pair in drawn)


def _filled(
    tournament: Tournament, matches: Sequence[TournamentMatch], order: Sequence[int]
) -> tuple[TournamentMatch, ...]:
    """A template with players for seeds, and lengths."""
    last = {each.bracket: each.round for each in matches}
    titled = Bracket.TITLE in last

    def length(match: TournamentMatch) -> int:
        final = match.bracket is Bracket.TITLE or (
            not titled
            and match.bracket in (Bracket.MAIN, Bracket.KNOCKOUT)
            and match.round == last[match.bracket]
        )
        number = last[Bracket.MAIN] + match.round if match.bracket is Bracket.TITLE else match.round
        return round_length(tournament, match.bracket, number, final=final)

    def seat(source: MatchSource) -> MatchSource:
        return _entry(order[source.number - 1]) if source.kind is SourceKind.SEED else source

    return tuple(
        replace(each, first=seat(each.first), second=seat(each.second), length=length(each))
        for each in matches
    )


def _knockout(tournament: Tournament, seed: str) -> MatchesDrawn:
    order = qualified_order(tournament, seed)
    if len(order) < 2:
        raise RefusalError("knockout_too_few")
    matches = bracket_matches(len(order), bracket=Bracket.KNOCKOUT)
    return MatchesDrawn(seed, _filled(tournament, matches, order))


def qualified_order(tournament: Tournament, seed: str) -> list[int]:
    """Who goes on to the knockout, by seed: winners of groups first, and of one group as far apart as possible."""
    tiers = qualifiers(tournament, seed)
    group = {player: number for tier in tiers for number, player in tier}
    if len(set(group.values())) < 2:
        return [player for tier in tiers for _, player in tier]
    total = len(group)
    places = {each: place for place, each in enumerate(seeded_order(total))}
    order: list[int] = []
    for tier in tiers:
        seeds = range(len(order) + 1, len(order) + len(tier) + 1)
        early = _early_meeting(places, order, group)
        costs: dict[Pair, tuple[int, int]] = {
            (player, -each): (early(player, each), lot(seed, "seed", player, each) % LOTS)
            for _, player in tier
            for each in seeds
        }
        order += [player for player, _ in sorted(pair_cheaply(costs), key=lambda pair: -pair[1])]
    return order


def _early_meeting(
    places: dict[int, int], order: Sequence[int], group: dict[int, int]
) -> Callable[[int, int], int]:
    """How early a player on a seed meets those of their group who have one: more for each round before the final."""
    rounds = (len(places) - 1).bit_length()

    def cost(player: int, seed: int) -> int:
        return sum(
            1 << 2 * (rounds - (places[seed] ^ places[other]).bit_length())
            for other, there in enumerate(order, start=1)
            if group[there] == group[player]
        )

    return cost


def qualifiers(tournament: Tournament, seed: str) -> list[list[Pair]]:
    """Who goes on: group and player, all winners of groups first, then all seconds, and so on.

    Between players who share a place the lot decides.
    """
    most = tournament.format.knockout.qualify
    tables = group_tables(tournament)
    ranked: Iterable[list[Pair]] = (
        [
            (table.group, row.player)
            for row in sorted(table.rows, key=lambda row: (row.place or 0, lot(seed, "cut", row.player)))
            if row.place and row.player not in tournament.withdrawn
        ]
        for table in tables
    )
    chosen = [each[:most] for each in ranked]
    if len(chosen) == 1:
        return [[pair] for pair in chosen[0]]
    tiers: list[list[Pair]] = []
    for rank in count():
        tier = [each[rank] for each in chosen if len(each) > rank]
        if not tier:
            return tiers
        tiers.append(tier)
    raise AssertionError
