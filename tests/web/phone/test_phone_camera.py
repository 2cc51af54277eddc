"""A phone's page is the table's camera: pictures come in, come back after a cut, and come from one phone only."""

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from controller.arrays import Picture
from controller.config import load_config
from controller.devices.camera.live import LiveCamera
from controller.devices.camera.status import CameraCode, CameraState
from controller.devices.camera.stills import StillCamera, StillTaken
from controller.messages.device_words import status_words
from tests.browser import open_browser
from tests.vision.boards import learned
from tests.web import axe
from tests.web.held_line import HeldLine
from tests.web.phone.phone_table import CONFIG, SHUTTER, PhoneTable, phone_table, taken_at
from tests.web.phone.slow_line import FAST, SlowLine
from tests.web.walk.forwarder import Forwarder
from tests.web.walk.visitor import SETTLED_MS

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page, Route

ASKED, ASKED_AGAIN_S = 4, 25.0
"""A phone that is lost for a moment takes the wish for a still with it: whoever wants the still asks again."""
COARSE_BYTES = 80_000
"""Of a usual picture of `shutter.js` there are more, in any size that is sent."""
NO_SOCKET = (
    "window.WebSocket = class { constructor() { setTimeout(() => this.onclose?.({}), 10); } close() {} };"
)


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    with open_browser(
        "--use-fake-device-for-media-stream=fps=10", "--use-fake-ui-for-media-stream"
    ) as opened:
        yield opened


@pytest.fixture
def table(tmp_path: Path) -> Iterator[PhoneTable]:
    with phone_table(tmp_path) as table:
        yield table


# A phone whose photographs are larger than its films, and of another shape.
PHOTOGRAPHER = """
window.ImageCapture = class {
  async getPhotoCapabilities() {
    return { imageWidth: { max: 2400 }, imageHeight: { max: 1800 }, fillLightMode: ["flash", "off"] };
  }
  async takePhoto(settings) {
    window.taken = settings;
    const [width, height] = [settings.imageWidth, settings.imageHeight];
    const canvas = Object.assign(document.createElement("canvas"), { width, height });
    canvas.getContext("2d").fillStyle = "#456";
    canvas.getContext("2d").fillRect(0, 0, canvas.width, canvas.height);
    return new Promise((done) => canvas.toBlob(done, "image/jpeg"));
  }
};
"""
# One that films as it is told to be exposed, 0.2 s later.
EXPOSED = """
window.stops = [];
let stops = 0;
Object.assign(MediaStreamTrack.prototype, {
  getCapabilities() { return { exposureMode: ["continuous"], exposureCompensation: { min: -3, max: 3 } }; },
  getSettings() { return { exposureMode: "continuous", exposureCompensation: stops }; },
  async applyConstraints({ advanced: [wish] }) {
    if (wish.exposureCompensation !== undefined) {
      stops = wish.exposureCompensation;
      window.stops.push(stops);
      const dark = stops;
      setTimeout(() => { window.dark = dark < 0; }, 200);
    }
  },
});
"""


# One that asks before it gives its camera, and opens it once the test says so.
OPENS_SLOWLY = """
navigator.permissions.query = async () => ({ state: "prompt" });
const give = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
navigator.mediaDevices.getUserMedia = async (wish) => {
  await new Promise((done) => { window.opens = done; });
  return give(wish);
};
"""


def new_phone(browser: "Browser", script: str = SHUTTER) -> "BrowserContext":
    context = browser.new_context(
        viewport={"width": 640, "height": 360}, ignore_https_errors=True, permissions=["camera"]
    )
    context.add_init_script(script)
    context.set_default_timeout(SETTLED_MS)
    return context


def sees(table: PhoneTable) -> bool:
    status = table.room.camera.status
    return status is not None and status.state is CameraState.OK and table.room.glimpse() is not None


def shape_of(table: PhoneTable) -> tuple[int, ...]:
    """Height and width of the newest picture."""
    glimpse = table.room.glimpse()
    return () if glimpse is None else glimpse.picture.shape[:2]


def violations(page: "Page") -> list[str]:
    """What axe finds that keeps people out."""
    return [f"{each['id']}: {node['html']}" for each in axe.violations(page) for node in each["nodes"]]


