"""A tournament as one HTML page with nothing from outside: matches, standings, ratings, brackets on A3."""

from markupsafe import Markup

from controller.record.files.html_page import html_page
from controller.tournament.rating import player_ratings
from controller.tournament.sheets.drawing import bracket_svg, chart_names
from controller.tournament.sheets.wording import TournamentWords, is_played
from controller.tournament.standings import standing_tables
from controller.tournament.tournament import Tournament


def tournament_html(tournament: Tournament, language: str = "en") -> str:
    """The page. Every name is escaped. Raises LanguageError."""
    words = TournamentWords(tournament, language)
    rounds: dict[str, list[object]] = {}
    for state in words.states.values():
        if is_played(state):
            rounds.setdefault(words.round_name(state.match), []).append(state)
    return html_page(
        __package__,
        "page.html",
        language=language,
        words=words,
        tables=standing_tables(tournament),
        rounds=rounds,
        ratings=player_ratings(tournament),
        brackets=[
            (words.text("bracket", each), Markup(bracket_svg(tournament, language, each)))
            for each in chart_names(tournament)
        ],
    )
