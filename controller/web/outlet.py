"""From the table to the pages: news come in from any thread, messages go out to each audience."""

import asyncio
import contextlib
import secrets
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace

from controller.record.journal.journal import Json
from controller.record.match.json_values import turn_object
from controller.record.table.table_log import turn_of
from controller.referee import Told
from controller.referee.actions import Acted, GameEnded, GameOpened, MatchEnded
from controller.rules.game import events as ruled
from controller.rules.game.match_record import event_record
from controller.speech.phrase import SpokenTopic, Utterance
from controller.telling.table import verdict_text
from controller.web.attention import AttentionList
from controller.web.audience import Audience
from controller.web.channel import BEAT_S, Channel, reckon
from controller.web.course import PlayUndone, RecentCourse, RecentDoubt, RecentTurn, Sentence, told_in
from controller.web.delay import Backlog, RoomShown
from controller.web.listening import Listening
from controller.web.snapshot import State, play_content, state_of
from controller.web.table_service import News, Role, RoomView, TableService
from controller.web.wording import Wording

OF_CUBE = (ruled.Doubled, ruled.Taken, ruled.Passed, ruled.Beavered, ruled.Raccooned)


class Outlet:
    """Gives every audience its channel. But for `hear`, for the thread of the web server.

    Spectators are shown everything later by ``delay_s``: after a start of the program nothing of the match for so
    long, because what was on the board before it is not known.
    """

    def __init__(
        self,
        house: TableService,
        now_ms: Callable[[], int],
        delay_s: float = 0.0,
        topics: Collection[SpokenTopic] = tuple(SpokenTopic),
    ) -> None:
        """Nobody listens yet.

        Args:
            house: the table.
            now_ms: tells the time of day in milliseconds since 1970, on a clock whose jumps `move_times` is told.
            delay_s: by how much spectators are shown everything later.
            topics: what pages that read aloud may speak of.
        """
        self._house, self._now_ms, self._delay_s = house, now_ms, delay_s
        self._run = secrets.token_hex(4)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._beats: asyncio.TimerHandle | None = None
        self._channels: dict[Audience, Channel] = {}
        self._docket = AttentionList()
        self._backlog = Backlog(delay_s)
        view = house.view()
        self._now = RoomShown(view, RecentCourse.from_view(view), now_ms())
        self._later = self._now.without_match() if delay_s else self._now
        self._topics = topics
        self._heard = {
            late: Listening.from_view(self._later.view if late else view) for late in (False, True)
        }

    def open(self) -> None:
        """Begin to pass on what the table tells; to be called where the loop runs."""
        self._loop = asyncio.get_running_loop()
        self._house.subscribe(self.publish)
        self._accept(News(self._house.view()))
        self._beat()

    def close(self) -> None:
        """Pass on nothing more."""
        self._loop = None
        for timer in (self._timer, self._beats):
            if timer is not None:
                timer.cancel()

    def publish(self, news: News) -> None:
        """Take news, from any thread; returns at once and never raises."""
        loop = self._loop
        if loop is not None:
            # A loop that has been closed meanwhile refuses with this.
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(self._accept, news)

    @property
    def view(self) -> RoomView:
        """The table as it was told last."""
        return self._now.view

    def view_of(self, audience: Audience) -> RoomView:
        """The table as an audience has been shown it."""
        return self._scene(audience).view

    def is_late(self, audience: Audience) -> bool:
        """Whether an audience sees everything later."""
        return bool(self._delay_s) and audience.role is Role.VIEWER

    def channel(self, audience: Audience) -> Channel:
        """The channel of an audience; made when it is first asked for, and kept."""
        if audience not in self._channels:
            event = self._scene(audience).view.event
            self._channels[audience] = Channel(self._run, self._state(audience), event)
        return self._channels[audience]

    def snapshot(self, audience: Audience) -> State:
        """The message that holds everything, its clock right now."""
        channel = self.channel(audience)
        clock = channel.state.get("clock")
        now: State = {"clock": reckon(clock, self._now_ms())} if isinstance(clock, dict) else {}
        return channel.snapshot(now)

    def settle(self, matter: str) -> bool:
        """Close a matter that needed the director as it stands; false if there is no such matter."""
        settled = self._docket.settle(matter)
        if settled:
            self._accept(News(self.view))
        return settled

    def move_times(self, by_ms: int) -> None:
        """The clock was set by so much: all that was shown is right as it was, at the time that it has now."""
        self._now = replace(self._now, at_ms=self._now.at_ms + by_ms)
        self._later = replace(self._later, at_ms=self._later.at_ms + by_ms)
        self._docket.move_times(by_ms)
        self._backlog.move_times(by_ms)
        for audience, channel in self._channels.items():
            channel.change(self._state(audience), self._scene(audience).view.event, ())

    def _beat(self) -> None:
        at_ms = self._now_ms()
        for channel in self._channels.values():
            channel.beat(at_ms)
        if self._loop is not None:
            self._beats = self._loop.call_later(BEAT_S / 2, self._beat)

    def _scene(self, audience: Audience) -> RoomShown:
        return self._later if self.is_late(audience) else self._now

    def _state(self, audience: Audience) -> State:
        glimpse = self._house.glimpse()
        reading = None if glimpse is None else glimpse.reading
        scene, late_s = self._scene(audience), self._delay_s if self.is_late(audience) else 0.0
        return state_of(
            scene.view,
            scene.course,
            audience,
            now_ms=scene.at_ms,
            reading=reading,
            docket=self._docket,
            late_s=late_s,
        )

    def _accept(self, news: News) -> None:
        at_ms, before = self._now_ms(), self._now
        self._now = before.after((news,), at_ms)
        self._tell((news,), before, late=False)
        if self._delay_s:
            self._backlog.add(news, before.course_before(news), at_ms)
            self.show_due()

    def show_due(self) -> None:
        """Show spectators what is old enough, and come again when more is."""
        now_ms = self._now_ms()
        while (due := self._backlog.take_due(now_ms)) is not None:
            before = self._later
            self._later = before.after(due.news, now_ms)
            self._tell(due.news, before, late=True)
        if self._timer is not None:
            self._timer.cancel()
        due_ms = self._backlog.due_ms
        if due_ms is not None and self._loop is not None:
            self._timer = self._loop.call_later(max(0.0, (due_ms - now_ms) / 1000), self.show_due)

    def _tell(self, news: tuple[News, ...], before: RoomShown, *, late: bool) -> None:
        """Tell all who see the table early, or all who see it late, what happened."""
        for audience, channel in self._channels.items():
            if self.is_late(audience) == late:
                bodies, scene = list[State](), before
                for each in news:
                    bodies += _bodies(each, scene.course_before(each), audience)
                    scene = scene.after((each,), scene.at_ms)
                channel.change(self._state(audience), news[-1].view.event, bodies)
        self._read_aloud(news, late=late)

    def _read_aloud(self, news: tuple[News, ...], *, late: bool) -> None:
        """Have pages say what happened; of news that come out together only the last that has something to say."""
        followed = [
            (audience.language, channel)
            for audience, channel in self._channels.items()
            if self.is_late(audience) == late and channel.followers
        ]
        said: dict[str, Utterance | None] = dict.fromkeys(language for language, _ in followed)
        for each in news:
            for language in said:
                said[language] = self._heard[late].utterance(each, self._topics, language) or said[language]
            self._heard[late] = self._heard[late].after(each)
        for language, channel in followed:
            if (told := said[language]) is not None:
                channel.say(_speech_body(told))


