from .evidence.turn_pictures import TurnPicture as TurnPicture
from .journal.journal import Journal as Journal
from .match.match import MatchRecord as MatchRecord
from .table.match_folder import MatchFolder as MatchFolder