def wait_for(page: "Page", holds: Callable[[], object], patience_s: float = SETTLED_MS / 1000) -> None:
    """Wait while the page goes on."""
    end = time.monotonic() + patience_s
    while not holds():
        assert time.monotonic() < end, page.inner_text("body")
        page.wait_for_timeout(20)


def test_a_phone_that_scans_the_code_is_the_camera_without_anything_being_pressed(
    browser: "Browser", table: PhoneTable
) -> None:
    with closing(new_phone(browser)) as context:
        page = context.new_page()
        page.goto(table.address())
        wait_for(page, lambda: sees(table))
        glimpse = table.room.glimpse()
        assert glimpse is not None
        assert glimpse.picture.shape == (1080, 1920, 3)
        assert 0 <= time.time() - taken_at(glimpse.picture) < 20
        page.get_by_text("The table sees through this phone.").wait_for()
        page.get_by_text("The table does not know the board yet.").wait_for()
        assert "#" not in page.url
        assert violations(page) == []
        assert page.evaluate("window.wished.video.facingMode.ideal") == "environment"


def test_the_camera_of_the_browser_itself_plays_through_the_page_into_the_reader(
    browser: "Browser", table: PhoneTable
) -> None:
    with closing(new_phone(browser, "")) as context:
        page = context.new_page()
        page.goto(table.address())
        wait_for(page, lambda: sees(table))


def test_a_page_that_turns_by_itself_does_not_turn_the_picture(browser: "Browser", table: PhoneTable) -> None:
    # A phone that looks straight down takes any side for the lower one.
    turning = "Object.defineProperty(ScreenOrientation.prototype, 'angle', { get: () => window.angle ?? 0 });"
    with closing(new_phone(browser, turning + SHUTTER)) as context:
        page = context.new_page()
        page.goto(table.address())
        wait_for(page, lambda: sees(table))
        page.evaluate("window.angle = 180")

        def is_turned() -> bool:
            glimpse = table.room.glimpse()
            return glimpse is not None and abs(time.time() - taken_at(glimpse.picture[::-1, ::-1])) < 20

        wait_for(page, is_turned)
        page.evaluate("window.angle = 90")
        wait_for(page, lambda: shape_of(table) == (1920, 1080))


def test_where_no_websocket_opens_pictures_come_by_requests(browser: "Browser", table: PhoneTable) -> None:
    with closing(new_phone(browser, NO_SOCKET + SHUTTER)) as context:
        page = context.new_page()
        with page.expect_request("**/api/v1/camera/picture"):
            page.goto(table.address())
        wait_for(page, lambda: sees(table))


def test_after_a_cut_pictures_come_back_without_a_press(browser: "Browser", table: PhoneTable) -> None:
    with Forwarder(table.pages.port) as line, closing(new_phone(browser)) as context:
        page = context.new_page()
        page.goto(table.address(line.port))
        wait_for(page, lambda: sees(table))
        line.cut()
        wait_for(page, lambda: table.room.camera.phone.quiet and not sees(table))
        line.mend()
        wait_for(page, lambda: sees(table))
        assert not page.locator("button:visible").count()


@pytest.mark.parametrize("script", ["", NO_SOCKET], ids=["WebSocket", "requests"])
def test_over_a_slow_line_pictures_come_nevertheless_and_both_ends_tell_that_it_is_slow(
    browser: "Browser", table: PhoneTable, script: str
) -> None:
    with (
        SlowLine(table.pages.port) as line,
        closing(new_phone(browser, script + SHUTTER)) as context,
    ):
        page, came, told = context.new_page(), list[int](), set[CameraCode]()
        put = table.room.camera.phone.put

        def count(jpeg: bytes) -> None:
            came.append(len(jpeg))
            put(jpeg)

        table.room.camera.phone.put = count  # type: ignore[method-assign]
        page.goto(table.address(line.port))
        page.locator("#video").wait_for()
        # A fine picture, of 193 kB, takes 2.6 s: it comes slowly for longer than the table takes from look to look.
        line.bytes_a_second = 75_000

        def sees_slowly() -> bool:
            told.update({table.room.camera.status.code} if table.room.camera.status else ())
            rate = page.inner_text("#rate").removeprefix("Pictures a second: ")
            return sees(table) and rate[:1] not in ("", "0")

        wait_for(page, sees_slowly)
        page.get_by_text("The connection to the table is slow").wait_for()
        assert CameraCode.PHONE_SLOW in told
        wait_for(page, lambda: min(came) < COARSE_BYTES)
        line.bytes_a_second = FAST
        page.get_by_text("The connection to the table is slow").wait_for(state="detached")


