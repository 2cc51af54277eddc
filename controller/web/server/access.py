"""Who sits at a browser: PINs, signed cookies, sessions that can be ended, and limits on guessing."""

import asyncio
import hmac
import ipaddress
import secrets
import socket
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import sha256
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from itsdangerous import BadData, URLSafeTimedSerializer

from controller.rules import Side
from controller.web.house import Role
from controller.web.server.tries import WrongTries

COOKIE: Final = "pointsman"
AGAIN_S: Final = 12 * 3600
"""So long a player's cookie opens a new session, such as after the program started again."""
DIRECTOR_DIGITS: Final = 6
PLAYER_DIGITS: Final = 4
SESSIONS: Final = 256
_HASHER: Final = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)


class LoginResult(StrEnum):
    """What became of a PIN."""

    DONE = "done"
    WRONG = "wrong"
    WAIT = "wait"
    NOT_HERE = "not_here"
    """The director's first PIN is set at the table's own machine only."""
    TOO_SHORT = "too_short"


@dataclass(frozen=True, slots=True)
class Person:
    """Whoever sends a request.

    Attributes:
        role: what he may do.
        side: the side he plays; None for the page that both players share.
        session: the name of his session; empty without one.
        at_table: whether he sits at the table's own machine.
    """

    role: Role = Role.VIEWER
    side: Side | None = None
    session: str = ""
    at_table: bool = False


@dataclass(frozen=True, slots=True)
class _Session:
    """Somebody who has logged in; a player for one match."""

    role: Role
    side: Side | None = None
    match: str = ""


@dataclass(slots=True)
class Access:
    """Lets people in. For the thread of the web server.

    Attributes:
        secret: what cookies are signed with; the same after a restart lets players' cookies hold.
        at_table: what somebody at the table's own machine may do without a PIN.
        director_hash: argon2id of the director's PIN; empty until one is set.
        keep: is told the hash when the PIN is set.
        now: seconds on a clock that never runs backwards.
    """

    secret: bytes
    at_table: Role
    director_hash: str
    keep: Callable[[str], None]
    now: Callable[[], float]
    _sessions: dict[str, _Session] = field(default_factory=dict)
    _ended: set[str] = field(default_factory=set)
    _tries: WrongTries = field(init=False)
    _pool: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "pointsman-pin"))

    def __post_init__(self) -> None:
        """Nobody has guessed yet."""
        self._tries = WrongTries(self.now)

    @property
    def wrong(self) -> int:
        """How many wrong PINs came."""
        return self._tries.wrong

    def close(self) -> None:
        """Forget the thread that hashes."""
        self._pool.shutdown(wait=False)

    def pin_of(self, match: str, side: Side) -> str:
        """The PIN of a player in a match; the same whenever it is asked for."""
        return player_pin(self.secret, match, side)

    def who(self, cookie: str | None, match: str, *, loopback: bool) -> Person:
        """The person behind a cookie; ``match`` is the one that is on, empty without one."""
        content = self._content(cookie)
        name = str(content.get("id", ""))
        known = self._sessions.get(name)
        if known is None and self._is_player_of(content, match) and name not in self._ended:
            known = self._sessions[name] = _Session(Role.PLAYER, Side(content["side"]), match)
        if known is not None and known.match in ("", match):
            return Person(known.role, known.side, name, loopback)
        return Person(self.at_table if loopback else Role.VIEWER, at_table=loopback)

    async def log_in(self, pin: str, match: str, address: str, *, loopback: bool) -> tuple[LoginResult, str]:
        """What becomes of a PIN, and the cookie that it is worth."""
        if not pin:
            return LoginResult.WRONG, ""
        if not loopback and self._tries.must_wait(address):
            return LoginResult.WAIT, ""
        for side in Side:
            if match and hmac.compare_digest(pin.encode(), self.pin_of(match, side).encode()):
                return LoginResult.DONE, self._open(_Session(Role.PLAYER, side, match))
        if not self.director_hash:
            return await self._set_director(pin, loopback=loopback)
        if len(pin) >= DIRECTOR_DIGITS and await self._is_director(pin):
            return LoginResult.DONE, self._open(_Session(Role.DIRECTOR))
        self._tries.count(address)
        return LoginResult.WRONG, ""

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
        known = self._sessions.get(session)
        return not session or (known is not None and known.match in ("", match))

    async def _set_director(self, pin: str, *, loopback: bool) -> tuple[LoginResult, str]:
        if not loopback:
            return LoginResult.NOT_HERE, ""
        if len(pin) < DIRECTOR_DIGITS or not pin.isdecimal():
            return LoginResult.TOO_SHORT, ""
        loop = asyncio.get_running_loop()
        self.director_hash = await loop.run_in_executor(self._pool, hash_pin, pin)
        self.keep(self.director_hash)
        return LoginResult.DONE, self._open(_Session(Role.DIRECTOR))

    async def _is_director(self, pin: str) -> bool:
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._pool, _HASHER.verify, self.director_hash, pin)
        except (VerificationError, InvalidHashError):
            return False

    def _open(self, session: _Session) -> str:
        name = secrets.token_urlsafe(18)
        if len(self._sessions) >= SESSIONS:
            del self._sessions[next(iter(self._sessions))]
        self._sessions[name] = session
        content = {"id": name}
        if session.side is not None:
            content |= {"side": str(session.side), "match": session.match}
        return self._signer().dumps(content)

    def _content(self, cookie: str | None) -> Mapping[str, str]:
        if not cookie:
            return {}
        try:
            content = self._signer().loads(cookie, max_age=AGAIN_S)
        except BadData:
            return {}
        return content if isinstance(content, dict) else {}

    def _is_player_of(self, content: Mapping[str, str], match: str) -> bool:
        return bool(match) and content.get("match") == match and content.get("side") in set(Side)

    def _signer(self) -> URLSafeTimedSerializer:
        return URLSafeTimedSerializer(self.secret, "pointsman-session")


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


def is_same_origin(headers: Mapping[str, str]) -> bool:
    """Whether a POST or a WebSocket comes from a page of this server, or from no page at all.

    Browsers name the page that a request comes from; a program that is no browser names none. A page that a program
    in front of this one offers by https is one of this server's too.
    """
    origin = headers.get("origin")
    if origin is None:
        return headers.get("sec-fetch-site", "none") in ("none", "same-origin")
    host = headers.get("host", "")
    return origin.casefold() in (f"http://{host}".casefold(), f"https://{host}".casefold())
