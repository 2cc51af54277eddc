"""What many matches tell, in words and as a page: dice, players, and what the numbers do not say."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

from markupsafe import Markup

from controller.analysis.charts import bars_svg
from controller.analysis.engine import Skill
from controller.analysis.fairness import ENOUGH, smallest_fault
from controller.analysis.statistics import DiceSet, PlayerStatistics, dice_sets, players_of
from controller.analysis.wording import rate_text
from controller.messages.catalogue import catalogue
from controller.record import MatchRecord
from controller.record.files.html_page import html_page
from controller.record.files.match_text import one_line

CAVEATS: Final = ("says_dice", "says_fair", "says_players", "says_names")


@dataclass(frozen=True, slots=True)
class Statistics:
    """What many matches tell.

    Attributes:
        matches: how many; `games` in them.
        dice: sets of rolls, all of them first.
        players: every player with a name.
        skills: error rates and luck by the player's name, where an engine was asked.
    """

    matches: int
    games: int
    dice: tuple[DiceSet, ...]
    players: tuple[PlayerStatistics, ...]
    skills: Mapping[str, Skill]


def gather_statistics(records: Sequence[MatchRecord], skills: Mapping[str, Skill]) -> Statistics:
    """Count over all matches."""
    games = sum(len(record.games) for record in records)
    return Statistics(len(records), games, dice_sets(records), players_of(records), skills)


class StatisticsWords:
    """Statistics in the words of a language."""

    def __init__(self, found: Statistics, language: str = "en") -> None:
        """Raises LanguageError."""
        self.found, self._texts = found, catalogue(language)

    def say(self, entry: str, **arguments: object) -> str:
        """A text of the catalogue about statistics."""
        return self._texts.text("statistics", entry, **arguments)

    def extent(self) -> str:
        """Over how much is counted."""
        return self.say("extent", matches=self.found.matches, games=self.found.games)

    def called(self, dice: DiceSet) -> str:
        """What a set of rolls is called, with their number."""
        name = one_line(dice.name)
        called = name if dice.kind == "player" else self.say(dice.kind, name=name)
        return f"{called}, {self.say('rolls', rolls=dice.audit.rolls)}"

    def verdict(self, dice: DiceSet) -> str:
        """Whether the dice look fair, and what the test could have found."""
        if dice.p is None:
            return self.say("few", enough=ENOUGH)
        told = self.say("odd" if dice.suspicious else "fair", percent=_percent(dice.p))
        return f"{told} {self.say('power', percent=round(100 * smallest_fault(dice.audit.rolls)))}"

    def facts(self, player: PlayerStatistics) -> Iterator[tuple[str, str]]:
        """What is known of a player: each figure with its name."""
        none = self.say("none")
        yield self.say("matches_won"), f"{player.won} / {player.matches}" if player.matches else none
        yield self.say("games_won"), f"{player.games_won} / {player.games}" if player.games else none
        if player.share is not None:
            low, high = player.share
            yield self.say("share"), f"{100 * low:.0f}-{100 * high:.0f} %"
        yield self.say("points"), str(player.points)
        yield self.say("illegal"), f"{player.illegal} / {player.turns}"
        if player.unconfirmed:
            yield self.say("unconfirmed"), f"{player.unconfirmed} / {player.turns}"
        if player.median_s is not None and player.mean_s is not None:
            yield self.say("pace"), f"{player.median_s:.1f} s, {player.mean_s:.1f} s"
        if (skill := self.found.skills.get(player.name)) is not None:
            rates = f"{rate_text(skill.pr, 2)}, {rate_text(skill.rate)}, {skill.luck:+.3f}"
            yield self.say("pr"), rates

    def name(self, player: PlayerStatistics) -> str:
        """A player's name on one line."""
        return one_line(player.name)

    def caveats(self) -> Iterator[str]:
        """What the numbers say, and what they do not."""
        return (self.say(entry) for entry in CAVEATS)


def statistics_text(found: Statistics, language: str = "en") -> str:
    """All as plain text. Ends with a line break. Raises LanguageError."""
    words = StatisticsWords(found, language)
    lines = [words.extent(), "", words.say("dice")]
    for dice in found.dice:
        faces = "  ".join(f"{face}: {count}" for face, count in enumerate(dice.audit.faces, start=1))
        lines += [f"  {words.called(dice)}", f"    {faces}", f"    {words.verdict(dice)}"]
    if found.players:
        lines += ["", words.say("players")]
    for player in found.players:
        facts = list(words.facts(player))
        wide = max(len(name) for name, _ in facts)
        lines.append(f"  {words.name(player)}")
        lines += [f"    {name:{wide}}  {value}" for name, value in facts]
    lines += ["", words.say("says"), *(f"  {caveat}" for caveat in words.caveats())]
    return "\n".join(lines) + "\n"


def statistics_html(found: Statistics, language: str = "en") -> str:
    """All as one page with charts and nothing from outside. Raises LanguageError."""
    words = StatisticsWords(found, language)
    return html_page(
        __package__,
        "overview.html",
        language=language,
        words=words,
        found=found,
        chart=lambda dice: _chart(dice, words),
    )


def _chart(dice: DiceSet, words: StatisticsWords) -> Markup:
    """How often each number came, beside what fair dice do in 19 of 20 cases."""
    thrown = 2 * dice.audit.rolls
    spread = 1.96 * sqrt(thrown * 5 / 36)
    bars = [(str(face), float(count)) for face, count in enumerate(dice.audit.faces, start=1)]
    return Markup(bars_svg(bars, thrown / 6, spread, f"{words.say('faces')}: {words.called(dice)}"))


def _percent(p: float) -> str:
    """A chance in per cent with two figures that mean something."""
    if 100 * p >= 10:
        return f"{100 * p:.0f}"
    return f"{100 * p:.2g}" if 100 * p >= 0.01 else "0.01"
