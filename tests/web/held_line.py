"""A line as slow as a test wants it: what a page is told waits until the test lets it go.

It is the page's ear and mouth that are held, not the request: what the browser itself holds stays behind as a task.
"""

import time
from typing import TYPE_CHECKING, Final

from tests.browser import PATIENCE_MS

if TYPE_CHECKING:
    from playwright.sync_api import Page

LOOK_MS: Final = 20
EAR_AND_MOUTH: Final = """
(() => {
  const ask = window.fetch.bind(window);
  window.held = [];
  window.holds = (what) => window.heldBack && new RegExp(window.heldBack).test(what);
  const pass = (what) => (window.holds(what) ? new Promise((go) => window.held.push(go)) : null);
  window.fetch = async (address, how) => {
    const what = `${how?.method ?? "GET"} ${address}`;
    await pass(`asks ${what}`);
    const answer = await ask(address, how);
    await pass(what);
    return answer;
  };
  window.WebSocket = class extends WebSocket {
    constructor(...given) {
      super(...given);
      const late = new WeakSet();
      this.addEventListener("message", (event) => {
        if (!late.has(event) && window.holds("live")) {
          event.stopImmediatePropagation();
          const again = new MessageEvent("message", { data: event.data });
          late.add(again);
          window.held.push(() => this.dispatchEvent(again));
        }
      });
    }
  };
})();
"""


class HeldLine:
    """What one page is told."""

    def __init__(self, page: "Page", hold: str = "") -> None:
        """Before the page is opened; ``hold`` holds from its beginning."""
        self.page = page
        page.add_init_script(EAR_AND_MOUTH + f"window.heldBack = {hold!r};")

    def hold(self, what: str) -> None:
        """Hold from now on what fits a pattern: answers such as `^GET /api/v1/setup$`, `^asks GET` or `^live`."""
        self.page.evaluate("(what) => { window.heldBack = what; }", what)

    def wait(self, count: int = 1) -> None:
        """Until so much is held."""
        ends = time.monotonic() + PATIENCE_MS / 1000
        while self.page.evaluate("window.held.length") < count:
            assert time.monotonic() < ends, self.page.inner_text("body")
            self.page.wait_for_timeout(LOOK_MS)

    def let_go(self, *, first: bool = False, newest: bool = False) -> None:
        """The page hears what was held; of all, of the first alone, or from the newest to the oldest."""
        self.page.evaluate(
            """async ([first, newest]) => {
              const held = window.held.splice(0, first ? 1 : window.held.length);
              for (const go of newest ? held.reverse() : held) {
                go();
                await new Promise((done) => setTimeout(done, 30));
              }
            }""",
            [first, newest],
        )

    def release(self) -> None:
        """Nothing is held any more."""
        self.hold("")
        self.let_go()
