"""Players confirm their results by phone: a page for each match behind a QR code, and a PIN for each player."""

import hmac
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from hashlib import sha256
from typing import Any, Final
from urllib.parse import parse_qs

from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from controller.errors import UserError
from controller.hub.evening.club_evening import ClubEvening
from controller.hub.server.site import HallSite
from controller.tournament.sheets.wording import TournamentWords
from controller.tournament.tournament import DrawnMatch, Tournament
from controller.web.server.access import PLAYER_DIGITS, client_address
from controller.web.server.api import aside
from controller.web.server.pages import set_device_cookie
from controller.web.server.picture import svg_of

FRESH: Final = {"Cache-Control": "no-store"}
DEVICE_COOKIE: Final = "pointsman-player"
"""By it a player's phone is known that has confirmed a result."""


def player_pins(secret: bytes, tournament: Tournament) -> Mapping[int, str]:
    """The PIN of each player by number, for one tournament; no two have the same.

    Nobody works one out without the secret, and it stays the same as long as the entries before it do.
    """
    found: dict[int, str] = {}
    taken: set[int] = set()
    for number in sorted(tournament.entries):
        whose = _whose(tournament, number).encode()
        pin = int.from_bytes(hmac.digest(secret, whose, sha256)[:8]) % 10**PLAYER_DIGITS
        while pin in taken:
            pin = (pin + 1) % 10**PLAYER_DIGITS
        taken.add(pin)
        found[number] = f"{pin:0{PLAYER_DIGITS}d}"
    return found


def pins_of(site: HallSite) -> Callable[[Tournament], Mapping[int, str]]:
    """Makes the PINs of a tournament's players."""
    return partial(player_pins, site.access.secret)


def confirm_routes(site: HallSite, evening: ClubEvening) -> list[Route]:
    """The pages for players, and for the director the list of their PINs."""

    async def unconfirmed(request: Request) -> Response:
        shown = await aside(site, _matches, evening, site.language(request))
        return _page(site, request, "confirm", matches=shown, match=None)

    async def match(request: Request) -> Response:
        number = int(request.path_params["match"])
        problem, status = "", 200
        if request.method == "POST":
            try:
                form = parse_qs((await request.body()).decode("utf-8", "replace"))
            except ClientDisconnect:
                return Response(status_code=413)
            problem, status, device = await _confirm(
                site, evening, number, form.get("pin", [""])[0].strip(), request
            )
            if not problem:
                answer = RedirectResponse(f"/confirm/{number}", 303)
                if device:
                    set_device_cookie(request, answer, DEVICE_COOKIE, device, "/confirm")
                return answer
        shown = await aside(site, _match, evening, number, site.language(request))
        if shown is None:
            return PlainTextResponse("There is no such match in the tournament.", 404)
        return _page(site, request, "confirm", status, matches=None, match=shown, problem=problem)

    async def code(request: Request) -> Response:
        number = request.path_params.get("match")
        address = f"{site.address}confirm" + (f"/{int(number)}" if number else "")
        return Response(svg_of(address), media_type="image/svg+xml")

    async def pins(request: Request) -> Response:
        if not site.may(site.person(request), "GET", "/player-pins"):
            return RedirectResponse("/login?next=/player-pins", 303)
        tournament = await aside(site, evening.tournament)
        found = {} if tournament is None else player_pins(site.access.secret, tournament)
        people = [
            {"name": tournament.entries[number].name, "pin": pin}
            for number, pin in found.items()
            if number not in tournament.withdrawn
        ]
        address = f"{site.address}confirm" if site.address else ""
        name = "" if tournament is None else tournament.name
        return _page(site, request, "player_pins", people=people, address=address, name=name)

    return [
        Route("/confirm", unconfirmed, methods=["GET"], name="confirm"),
        Route("/confirm/code.svg", code, methods=["GET"], name="confirm-code"),
        Route("/confirm/{match:int}", match, methods=["GET", "POST"], name="confirm-match"),
        Route("/confirm/{match:int}/code.svg", code, methods=["GET"], name="confirm-match-code"),
        Route("/player-pins", pins, methods=["GET"], name="player-pins"),
    ]