# A camera that another program takes, and gives back once the test says so.
TAKEN = """
const opens = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
navigator.mediaDevices.getUserMedia = async (wish) => {
  if (window.why) {
    throw new DOMException("", window.why);
  }
  return opens(wish);
};
window.take = (why) => {
  window.why = why;
  const [track] = document.getElementById("video").srcObject.getVideoTracks();
  track.stop();
  track.dispatchEvent(new Event("ended"));
};
"""


def test_a_camera_that_another_program_took_is_opened_again_and_no_old_picture_is_sent_meanwhile(
    browser: "Browser", table: PhoneTable
) -> None:
    with closing(new_phone(browser, SHUTTER + TAKEN)) as context:
        page = context.new_page()
        page.goto(table.address())
        wait_for(page, lambda: sees(table))
        page.evaluate("window.take('NotReadableError')")
        wait_for(page, lambda: table.room.camera.phone.quiet, 20)
        page.get_by_text("The camera is being opened.").wait_for()
        page.wait_for_timeout(3500)
        assert table.room.camera.phone.quiet
        page.evaluate("window.why = null")
        wait_for(page, lambda: sees(table), 30)
        page.get_by_text("The table sees through this phone.").wait_for()
        (_, glimpse), *_ = table.watch(1)
        assert time.time() - taken_at(glimpse.picture) < 10


def test_a_camera_that_is_forbidden_meanwhile_is_told_and_begun_again_by_a_press(
    browser: "Browser", table: PhoneTable
) -> None:
    with closing(new_phone(browser, SHUTTER + TAKEN)) as context:
        page = context.new_page()
        page.goto(table.address())
        wait_for(page, lambda: sees(table))
        page.evaluate("window.take('NotAllowedError')")
        page.get_by_text("The camera cannot be used.").wait_for()
        page.evaluate("window.why = null")
        page.get_by_role("button", name="Be the camera").click()
        wait_for(page, lambda: sees(table))


def test_a_page_that_is_loaded_again_goes_on(browser: "Browser", table: PhoneTable) -> None:
    with closing(new_phone(browser)) as context:
        page = context.new_page()
        page.goto(table.address())
        wait_for(page, lambda: sees(table))
        page.goto("about:blank")
        wait_for(page, lambda: table.room.camera.status.code is CameraCode.PHONE_LOST)  # type: ignore[union-attr]
        page.goto(f"https://127.0.0.1:{table.pages.port}/camera")
        wait_for(page, lambda: sees(table))


def test_the_page_keeps_the_screen_on_holds_what_the_camera_found_and_tells_its_battery(
    browser: "Browser", tmp_path: Path
) -> None:
    can = """
      window.held = [];
      Object.defineProperty(Navigator.prototype, "wakeLock", { get: () => ({
        request: async (what) => { window.lit = what; return {}; } }) });
      Navigator.prototype.getBattery = async () => (window.cell ??= { level: 0.5, charging: false });
      const modes = ["continuous", "manual"];
      MediaStreamTrack.prototype.getCapabilities = () => (
        { focusMode: modes, exposureMode: modes, whiteBalanceMode: modes });
      MediaStreamTrack.prototype.getSettings = () => ({ focusDistance: 3, exposureTime: 2, colorTemperature: 1 });
      MediaStreamTrack.prototype.applyConstraints = async (wish) => { window.held.push(wish.advanced[0]); };
    """
    board = learned("board1")
    with phone_table(tmp_path, board=board) as table, closing(new_phone(browser, can + SHUTTER)) as context:
        page = context.new_page()
        page.goto(table.address())
        wait_for(page, lambda: sees(table))
        assert page.evaluate("window.lit") == "screen"
        wait_for(page, lambda: len(page.evaluate("window.held")) == 3)
        assert page.evaluate("window.held") == [
            {"focusMode": "manual", "focusDistance": 3},
            {"exposureMode": "manual", "exposureTime": 2},
            {"whiteBalanceMode": "manual", "colorTemperature": 1},
        ]
        for level in (0.19, 0.09):
            page.evaluate("(level) => { cell.level = level; cell.onlevelchange(); }", level)
            page.get_by_text(f"Battery: {level:.0%}".replace("%", " %")).wait_for()
            page.get_by_text("Please plug the phone in.").wait_for()
        wait_for(page, lambda: table.pages.phone.battery == 0.09)


