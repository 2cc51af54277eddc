"""A hub that tells the network where it is, found by a table: over real multicast, on this machine alone."""

import socket

import pytest

from controller.club import discovery
from controller.club.discovery import FoundHub, HubNotFoundError, find_hub, find_hubs
from controller.hub.joining.announcement import HubAnnouncement

HERE = ("127.0.0.1",)
PATIENT = 40


def found(club: str) -> list[FoundHub]:
    return [each for each in find_hubs(HERE, 1.5) if each.club == club]


def test_a_hub_is_found_while_it_runs_and_two_of_one_club_are_told_apart() -> None:
    club = f"mdns-{socket.gethostname()}"[:20].casefold()
    said: list[str] = []
    with HubAnnouncement(club, "192.168.1.20", 8100, said.append, HERE):
        assert wait(club, 1) == [FoundHub(club, "192.168.1.20:8100")]
        with HubAnnouncement(club, "192.168.1.21", 8200, said.append, HERE):
            assert wait(club, 2) == [FoundHub(club, f"192.168.1.2{n}:8{n + 1}00") for n in (0, 1)]
        assert len(wait(club, 1)) == 1
    assert wait(club, 0) == []
    assert said == []


def wait(club: str, number: int) -> list[FoundHub]:
    for _ in range(PATIENT):
        hubs = found(club)
        if len(hubs) == number:
            return hubs
    raise AssertionError(hubs)


# The library leaves the socket of an interface that there is not to be collected.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_hub_whose_network_cannot_be_told_says_so_in_one_sentence_and_goes_on() -> None:
    said: list[str] = []
    with HubAnnouncement("club", "192.168.1.20", 8100, said.append, ("203.0.113.77",)) as telling:
        telling._announcement._thread.join()
    assert len(said) == 1
    assert said[0].startswith("Tables do not find this hub by themselves (")
    assert said[0].endswith("; type its address when you pair them.")


@pytest.mark.parametrize(
    ("hubs", "complaint"),
    [
        ((), "No hub was found in this network; type its address"),
        ((FoundHub("a", "h:1"), FoundHub("b", "i:2")), r"\(a at h:1, b at i:2\); type the address of yours"),
    ],
)
def test_none_and_several_are_told(
    hubs: tuple[FoundHub, ...], complaint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(discovery, "find_hubs", lambda: hubs)
    with pytest.raises(HubNotFoundError, match=complaint):
        find_hub()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_who_has_no_network_finds_none() -> None:
    assert find_hubs(("203.0.113.77",), 0.1) == ()