async def _confirm(
    site: HallSite, evening: ClubEvening, number: int, pin: str, request: Request
) -> tuple[str, int, str]:
    """Confirm a result as the player whose PIN this is.

    Returns:
        A problem's name if it cannot be confirmed, the status of the answer, and the cookie by which the player's
        device is known from now on.
    """
    try:
        tournament = await aside(site, evening.tournament)
        state = None if tournament is None else tournament.states().get(number)
        if tournament is None or state is None:
            return "not_over", 404, ""
        if not tournament.is_unconfirmed(number):
            return ("not_over", 409, "") if state.result is None else ("", 303, "")
        player = await _player(site, request, tournament, state.players, pin)
        if not player:
            return ("wait", 429, "") if player is None else ("wrong", 403, "")
        if player not in tournament.confirmed_by.get(number, ()):
            await aside(site, evening.confirm_as, number, player)
    except UserError:
        # Somebody else has changed the result meanwhile: the page shows how it stands now.
        return "changed", 409, ""
    return "", 303, site.devices.make(_whose(tournament, player))


async def _player(
    site: HallSite, request: Request, tournament: Tournament, players: tuple[int, ...], pin: str
) -> int | None:
    """Whose PIN it is of these players: 0 for nobody's, None if whoever asks has to come again later."""
    pins = player_pins(site.access.secret, tournament)

    def find(asked: Iterable[int]) -> int:
        return next((each for each in asked if hmac.compare_digest(pins[each].encode(), pin.encode())), 0)

    # A try counts before the PIN is looked at. A phone on which one of them has confirmed before has tries of its
    # own, at this player's PIN alone: or whoever has one PIN could make phones known, and guess the other with them.
    cookie = request.cookies.get(DEVICE_COOKIE)
    for own in players:
        known = site.tries.take_known(site.devices.find(cookie, _whose(tournament, own)))
        if known is not None and find((own,)):
            site.tries.give_back(known)
            return own
    taken = await site.tries.begin(client_address(request))
    if taken is None:
        return None
    found = find(players)
    if found:
        site.tries.give_back(taken)
    return found


def _whose(tournament: Tournament, player: int) -> str:
    return f"player {tournament.name}\n{tournament.seed}\n{player}"


def _matches(evening: ClubEvening, language: str) -> list[dict[str, Any]]:
    """The matches whose result waits to be confirmed."""
    try:
        tournament = evening.tournament()
    except UserError:  # the desk tells it
        tournament = None
    if tournament is None:
        return []
    words = TournamentWords(tournament, language)
    return [
        _content(tournament, words, state)
        for number, state in words.states.items()
        if tournament.is_unconfirmed(number)
    ]


def _match(evening: ClubEvening, number: int, language: str) -> dict[str, Any] | None:
    try:
        tournament = evening.tournament()
    except UserError:
        tournament = None
    if tournament is None:
        return None
    words = TournamentWords(tournament, language)
    state = words.states.get(number)
    return (
        None if state is None or len(state.players) < len(state.seats) else _content(tournament, words, state)
    )


def _content(tournament: Tournament, words: TournamentWords, state: DrawnMatch) -> dict[str, Any]:
    number = state.match.number
    have = tournament.confirmed_by.get(number, frozenset())
    score = (None, None) if state.result is None else state.result.score
    return {
        "number": number,
        "round": words.round_name(state.match),
        "players": [
            {"name": tournament.entries[each].name, "points": points, "confirmed": each in have}
            for each, points in zip(state.players, score, strict=True)
        ],
        "over": state.result is not None,
        "score": words.score(state.result),
        "unconfirmed": tournament.is_unconfirmed(number),
    }


def _page(site: HallSite, request: Request, page: str, status: int = 200, **more: Any) -> Response:
    text = site.render(page, site.language(request), **more)
    return HTMLResponse(text, status, headers=FRESH)
