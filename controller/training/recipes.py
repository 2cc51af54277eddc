"""The networks that are learned, by name. Trainers are imported only when they run: they need PyTorch."""

from collections.abc import Mapping

from controller.training.recipe import Recipe

RECIPES: Mapping[str, Recipe] = {}
