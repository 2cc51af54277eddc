"""Who sits at a browser: PINs, signed cookies, sessions that can be ended, and limits on guessing."""

import asyncio
import contextlib
import hmac
import ipaddress
import secrets
import socket
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from enum import StrEnum
from hashlib import sha256
from typing import Any, Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from starlette.requests import HTTPConnection

from controller.rules import Side
from controller.web.server.devices import DeviceCookies
from controller.web.server.tries import PinTries
from controller.web.table_service import Role
from controller.web.wire.one_time_code import OneTimeCode
from controller.web.wire.signed_cookies import SignedCookies

COOKIE: Final = "pointsman"
DEVICE_COOKIE: Final = "pointsman-device"
AGAIN_S: Final = 12 * 3600
"""How long a session lasts, and a player's cookie opens a new one, such as after the program started again."""
DIRECTOR_DIGITS: Final = 6
PLAYER_DIGITS: Final = 4
SESSIONS: Final = 64
"""This many sessions each of the two players and the director may have; the oldest ends then, and nobody else's."""
_HASHER: Final = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)


class LoginResult(StrEnum):
    """What became of a PIN."""

    DONE = "done"
    WRONG = "wrong"
    WAIT = "wait"
    NOT_HERE = "not_here"
    """The director's first PIN is set at the table's own machine only."""
    TOO_SHORT = "too_short"
    WRONG_CODE = "wrong_code"
    """The code by which a phone chooses the director's PIN was not right, was used, or holds no more."""


@dataclass(frozen=True, slots=True)
class Person:
    """Whoever sends a request.

    Attributes:
        role: what they may do.
        side: the side they play; None for the page that both players share.
        session: the name of their session; empty without one.
        at_table: whether they sit at the table's own machine.
    """

    role: Role = Role.VIEWER
    side: Side | None = None
    session: str = ""
    at_table: bool = False


@dataclass(frozen=True, slots=True)
class _Session:
    """Somebody who has logged in; a player for one match. ``opened_s`` is when, on a clock that nobody sets."""

    role: Role
    side: Side | None = None
    match: str = ""
    opened_s: float = field(default=0.0, compare=False)


@dataclass(frozen=True, slots=True)
class LoginAnswer:
    """What became of a PIN, and the cookies that it is worth.

    Attributes:
        result: whether it lets somebody in.
        session: opens a session; empty if it does not.
        device: lets the director's device be known again; empty for anybody else.
    """

    result: LoginResult
    session: str = ""
    device: str = ""


