"""What the director's page asks for beside the state: pictures of turns, the page for a dispute, the dice enlarged."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import pytest

from controller.record import Journal
from controller.record.evidence.store import EvidenceStore, evidence_name
from controller.record.evidence.turn_pictures import PictureRecorder, TurnPicture
from controller.record.match.match import Turn
from controller.record.match.match_log import MatchLog
from controller.record.table.match_folder import JOURNAL, NAME
from controller.referee import Phase
from controller.rules import START, Roll, Side, Terms, load_profile
from controller.vision import DieSeen, Reading
from controller.web.house import Glimpse
from controller.web.server.picture import DICE_WIDTH, dice_jpeg
from tests.record.staging import new_log, turn
from tests.referee.table.scenes import SCENES
from tests.web.browsers import Browser, Hall, opened
from tests.web.table_house import TableHouse
