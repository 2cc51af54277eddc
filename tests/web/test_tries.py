"""Tries at a PIN: what each address and each device has, and the line that they stand in where many guess."""

import asyncio

from controller.web.server.tries import COUNTED_S, LONGEST_LINE_S, TRIES, UNSLOWED, WAIT_S, PinTries


class Scene:
    """Tries, the clock that they go by, and how long each waited for its turn."""

    def __init__(self) -> None:
        self.now = 0.0
        self.waits: list[float] = []
        self.tries = PinTries(lambda: self.now, self.wait)

    async def wait(self, seconds: float) -> None:
        self.waits.append(seconds)

    def take(self, address: str) -> bool:
        return asyncio.run(self.tries.begin(address)) is not None

    def take_known(self, device: str) -> bool:
        return self.tries.take_known(device) is not None


def test_a_try_counts_from_when_it_was_taken_until_it_is_given_back() -> None:
    scene = Scene()
    taken = [asyncio.run(scene.tries.begin("phone")) for _ in range(TRIES)]
    assert None not in taken
    assert not scene.take("phone")
    assert taken[0] is not None
    scene.tries.give_back(taken[0])
    assert scene.take("phone")
    assert not scene.take("phone")


def test_wrong_pins_count_for_an_hour() -> None:
    scene = Scene()
    for _ in range(TRIES):
        assert scene.take("phone")
    scene.now = COUNTED_S - 1
    assert scene.take("phone")
    assert not scene.take("phone")
    scene.now = COUNTED_S
    assert scene.take("phone")
    assert scene.take("phone")


def test_a_known_device_waits_for_nobody_and_has_no_more_tries_than_others() -> None:
    scene = Scene()
    for number in range(200):
        scene.take(f"phone {number}")
    scene.waits.clear()
    assert [scene.take_known("device 1") for _ in range(TRIES + 1)] == [True] * TRIES + [False]
    assert scene.waits == []
    scene.now += WAIT_S
    assert scene.take_known("device 1")


def test_a_device_that_is_not_known_has_no_tries_of_its_own() -> None:
    assert not Scene().take_known("")


def test_mistakes_of_a_full_hall_slow_nothing() -> None:
    scene = Scene()
    assert all(scene.take(f"phone {number}") for number in range(UNSLOWED + 1))
    assert scene.waits == []


def test_where_many_addresses_guess_without_end_one_that_has_not_gets_its_turn() -> None:
    scene = Scene()
    asyncio.run(guess_without_end(scene, addresses=40))
    assert max(scene.waits) <= LONGEST_LINE_S


async def guess_without_end(scene: Scene, addresses: int) -> None:
    """For an hour; somebody else types the right PIN now and then."""
    for second in range(int(COUNTED_S)):
        for number in range(addresses):
            await scene.tries.begin(f"phone {number}")
        if second % 600 == 599:
            taken = await scene.tries.begin(f"player {second}")
            assert taken is not None, second
            scene.tries.give_back(taken)
        scene.now += 1