def _speech_body(said: Utterance) -> State:
    sound = None if said.sound is None else str(said.sound)
    return {
        "text": said.text,
        "language": said.language,
        "topics": [str(topic) for topic in sorted(said.topics)],
        "sound": sound,
        "weighty": said.weighty,
        "waits": said.only_asks,
    }


def _bodies(news: News, before: RecentCourse, audience: Audience) -> Iterator[State]:
    """What happened, as an audience is told it."""
    wording = Wording.for_audience(news.view, audience)
    course = before
    for told in told_in(before, news):
        if isinstance(told, RecentTurn):
            body = _turn_body(told, course, audience, wording)
            course = replace(course, turns=(told, *course.turns))
            if body is not None:
                yield body
        elif isinstance(told, RecentDoubt):
            continue
        elif isinstance(told, PlayUndone):
            course = replace(course, turns=told.left_of(course.turns))
            yield {"kind": "undone", "game": told.game, "ply": told.ply}
        elif isinstance(told, Sentence):
            if audience.hears(told.to, told.mover):
                yield _sentence_body(told, wording)
        else:
            yield from _event_body(told)


def _turn_body(told: RecentTurn, course: RecentCourse, audience: Audience, wording: Wording) -> State | None:
    """A play, if it is news to this audience: one that was flagged secretly looks like any other, and once only."""
    shown = told.as_shown_to(audience)
    if shown is None:
        return None
    earlier = next((each for each in course.turns if each.place == told.place), None)
    as_before = None if earlier is None else earlier.as_shown_to(audience)
    if as_before is not None and as_before.legal and shown.legal and as_before.after == shown.after:
        return None
    flagged = told.open and shown.legal is False
    content = play_content(shown, told.game, wording, sure=told.sure)
    line: State = {**turn_object(turn_of(shown)), **content}
    if audience.role is not Role.DIRECTOR:
        # Players and spectators read words and no numbers.
        line.pop("probability", None)
    line["position"] = shown.after.compact()
    if flagged:
        line["text"] = verdict_text(shown, wording.language, wording.names, back=True, rules=wording.rules)
    return {"kind": "flagged" if flagged else "turn", **line, "replaces": as_before is not None}


def _sentence_body(told: Sentence, wording: Wording) -> State:
    if isinstance(told.words, Told):
        arguments: dict[str, Json] = {name: _plain(value) for name, value in told.words.arguments.items()}
        return {
            "kind": "told",
            "message": str(told.words.message),
            "arguments": arguments,
            "text": wording.told(told.words),
        }
    return {"kind": "words", "text": told.words(wording.language)}


def _event_body(action: Acted | GameOpened | GameEnded | MatchEnded) -> Iterator[State]:
    match action:
        case Acted(event=event) if isinstance(event, OF_CUBE):
            yield {"kind": "cube", **event_record(event)}
        case GameOpened(number=number):
            yield {"kind": "game", "what": "begun", "game": number}
        case GameEnded(result=result):
            winner = None if result.is_drawn else str(result.winner)
            yield {"kind": "game", "what": "over", "winner": winner, "points": result.points}
        case MatchEnded(winner=winner):
            yield {"kind": "game", "what": "match_over", "winner": winner and str(winner)}


def _plain(value: object) -> Json:
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return value if isinstance(value, str | int | float | bool | None) else str(value)
