"""What set-up says of dice that are small in the picture."""

from dataclasses import replace

from controller.messages.catalogue import catalogue
from controller.web.setup.wording import small_dice_words
from tests.rows import each_row
from tests.vision.dice.test_dice_size import smaller


@each_row("language", ["en", "hu", "et", "sk"])
def test_before_a_match_set_up_says_how_many_rolls_small_dice_cost(language: str) -> None:
    texts = catalogue(language)
    (told,) = small_dice_words(smaller(0.5), texts)
    assert " 8 " in told or "8," in told
    assert " 4 " in told
    assert "1920" in told
    assert not list(small_dice_words(smaller(2), texts))


def test_who_has_the_largest_pictures_is_only_told_to_move_the_camera() -> None:
    board = smaller(2)
    far = replace(board, camera=replace(board.camera, focal=board.camera.focal / 3))
    (told,) = small_dice_words(far, catalogue("en"))
    assert told.endswith("Move the camera closer.")
