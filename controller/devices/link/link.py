"""The link as the program holds it: a thread that finds the board, talks to it, and never gives up."""

import errno
import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final, Self

from controller.devices.link import messages
from controller.devices.link.happenings import BoardEvent, EventMark, Happening
from controller.devices.link.messages import BoardSettings, DiceMode, LampPicture
from controller.devices.link.session import Adjust, Session
from controller.devices.link.status import LinkCode, LinkState, LinkStatus
from controller.devices.link.transport import BY_ID, PortName, Transport, free_ports, open_transport
from controller.logs.defect import DefectScene

_LOGGER: Final = logging.getLogger(__name__)

AUTO: Final = "auto"
SILENCE_S: Final = 1.0
"""A board that answered before and is silent for that long is taken for lost."""
GREETING_S: Final = 3.0
"""How long a freshly opened port may stay silent: many boards restart then, and boot loaders take a second or two."""
STUCK_S: Final = 3.0
WAIT_S: Final = 0.25
"""Between two looks for a port that is not there."""
BACKOFF_S: Final = (0.25, 0.5, 1.0, 2.0)
"""Between two tries to use a port that is there; the last one repeats."""

Deliver = Callable[[BoardEvent], None]
Tell = Callable[[LinkStatus], None]
Notice = Callable[[Happening], None]


def _task(event: BoardEvent) -> dict[str, Any]:
    """An event of the board as plain values, to be taken again."""
    return {"kind": type(event.what).__name__, **asdict(event)}


class _BrokenError(Exception):
    """The line cannot be used any longer; the status says why."""

    def __init__(self, code: LinkCode, port: str, **arguments: str) -> None:
        super().__init__(code, port, arguments)
        self.status = LinkStatus(code, port, arguments)