@dataclass(slots=True)
class Access:
    """Lets people in. For the thread of the web server.

    Attributes:
        secret: what cookies are signed with; the same after a restart lets players' cookies hold.
        at_table: what somebody at the table's own machine may do without a PIN.
        director_hash: argon2id of the director's PIN; empty until one is set.
        keep: is told the hash when the PIN is set.
        now: seconds on a clock that never runs backwards.
        sleep: waits a number of seconds of that clock.
        find: tells the hash as it is kept now, empty where nothing is kept. Once somebody at the machine has chosen
            another PIN, whoever was let in by the one before is director no more.
    """

    secret: bytes
    at_table: Role
    director_hash: str
    keep: Callable[[str], None]
    now: Callable[[], float]
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    find: Callable[[], str] = str
    _sessions: dict[str, _Session] = field(default_factory=dict)
    _ended: set[str] = field(default_factory=set)
    _tries: PinTries = field(init=False)
    _devices: DeviceCookies = field(init=False)
    _pool: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "pointsman-pin"))

    def __post_init__(self) -> None:
        """Nobody has guessed yet."""
        self._tries = PinTries(self.now, self.sleep)
        self._devices = DeviceCookies(self.secret)

    def close(self) -> None:
        """Forget the thread that hashes."""
        self._pool.shutdown(wait=False)

    def pin_of(self, match: str, side: Side) -> str:
        """The PIN of a player in a match; the same whenever it is asked for."""
        return player_pin(self.secret, match, side)

    def who(self, cookie: str | None, match: str, *, loopback: bool) -> Person:
        """The person behind a cookie; ``match`` is the one that is on, empty without one."""
        name = str(self._cookies().read(cookie).get("id", ""))
        known = self._known(name)
        content = self._cookies().read(cookie, AGAIN_S) if known is None and name not in self._ended else {}
        if self._is_player_of(content, match):
            known = _Session(Role.PLAYER, Side(content["side"]), match)
            self._remember(name, known)
        if known is not None and known.match in ("", match):
            return Person(known.role, known.side, name, loopback)
        return Person(self.at_table if loopback else Role.VIEWER, at_table=loopback)

    async def log_in(
        self, pin: str, match: str, address: str, *, loopback: bool, device: str | None = None
    ) -> LoginAnswer:
        """What becomes of a PIN.

        Args:
            pin: what was typed.
            match: the one that is on, empty without one.
            address: where it comes from.
            loopback: whether that is this machine itself, where nothing limits tries.
            device: the cookie by which the director's device is known.
        """
        if not pin:
            return LoginAnswer(LoginResult.WRONG)
        if loopback:
            return await self._look_at(pin, match, loopback=True)
        # The try counts before anything is looked at, as that takes its time: others come meanwhile.
        known = self._tries.take_known(self._devices.find(device, Role.DIRECTOR))
        taken = known or await self._tries.begin(address)
        if taken is None:
            return LoginAnswer(LoginResult.WAIT)
        answer = await self._look_at(pin, match, loopback=False)
        if answer.result is LoginResult.DONE:
            self._tries.give_back(taken)
        return answer

    async def become_director(self, code: OneTimeCode, told: str, pin: str, address: str) -> LoginAnswer:
        """Choose the director's PIN with the code that the table shows, the first PIN or another one.

        Args:
            code: the table's.
            told: what was typed of it.
            pin: the PIN that was chosen.
            address: where both come from; a wrong code counts as a wrong PIN.
        """
        if not is_director_pin(pin):
            return LoginAnswer(LoginResult.TOO_SHORT)
        taken = await self._tries.begin(address)
        if taken is None:
            return LoginAnswer(LoginResult.WAIT)
        if not code.use(told):
            return LoginAnswer(LoginResult.WRONG_CODE)
        self._tries.give_back(taken)
        return await self._choose_director(pin)

    def look_at_pin(self) -> None:
        """Know the director's PIN as it is kept now."""
        self.take_director(self.find() or self.director_hash)

    def take_director(self, hash_: str) -> None:
        """Know the director's PIN as it is kept; who logged in by another one before is logged out."""
        if hash_ != self.director_hash:
            self.director_hash = hash_
            self._sessions = {
                name: each for name, each in self._sessions.items() if each.role is not Role.DIRECTOR
            }

    def log_out(self, person: Person) -> None:
        """End a session for good."""
        self._sessions.pop(person.session, None)
        self._ended.add(person.session)

    def is_open(self, session: str, match: str) -> bool:
        """Whether a session has not ended, by itself or with its match; nobody's session always goes on."""
        known = self._known(session)
        return not session or (known is not None and known.match in ("", match))

    def _known(self, name: str) -> _Session | None:
        """The session of a name, as long as it has not ended."""
        known = self._sessions.get(name)
        if known is None:
            return None
        if self.now() - known.opened_s > AGAIN_S:
            del self._sessions[name]
            self._ended.add(name)
        elif known.role is Role.DIRECTOR:
            self.look_at_pin()
        return self._sessions.get(name)

    async def _look_at(self, pin: str, match: str, *, loopback: bool) -> LoginAnswer:
        """Whose PIN it is."""
        for side in Side:
            if match and hmac.compare_digest(pin.encode(), self.pin_of(match, side).encode()):
                return LoginAnswer(LoginResult.DONE, self._open(_Session(Role.PLAYER, side, match)))
        if not self.director_hash:
            return await self._set_director(pin, loopback=loopback)
        if len(pin) >= DIRECTOR_DIGITS and await self._is_director(pin):
            return self._let_director_in()
        return LoginAnswer(LoginResult.WRONG)

    async def _set_director(self, pin: str, *, loopback: bool) -> LoginAnswer:
        if not loopback:
            return LoginAnswer(LoginResult.NOT_HERE)
        if not is_director_pin(pin):
            return LoginAnswer(LoginResult.TOO_SHORT)
        return await self._choose_director(pin)

    async def _choose_director(self, pin: str) -> LoginAnswer:
        loop = asyncio.get_running_loop()
        hash_ = await loop.run_in_executor(self._pool, hash_pin, pin)
        self.keep(hash_)
        self.take_director(hash_)
        return self._let_director_in()

    def _let_director_in(self) -> LoginAnswer:
        session = self._open(_Session(Role.DIRECTOR))
        return LoginAnswer(LoginResult.DONE, session, self._devices.make(Role.DIRECTOR))

    async def _is_director(self, pin: str) -> bool:
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._pool, _HASHER.verify, self.director_hash, pin)
        except (VerificationError, InvalidHashError):
            return False

    def _open(self, session: _Session) -> str:
        name = secrets.token_urlsafe(18)
        self._remember(name, session)
        content = {"id": name}
        if session.side is not None:
            content |= {"side": str(session.side), "match": session.match}
        return self._cookies().make(content)

    def _remember(self, name: str, session: _Session) -> None:
        """Keep a session; those of earlier matches are over."""
        if session.match:
            self._sessions = {
                each: of for each, of in self._sessions.items() if of.match in ("", session.match)
            }
        same = [each for each, of in self._sessions.items() if of == session]
        if len(same) >= SESSIONS:
            del self._sessions[same[0]]
        self._sessions[name] = replace(session, opened_s=self.now())

    def _is_player_of(self, content: Mapping[str, Any], match: str) -> bool:
        return bool(match) and content.get("match") == match and content.get("side") in set(Side)

    def _cookies(self) -> SignedCookies:
        return SignedCookies(self.secret, "pointsman-session")


