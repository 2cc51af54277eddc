"""The judge: is a result legal, and if not, which rules must have been broken to get there."""

from collections.abc import Iterator
from itertools import groupby
from typing import Final

from controller.rules import packed
from controller.rules.arrangement import Arrangement, arrange
from controller.rules.charges import Case, charges
from controller.rules.deduction import Account, Kind, accounts
from controller.rules.movement import STANDARD, MovementRules
from controller.rules.plays import play_between, results
from controller.rules.position import Position, Side
from controller.rules.reasons import Reason, ReasonCode, Verdict
from controller.rules.roll import Roll

MOST_NEAREST: Final = 5
MOST_EXPLANATIONS: Final = 6
'''
