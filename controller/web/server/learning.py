"""What the page to learn from asks for. Engines work in threads of their own, at low priority."""

import asyncio
import contextvars
import logging
import os
import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import Annotated, Any, Final, TypeVar

from fastapi import APIRouter, HTTPException, Query, Request, Response
from pydantic import BaseModel, Field

from controller.analysis.engine import Analysis
from controller.analysis.lessons.lesson import lesson_named
from controller.analysis.lessons.lesson_words import lesson_text
from controller.analysis.lessons.marking import mark_answer
from controller.analysis.lessons.progress import LONGEST_NAME, ProgressFile, learner_name
from controller.errors import UserError
from controller.messages.catalogue import catalogue
from controller.messages.device_words import program_words
from controller.record import MatchRecord
from controller.record.match.corrections import named_play
from controller.referee import TurnJudged
from controller.rules import Roll, Side, is_result
from controller.telling.table import played_words
from controller.web.course import RecentCourse
from controller.web.learning.board_lesson import BoardLesson, board_lesson
from controller.web.learning.board_question import (
    BoardGlance,
    MovingError,
    board_glance,
    drawn,
    glance_content,
    keep_content,
)
from controller.web.learning.course_content import (
    class_content,
    course_content,
    lesson_content,
    lesson_landings,
    mark_content,
)
from controller.web.learning.lessons import (
    LessonPlace,
    aids_content,
    analysed,
    answer_content,
    are_aids_allowed,
    landings_content,
    lesson_place,
    mistakes_content,
    place_content,
    place_of_turn,
    played_position,
)
from controller.web.server.api import aside, match_record, rightful_router
from controller.web.server.picture import board_jpeg
from controller.web.server.site import Site
from controller.web.table_service import RoomState

_LOGGER: Final = logging.getLogger(__name__)

NICE: Final = 15
"""How far engines stand back behind everything else."""
AT_ONCE: Final = 2
"""This many engines work at once."""
MOST_WAITING: Final = 8
"""This many questions to them may be open."""
PICTURES: Final = 4
"""This many pictures that questions were read from are kept, to be shared."""
Thing = TypeVar("Thing")
LessonName = Annotated[str, Query(min_length=1, max_length=40)]
Xgid = Annotated[str, Query(min_length=10, max_length=200)]


class LessonAnswered(BaseModel):
    """An answer to a lesson of the course."""

    lesson: str = Field(min_length=1, max_length=40)
    learner: str = Field(min_length=1, max_length=LONGEST_NAME)
    answer: str = Field(min_length=1, max_length=100)
    hinted: bool = False


class PlayAnswered(BaseModel):
    """A play of a position to practise."""

    xgid: str = Field(min_length=10, max_length=200)
    play: str = Field(min_length=1, max_length=100)


class PositionKept(BaseModel):
    """A position to be asked again, and the play that was chosen, if any."""

    xgid: str = Field(min_length=10, max_length=200)
    play: str | None = Field(default=None, min_length=1, max_length=100)


@dataclass(slots=True)
class MistakeSearch:
    """The analysis of one match as far as the journal had it at an event."""

    match: str
    event: int
    record: MatchRecord
    future: "Future[Analysis]"
    done: list[int] = field(default_factory=lambda: [0, 0])


class Study:
    """The engines behind the page. For the thread of the web server."""

    def __init__(self) -> None:
        """Nothing is analysed yet."""
        self.search: MistakeSearch | None = None
        self._room = threading.BoundedSemaphore(AT_ONCE)
        self._waiting = 0

    def begin(self, work: Callable[..., Thing], *given: Any) -> "Future[Thing]":
        """Have something worked out behind everything else; the end of the program does not wait for it."""
        if self._waiting >= MOST_WAITING:
            raise HTTPException(503, "Too much is being worked out; please try again in a moment.")
        self._waiting += 1
        future: Future[Thing] = Future()

        context = contextvars.copy_context()

        def run() -> None:
            _stand_back()
            with self._room:
                try:
                    future.set_result(work(*given))
                except UserError as error:
                    future.set_exception(error)
                except Exception as error:
                    _LOGGER.exception("A defect while something was worked out.")
                    future.set_exception(error)
                finally:
                    self._waiting -= 1

        threading.Thread(target=context.run, args=(run,), name="pointsman-learn", daemon=True).start()
        return future

    def search_of(self, match: str, event: int, record: MatchRecord) -> MistakeSearch:
        """The search in a match; begun anew where more has been played since the last one ended."""
        found = self.search
        if found is None or found.match != match or (found.future.done() and found.event != event):
            done = [0, 0]

            def progress(count: int, of: int) -> None:
                done[:] = [count, of]

            future = self.begin(analysed, record, progress)
            self.search = MistakeSearch(match, event, record, future, done)
        assert self.search is not None
        return self.search


