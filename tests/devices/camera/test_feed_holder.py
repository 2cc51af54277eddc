"""A feed is ready for the next attempt; what hangs is let go of, and nothing piles up."""

import pytest

from controller.devices.camera.camera import Wish
from controller.devices.camera.feed_holder import MOST_HUNG, FeedHolder
from controller.devices.camera.live import LiveCamera
from controller.devices.camera.process_feed import ProcessFeed
from controller.devices.camera.status import CameraCode, SourceError
from tests.devices.camera.rig import children, handles
from tests.devices.cameras import SIZE, Bench, until


class HungFeed(ProcessFeed):
    """One whose process not even the system can end, for as long as that is said."""

    hangs = True

    def end(self) -> bool:
        super().end()
        return not self.is_alive()

    def is_alive(self) -> bool:
        return self.hangs or super().is_alive()


def refused(feed: ProcessFeed) -> SourceError:
    """What a feed says that gives no pictures."""
    with pytest.raises(SourceError) as told:
        until(lambda: feed.get(1.0) is not None)
    return told.value


def test_a_process_that_found_nothing_is_asked_again_and_one_that_ended_is_replaced() -> None:
    before = children(), handles()
    holder = FeedHolder(ProcessFeed)
    feed = holder.idle_feed()
    assert isinstance(feed, ProcessFeed)
    for _ in range(2):
        feed.open([Wish("/dev/video97", SIZE)])
        assert refused(feed).status.code is CameraCode.ABSENT
        assert holder.idle_feed() is feed
    feed._process.kill()
    feed._process.wait()
    assert "SIGKILL" in refused(feed).status.arguments["why"]
    assert holder.idle_feed() is not feed
    holder.end()
    assert (children(), handles()) == before


def test_the_first_of_several_cameras_that_can_be_opened_is_the_one() -> None:
    feed = ProcessFeed()
    try:
        feed.open([Wish("/dev/video97"), Wish("/dev/video98")])
        assert refused(feed).status.source == "/dev/video97"
    finally:
        feed.end()


def test_no_further_process_is_begun_where_several_hang_beyond_help(monkeypatch: pytest.MonkeyPatch) -> None:
    holder = FeedHolder(HungFeed)
    for _ in range(MOST_HUNG):
        assert not holder.stuck
        feed = holder.idle_feed()
        feed.open([Wish("/dev/video97")])
        holder.end()
    assert holder.stuck
    monkeypatch.setattr(HungFeed, "hangs", False)
    assert not holder.stuck


def test_a_machine_that_gives_no_process_is_told_and_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(11, "Resource temporarily unavailable")

    before = handles()
    with monkeypatch.context() as patch:
        patch.setattr("controller.devices.camera.process_feed.subprocess.Popen", refuse)
        camera = LiveCamera(Wish("/dev/video97"))
        camera.start()
        until(lambda: camera.status.code is CameraCode.DRIVER)
    until(lambda: camera.status.code is CameraCode.ABSENT)
    camera.close()
    # Fewer are no fault: what an earlier test left behind may go meanwhile.
    assert handles() <= before


def test_whatever_goes_wrong_on_the_way_the_camera_is_opened_anew() -> None:
    bench, failures = Bench(), [RuntimeError("kaput")]

    def tell(_: object) -> None:
        if failures:
            raise failures.pop()

    with LiveCamera(Wish("bench"), open_it=bench.open, tell=tell) as camera:
        until(lambda: camera.read(0.1) is not None and not failures)