def test_a_second_phone_takes_over_only_with_a_new_code(browser: "Browser", table: PhoneTable) -> None:
    with closing(new_phone(browser)) as first, closing(new_phone(browser)) as second:
        address = table.address()
        page, other = first.new_page(), second.new_page()
        page.goto(address)
        wait_for(page, lambda: sees(table))
        other.goto(address)
        other.get_by_text("This code is not right, or was used.").wait_for()
        other.goto("about:blank")
        other.goto(table.address())
        page.get_by_text("Another phone is the camera now.").wait_for()
        wait_for(other, lambda: sees(table))


def test_while_something_moves_pictures_are_smaller_and_the_reader_gets_one_size(
    browser: "Browser", tmp_path: Path
) -> None:
    with phone_table(tmp_path, size=(1920, 1080)) as table, closing(new_phone(browser)) as context:
        table.room.camera.phone.wanted = (1920, 1080)
        page = context.new_page()
        page.goto(table.address())
        page.get_by_text("1920×1080").wait_for()
        page.evaluate("window.moves = true")
        page.get_by_text("1280×720").wait_for()
        wait_for(page, lambda: sees(table))
        page.evaluate("window.moves = false")
        page.get_by_text("1920×1080").wait_for()


def test_a_phone_is_chosen_on_the_set_up_page_shows_its_code_and_stays_the_camera(
    browser: "Browser", tmp_path: Path
) -> None:
    with (
        phone_table(tmp_path, "auto") as table,
        closing(new_phone(browser)) as at_table,
        closing(new_phone(browser)) as phone,
    ):
        page, other = at_table.new_page(), phone.new_page()
        page.goto(f"https://127.0.0.1:{table.pages.port}/setup")
        page.get_by_label("Which camera").select_option("phone")
        page.get_by_role("button", name="Show the code for a phone").click()
        page.get_by_role("img", name="QR code for the phone").wait_for()
        assert violations(page) == []
        shown = page.locator("#phone-address").inner_text()
        other.goto(f"https://127.0.0.1:{table.pages.port}/camera#{shown.partition('#')[2]}")
        wait_for(other, lambda: sees(table))
        page.locator("#phone-shown").wait_for(state="hidden")
    assert load_config(tmp_path / CONFIG).camera.source == "phone"


def test_a_code_that_is_typed_serves_as_well_as_one_that_is_scanned(
    browser: "Browser", table: PhoneTable
) -> None:
    with closing(new_phone(browser)) as context:
        page = context.new_page()
        page.goto(f"https://127.0.0.1:{table.pages.port}/camera")
        assert violations(page) == []
        page.get_by_label("Code").fill(table.pages.phone.new_code().lower())
        page.get_by_role("button", name="Enter").press("Enter")
        wait_for(page, lambda: sees(table))


def test_a_code_counts_once_however_often_it_is_sent_and_nothing_can_be_pressed_while_the_camera_opens(
    browser: "Browser", table: PhoneTable
) -> None:
    with closing(new_phone(browser)) as context:
        context.add_init_script(OPENS_SLOWLY)
        page = context.new_page()
        line = HeldLine(page)
        page.goto(f"https://127.0.0.1:{table.pages.port}/camera")
        code = page.get_by_label("Code")
        code.fill(table.pages.phone.new_code())
        line.hold("^POST")
        sent = list[str]()
        page.on("request", lambda request: request.method == "POST" and sent.append(request.url))
        for _ in range(2):
            code.press("Enter")
        line.wait()
        assert len(sent) == 1
        line.release()
        start = page.get_by_role("button", name="Be the camera")
        start.wait_for()
        start.click()
        wait_for(page, lambda: page.evaluate("window.opens !== undefined"))
        assert not start.is_visible()
        page.evaluate("window.opens()")
        wait_for(page, lambda: sees(table))