def learning_routes(site: Site) -> APIRouter:
    """The routes of the page to learn from."""
    router, study = rightful_router(site), Study()

    @router.get("/learn")
    async def learn(request: Request) -> dict[str, Any]:
        """Whether the rules allow aids now, and what the lights show a learner."""
        person = site.person(request)
        return aids_content(site.outlet.view, site.language(request), person.side or Side.LIGHT)

    @router.get("/learn/position")
    async def position(request: Request, xgid: Xgid) -> dict[str, Any]:
        """A position to practise, by its XGID with dice."""
        return place_content(_place(xgid), site.language(request))

    @router.get("/learn/landings")
    async def landings(xgid: Xgid, play: Annotated[str, Query(max_length=100)] = "") -> dict[str, Any]:
        """Where each checker may land next, once a position is played as far as ``play`` says."""
        _refuse_aids(site)
        try:
            return landings_content(_place(xgid), play.strip())
        except UserError as error:
            raise HTTPException(422, str(error)) from None

    @router.post("/learn/answer")
    async def answer(request: Request, answered: PlayAnswered) -> dict[str, Any]:
        """The best plays of a position with their numbers, and what the play that was chosen loses."""
        _refuse_aids(site)
        place = _place(answered.xgid)
        try:
            after, named = played_position(place, answered.play), named_play(answered.play)
        except UserError:
            unread = catalogue(site.language(request)).text("question", "unread", play=answered.play)
            raise HTTPException(422, unread) from None
        return await _ask(study, answer_content, place, after, site.language(request), named)

    @router.get("/learn/last")
    async def last(request: Request) -> dict[str, Any]:
        """The play before at this table, and the best ones."""
        _refuse_aids(site)
        language, turn, table = site.language(request), _last_turn(site), site.outlet.view.referee
        if turn is None or table is None:
            raise HTTPException(404, catalogue(language).text("question", "no_play_yet"))
        place = place_of_turn(table, turn)
        said = await _ask(study, answer_content, place, turn.after, language)
        if turn.legal is None:
            # What it loses may be nobody's mistake.
            said["played"]["text"] = played_words(turn, language)
        return {**place_content(place, language), **said}

    @router.get("/learn/mistakes")
    async def mistakes(request: Request, match: str) -> dict[str, Any]:
        """The mistakes of a match, one's own for a player; ``state`` is ``working`` until they are found."""
        _refuse_aids(site)
        record = await match_record(site, match)
        search = study.search_of(match, site.outlet.view.event, record)
        if not search.future.done():
            return {"state": "working", "done": search.done[0], "of": search.done[1]}
        try:
            found = search.future.result()
        except UserError as error:
            study.search = None
            raise HTTPException(409, str(error)) from None
        side = site.person(request).side
        return {"state": "done", **mistakes_content(search.record, found, side, site.language(request))}

    _add_board(router, site, study)
    _add_course(router, site, ProgressFile())
    return router


def _add_board(router: APIRouter, site: Site, study: Study) -> None:
    """The routes of the question that is put at the board under the camera."""
    glances: OrderedDict[int, BoardGlance] = OrderedDict()
    turn = asyncio.Lock()

    @router.get("/learn/board")
    async def board(
        request: Request,
        side: Side | None = None,
        dice: Annotated[str | None, Query(pattern="^[1-6][1-6]$")] = None,
    ) -> dict[str, Any]:
        """What lies on the board: a question as XGID, or what is to be told before, or what stands against it."""
        _refuse_aids(site)
        language, view = site.language(request), site.outlet.view
        try:
            glance = board_glance(site.house.glimpse(), view, language)
        except UserError as error:
            raise HTTPException(409, str(error)) from None
        roll = None if dice is None else Roll.from_dice(int(dice[0]), int(dice[1]))
        glances[glance.glimpse.number] = glance
        while len(glances) > PICTURES:
            glances.popitem(last=False)
        content = await aside(site, lambda: glance_content(glance, view, side, roll, language))
        return {**content, "picture": glance.glimpse.number}

    @router.get("/learn/board.jpg", response_class=Response)
    async def board_picture(picture: int) -> Response:
        """The camera's picture that a question was read from, drawn straight, JPEG; the last few are kept."""
        _refuse_aids(site)
        glance = glances.get(picture)
        if glance is None:
            raise HTTPException(404, "This picture is kept no more; ask the board again.")
        light_home = site.outlet.view.light_home
        data = await aside(site, board_jpeg, glance.glimpse.picture, glance.board, light_home)
        return Response(data, media_type="image/jpeg", headers={"Cache-Control": "no-store"})

    @router.get("/learn/drawing.svg", response_class=Response)
    async def drawing(request: Request, xgid: Xgid) -> Response:
        """A position as a drawing, SVG, as seen by the side that rolled."""
        return Response(drawn(_place(xgid), site.language(request)), media_type="image/svg+xml")

    @router.post("/learn/keep")
    async def keep(request: Request, kept: PositionKept) -> dict[str, Any]:
        """Keep a position in the quiz of whoever runs this table, with the play that was chosen."""
        _refuse_aids(site)
        place = _place(kept.xgid)
        played = None if kept.play is None else await _refused(played_position, place, kept.play)
        async with turn:
            return await _ask(study, keep_content, place, played, datetime.now(UTC), site.language(request))