class Link:
    """A link to the board's electronics; use it in a `with` block or call `start` and `close`.

    All methods may be called from any thread. The three functions it is given are called from its own thread.
    """

    def __init__(
        self,
        port: str,
        *,
        host_session: int,
        deliver: Deliver,
        tell: Tell = lambda _: None,
        notice: Notice = lambda _: None,
        last: EventMark | None = None,
        adjust: Adjust | None = None,
        clock: Callable[[], float] = time.monotonic,
        open_port: Callable[[str], Transport] = open_transport,
        find_ports: Callable[[], Sequence[str]] = free_ports,
        by_id: Path = BY_ID,
    ) -> None:
        """Nothing is opened before `start`.

        Args:
            port: a path, `socket://host:port`, `unix:/path`, or `auto` to look at those that look like a board.
            host_session: a random number of 32 bits, not 0, new for every start of the program.
            deliver: writes an event into the journal; the board forgets the event when it returns. If it raises,
                the event comes again later.
            tell: called with every change of the status.
            notice: called with everything else that happens (answers, refusals, missing events).
            last: the last event in the journal.
            adjust: what the board's settings are to be, from what they are; see `Session`.
            clock: monotonic seconds.
            open_port: opens a line, raising OSError.
            find_ports: the ports to try for `auto`.
            by_id: the folder of links by which a port that is named by a number is followed.
        """
        self._port, self._deliver, self._tell, self._notice = port, deliver, tell, notice
        self._name = PortName(port, by_id)
        self._clock, self._open_port, self._find_ports = clock, open_port, find_ports
        self._session = Session(host_session=host_session, last=last, adjust=adjust)
        self._wishes: deque[Callable[[], None]] = deque()
        self._picture: LampPicture | None = None
        self._good_port: str | None = None
        self._unwritten = False
        self._status = LinkStatus(LinkCode.STARTING, port)
        self._line: Transport | None = None
        self._guard = threading.Lock()
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._work, name="pointsman-link", daemon=True)

    def __enter__(self) -> Self:
        """Start."""
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Close."""
        self.close()

    def start(self) -> None:
        """Begin to look for the board."""
        self._thread.start()

    def close(self) -> None:
        """End the conversation and let go of the port; returns when that is done. The lights go out later."""
        self._ending.set()
        self._wake()
        if self._thread.is_alive():
            self._thread.join()

    @property
    def status(self) -> LinkStatus:
        """How it stands now."""
        return self._status

    def show(self, picture: LampPicture) -> None:
        """Have the lights show this from now on, also after the board was away."""
        self._picture = picture
        self._wake()

    def buzz(self, steps: Sequence[tuple[int, int]]) -> None:
        """Play a pattern of (tone in 20 Hz, duration in 10 ms); nothing happens while the board is away."""
        if self._status.state == LinkState.READY:
            self._wish(lambda: self._session.buzz(steps))

    def arm_dice(self, mode: DiceMode) -> None:
        """Say what the roll button does, also after the board was away."""
        self._wish(lambda: self._session.arm_dice(mode))

    def ask_settings(self, changed: BoardSettings | None = None) -> None:
        """Read the board's settings or change them; they come to `notice`."""
        self._wish(lambda: self._session.ask_settings(changed))

    def settle(self) -> None:
        """Have the board's settings become what they are to be, as after a greeting."""
        self._wish(self._session.settle)

    def _wish(self, wish: Callable[[], None]) -> None:
        self._wishes.append(wish)
        self._wake()

    def _wake(self) -> None:
        with self._guard:
            if self._line is not None:
                self._line.wake()

    # --- the thread ---------------------------------------------------------------------------------------

    def _work(self) -> None:
        tries = 0
        while not self._ending.is_set():
            if not (ports := self._ports()):
                self._set(LinkStatus(LinkCode.NO_PORT, AUTO))
                self._ending.wait(WAIT_S)
                continue
            port = ports[tries % len(ports)]
            outcome, talked = self._try(port)
            if outcome:
                self._set(outcome)
            tries = 0 if talked else tries + 1
            gone = outcome is not None and outcome.code in (LinkCode.ABSENT, LinkCode.LOST)
            pause = WAIT_S if gone else BACKOFF_S[min(tries // len(ports), len(BACKOFF_S) - 1)]
            self._ending.wait(pause)
        self._set(LinkStatus(LinkCode.CLOSED, self._port))

    def _ports(self) -> Sequence[str]:
        if self._port != AUTO:
            return (self._name(),)
        return sorted(self._find_ports(), key=lambda port: port != self._good_port)

    def _try(self, port: str) -> tuple[LinkStatus | None, bool]:
        """Open a port and talk until it breaks. Returns why it broke and whether the board was ever there."""
        try:
            line = self._open_port(port)
        except OSError as error:
            code = _OPENING.get(error.errno or 0, LinkCode.OPEN_FAILED)
            return LinkStatus(code, port, {"error": error.strerror or str(error)}), False
        with self._guard:
            self._line = line
        self._session.reopen()
        if self._status.state != LinkState.WRONG:
            self._set(LinkStatus(LinkCode.GREETING, port))
        try:
            self._talk(port, line)
        except _BrokenError as broken:
            return broken.status, self._session.heard_at is not None
        except OSError as error:
            lost = LinkStatus(LinkCode.LOST, port, {"error": error.strerror or str(error)})
            return lost, self._session.heard_at is not None
        else:
            return None, True
        finally:
            with self._guard:
                self._line = None
            line.close()

    def _talk(self, port: str, line: Transport) -> None:
        opened = self._clock()
        heard_any = False
        while not self._ending.is_set():
            while self._wishes:
                self._wishes.popleft()()
            if self._picture is not None:
                self._session.show(self._picture)
            if data := self._session.outgoing(self._clock()):
                line.write(data)
            now = self._clock()
            data = line.read(min(self._session.next_at(now) - now, SILENCE_S / 4))
            heard_any |= bool(data)
            now = self._clock()
            self._dispatch(port, self._session.receive(data, now))
            self._check(port, now, opened, heard_any)

    def _dispatch(self, port: str, happenings: Sequence[Happening]) -> None:
        refused = False
        for happening in happenings:
            if isinstance(happening, BoardEvent):
                if refused:
                    continue  # the board tells it again after the one that was refused
                try:
                    self._deliver(happening)
                except Exception as error:  # whatever hinders the journal, the board keeps the event
                    _LOGGER.exception(
                        "An event of the board was not taken.",
                        extra=DefectScene("board", task=_task(happening)).extra,
                    )
                    self._session.place.undo(happening.mark)
                    self._unwritten = refused = True
                    self._set(LinkStatus(LinkCode.JOURNAL, port, {"error": str(error)}))
                    continue
                self._unwritten = False
                self._session.acknowledge(happening.mark)
            elif isinstance(happening, messages.OtherVersion):
                ours, theirs = (messages.MAJOR, messages.MINOR), (happening.major, happening.minor)
                raise _BrokenError(LinkCode.VERSION, port, ours=dotted(ours), theirs=dotted(theirs))
            else:
                self._notice(happening)
        if self._session.ready and self._session.chip and not self._unwritten:
            self._good_port = port
            if self._port != AUTO:
                self._name.settle()
            firmware = dotted(self._session.chip.firmware)
            self._set(LinkStatus(LinkCode.READY, port, {"firmware": firmware}))

    def _check(self, port: str, now: float, opened: float, heard_any: bool) -> None:
        heard, stuck = self._session.heard_at, self._session.stuck_since()
        if heard is None:
            if now - opened > GREETING_S:
                raise _BrokenError(LinkCode.OTHER_DEVICE if heard_any else LinkCode.SILENT, port)
        elif now - heard > SILENCE_S:
            raise _BrokenError(LinkCode.LOST, port, error="it is silent")
        elif stuck is not None and now - stuck > STUCK_S:
            raise _BrokenError(LinkCode.STUCK, port)

    def _set(self, now: LinkStatus) -> None:
        if now != self._status:
            self._status = now
            self._tell(now)


def dotted(version: Sequence[int]) -> str:
    """A version for people, such as 1.0.2."""
    return ".".join(map(str, version))


_OPENING = {
    errno.ENOENT: LinkCode.ABSENT,
    errno.ENODEV: LinkCode.ABSENT,
    errno.ENXIO: LinkCode.ABSENT,
    errno.ECONNREFUSED: LinkCode.ABSENT,
    errno.EACCES: LinkCode.DENIED,
    errno.EPERM: LinkCode.DENIED,
    errno.EAGAIN: LinkCode.TAKEN,
    errno.EBUSY: LinkCode.TAKEN,
}
"""What the system's errors on opening a port mean."""