def still_of(table: PhoneTable, page: "Page", counts_anew: bool = False) -> Picture | None:
    """The still that the phone takes when the table asks for one, as often as somebody wants it.

    Args:
        table: whose camera the phone is.
        page: the phone's.
        counts_anew: whether the table numbers each wish as one that has just begun.

    """
    camera, answers = table.room.camera._camera, list[StillTaken]()
    assert isinstance(camera, LiveCamera)
    wait_for(page, lambda: camera.still_size is not None)

    def came(number: int) -> bool:
        taken = camera.collect_still()
        answers.extend([] if taken is None or taken.wish.number != number else [taken])
        return bool(answers)

    for _ in range(ASKED):
        if counts_anew:
            camera._wishes = 0
        number, ends = camera.ask_still(), time.monotonic() + ASKED_AGAIN_S
        while not came(number) and time.monotonic() < ends:
            page.wait_for_timeout(20)
        if answers:
            break
    assert answers, page.inner_text("body")
    return answers[0].picture


def test_a_phone_that_takes_no_photographs_sends_all_of_what_it_films_when_asked(
    browser: "Browser", tmp_path: Path
) -> None:
    script = "delete window.ImageCapture;" + SHUTTER
    with phone_table(tmp_path, size=(1280, 720)) as table, closing(new_phone(browser, script)) as context:
        page = context.new_page()
        page.goto(table.address())
        wait_for(page, lambda: shape_of(table) == (720, 1280))
        still = still_of(table, page)
        assert still is not None
        assert still.shape == (1080, 1920, 3)
        assert 0 <= time.time() - taken_at(still) < 20
        wait_for(page, lambda: shape_of(table) == (720, 1280))


def test_a_still_whose_way_was_cut_is_sent_again_and_a_table_that_started_again_gets_one_too(
    browser: "Browser", tmp_path: Path
) -> None:
    lost = set[str]()

    def lose_the_first_of_each(route: "Route") -> None:
        if route.request.url in lost:
            route.continue_()
        else:
            lost.add(route.request.url)
            route.abort("connectionreset")

    with phone_table(tmp_path, size=(1280, 720)) as table, closing(new_phone(browser)) as context:
        page = context.new_page()
        page.route("**/api/v1/camera/still*", lose_the_first_of_each)
        page.goto(table.address())
        wait_for(page, lambda: sees(table))
        assert still_of(table, page) is not None
        camera = table.room.camera._camera
        assert isinstance(camera, LiveCamera)
        # The one that came had been lost on its way.
        assert any(address.endswith(f"number={camera._wishes}") for address in lost)
        assert still_of(table, page, counts_anew=True) is not None


def test_a_photograph_has_all_pixels_of_the_sensor_and_no_flash(browser: "Browser", tmp_path: Path) -> None:
    with (
        phone_table(tmp_path, size=(1280, 720)) as table,
        closing(new_phone(browser, PHOTOGRAPHER + SHUTTER)) as context,
    ):
        page = context.new_page()
        page.goto(table.address())
        wait_for(page, lambda: sees(table))
        still = still_of(table, page)
        assert still is not None
        assert still.shape == (1800, 2400, 3)
        assert page.evaluate("window.taken.fillLightMode") == "off"
        assert table.room.camera.status is not None
        assert "2400x1800" in status_words(table.room.camera.status)("en")


def test_another_exposure_is_put_back_and_no_usual_picture_has_it(browser: "Browser", tmp_path: Path) -> None:
    with (
        phone_table(tmp_path, size=(1280, 720)) as table,
        closing(new_phone(browser, EXPOSED + SHUTTER)) as context,
    ):
        page = context.new_page()
        page.goto(table.address())
        wait_for(page, lambda: sees(table))
        before, levels = table.room.glimpse(), list[float]()
        assert before is not None
        camera = table.room.camera._camera
        assert isinstance(camera, StillCamera)
        wait_for(page, lambda: camera.still_size is not None)
        taken = list[StillTaken]()

        def came() -> bool:
            glimpse, answer = table.room.glimpse(), camera.collect_still()
            assert glimpse is not None
            levels.append(float(glimpse.picture[300:].mean()))
            taken.extend([] if answer is None else [answer])
            return bool(taken)

        for _ in range(ASKED):
            page.evaluate("window.stops = []")
            camera.ask_still(-2)
            ends = time.monotonic() + ASKED_AGAIN_S
            while not came() and time.monotonic() < ends:
                page.wait_for_timeout(20)
            if taken:
                break
        wait_for(page, lambda: (table.room.glimpse() or before).number > before.number + 8)
        still, usual = taken[0].picture, float(before.picture[300:].mean())
        assert still is not None
        assert still[300:].mean() < 0.5 * usual
        assert min(levels) > 0.8 * usual
        assert page.evaluate("window.stops") == [-2, 0]