def _add_course(router: APIRouter, site: Site, file: ProgressFile) -> None:
    """The routes of the course; ``file`` keeps what was learned."""
    turn = asyncio.Lock()

    @router.get("/learn/course")
    async def course(
        request: Request, learner: Annotated[str, Query(min_length=1, max_length=LONGEST_NAME)]
    ) -> dict[str, Any]:
        """The lessons of the course, how far a learner is, and which lesson comes next."""
        _refuse_aids(site)
        learned = await _refused(learner_name, learner)
        progress = await _refused(file.load)
        return course_content(progress.of(learned), datetime.now(UTC), site.language(request))

    @router.get("/learn/course/lesson")
    async def lesson(request: Request, name: LessonName) -> dict[str, Any]:
        """A lesson as it is asked."""
        _refuse_aids(site)
        return lesson_content(await _refused(lesson_named, name), site.language(request))

    @router.get("/learn/course/landings")
    async def lesson_moves(
        name: LessonName, play: Annotated[str, Query(max_length=100)] = ""
    ) -> dict[str, Any]:
        """Where each checker may land next, once the roll of a lesson is played as far as ``play`` says."""
        _refuse_aids(site)
        return await _refused(lesson_landings, await _refused(lesson_named, name), play.strip())

    @router.get("/learn/course/board")
    async def lesson_board(request: Request, name: LessonName) -> dict[str, Any]:
        """What to move on the real board until a lesson lies there; the lights show it, too, while no match is on."""
        language, asked = site.language(request), await _refused(lesson_named, name)
        view = site.outlet.view
        if view.state is RoomState.PLAYING:
            raise HTTPException(409, program_words("match_on")(language))
        try:
            glance = board_glance(site.house.glimpse(), view, language)
        except MovingError as error:
            words = (str(error),)
            return BoardLesson(words, doubts=words).content()
        except UserError as error:
            raise HTTPException(409, str(error)) from None
        found = board_lesson(asked, glance.reading, language)
        if found.frame is not None:
            site.house.light(found.frame)
        return found.content()

    @router.post("/learn/course/answer")
    async def lesson_answer(request: Request, answered: LessonAnswered) -> dict[str, Any]:
        """Whether an answer to a lesson is right, and why; kept for its learner unless it is an illegal play."""
        _refuse_aids(site)
        language, asked = site.language(request), await _refused(lesson_named, answered.lesson)
        learner = await _refused(learner_name, answered.learner)
        try:
            mark = await asyncio.to_thread(mark_answer, asked, answered.answer, language)
        except UserError:
            raise HTTPException(
                422, lesson_text("course", "unread", language, play=answered.answer)
            ) from None
        if not mark.legal:
            return mark_content(mark, None, language)
        async with turn:
            keep = partial(file.keep_answer, right=mark.right, hinted=answered.hinted, now=datetime.now(UTC))
            learned = await _refused(keep, learner, asked)
        return mark_content(mark, learned.due, language)

    @router.get("/learn/course/class")
    async def whole_class(request: Request) -> dict[str, Any]:
        """All learners of the course at one glance."""
        progress = await _refused(file.load)
        return class_content(progress, datetime.now(UTC), site.language(request))


async def _refused(work: Callable[..., Thing], *given: Any) -> Thing:
    """What a piece of work gives, done beside the server's thread; bad input is refused with its sentence."""
    try:
        return await asyncio.to_thread(work, *given)
    except UserError as error:
        raise HTTPException(422, str(error)) from None


def _place(xgid: str) -> LessonPlace:
    try:
        return lesson_place(xgid)
    except UserError as error:
        raise HTTPException(422, str(error)) from None


def _refuse_aids(site: Site) -> None:
    if not are_aids_allowed(site.outlet.view):
        raise HTTPException(409, "The rules of this match allow no aids while it is played.")


def _last_turn(site: Site) -> TurnJudged | None:
    """The last legal turn; also one that nobody confirmed, if what is likeliest is legal."""
    view = site.outlet.view
    turns = [each.turn for each in RecentCourse.from_view(view).turns]
    if view.referee is None:
        return None
    rules = view.referee.match.game.profile.movement
    for turn in turns:
        likely = turn.legal is None and is_result(turn.before, turn.side, turn.roll, turn.after, rules)
        if turn.legal or likely:
            return turn
    return None


async def _ask(study: Study, work: Any, *given: Any) -> dict[str, Any]:
    try:
        said: dict[str, Any] = await asyncio.wrap_future(study.begin(work, *given))
    except UserError as error:
        raise HTTPException(409, str(error)) from None
    return said


def _stand_back() -> None:
    """Give way to the table; programs that are started from this thread do so, too."""
    if hasattr(os, "setpriority"):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)