def is_director_pin(pin: str) -> bool:
    """Whether a PIN is one that a director may choose."""
    return len(pin) >= DIRECTOR_DIGITS and pin.isascii() and pin.isdecimal()


def hash_pin(pin: str) -> str:
    """What is kept of the director's PIN: argon2id."""
    return _HASHER.hash(pin)


def player_pin(secret: bytes, match: str, side: Side) -> str:
    """The PIN of a player in a match: nobody works it out without the secret, and the two players' are different."""
    digest = hmac.digest(secret, match.encode(), sha256)
    most = 10**PLAYER_DIGITS
    light = int.from_bytes(digest[:8]) % most
    apart = 1 + int.from_bytes(digest[8:16]) % (most - 1)
    return f"{light if side is Side.LIGHT else (light + apart) % most:0{PLAYER_DIGITS}d}"


def is_loopback(client: str | None, headers: Mapping[str, str]) -> bool:
    """Whether a request comes from the table's own machine, and not from elsewhere through a program on it."""
    if any(name in headers for name in ("forwarded", "x-forwarded-for", "x-real-ip", "via")):
        return False
    return _is_own_address(client)


def client_address(asking: HTTPConnection) -> str:
    """Where a request comes from: the sender's address.

    What a program on this machine passes on comes from the address that it names last in ``X-Forwarded-For``;
    whatever stands before was claimed by somebody else.
    """
    client = asking.client.host if asking.client else ""
    named = ",".join(asking.headers.getlist("x-forwarded-for")).rpartition(",")[2].strip()
    if named and _is_own_address(client):
        with contextlib.suppress(ValueError):
            return str(ipaddress.ip_address(named))
    return client


def _is_own_address(client: str | None) -> bool:
    try:
        address = ipaddress.ip_address(client or "")
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return bool((mapped or address).is_loopback)


def is_own_host(host: str, names: frozenset[str]) -> bool:
    """Whether a request was sent to this machine by a name or an address of its own.

    A foreign name that leads here (DNS rebinding) is refused; an address cannot be such a name.
    """
    name = host.rsplit(":", 1)[0] if not host.endswith("]") and host.count(":") != 0 else host
    name = name.strip("[]").casefold().rstrip(".")
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return name in names
    return True


def own_names(more: tuple[str, ...] = ()) -> frozenset[str]:
    """The names that this machine goes by."""
    host = socket.gethostname().casefold()
    return frozenset({"localhost", host, f"{host}.local", *(name.casefold() for name in more)})


def is_same_origin(headers: Mapping[str, str], *, secure: bool) -> bool:
    """Whether a POST or a WebSocket comes from a page of this server, or from no page at all.

    Browsers name the page that a request comes from; a program that is no browser names none. A page that a program
    in front of this one offers by https is one of this server's too. What came over TLS, ``secure``, comes from no
    page without it: whoever has the line could have written that one.
    """
    origin = headers.get("origin")
    if origin is None:
        return headers.get("sec-fetch-site", "none") in ("none", "same-origin")
    schemes = ("https",) if secure else ("https", "http")
    return origin.casefold() in [f"{scheme}://{headers.get('host', '')}".casefold() for scheme in schemes]
