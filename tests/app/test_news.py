"""What everybody at a table is told of what happened to the board."""

from controller.app.around.news import TableNews
from controller.messages.catalogue import LANGUAGES
from controller.referee.actions import Action, BoardLost, Covered, LightChanged
from controller.web.health import TableFigures
from controller.web.table_service import News, RoomView

# Nobody who listens here looks at the table itself.
VIEW: RoomView = None  # type: ignore[assignment]


def news_of(*actions: Action) -> tuple[TableNews, list[News]]:
    """The news of a table, and what it told of these actions."""
    given = list[News]()
    news = TableNews(lambda: VIEW, TableFigures())
    news.subscribe(given.append)
    news.hear_actions(actions)
    return news, given


def test_everybody_at_the_table_hears_that_something_lies_on_the_board() -> None:
    covered = Covered(1.0, 2, (6, 7))
    _, (told,) = news_of(covered, LightChanged(1.0, 2, 0.5, 0.5, 0.5))
    assert covered in told.actions
    (words,) = told.words
    assert len({words(language) for language in LANGUAGES}) == len(LANGUAGES)
    assert "Please take it away" in words("en")


def test_a_board_that_is_lost_is_a_notice_for_the_director() -> None:
    news, (told,) = news_of(BoardLost(1.0, 2))
    assert told.words == ()
    assert len(news.notices) == 1
