"""How the table behaves: when a turn ends, what becomes of an illegal play, what the device may say.

Sources: the tournament rules of the USBGF (2008 to 2024), UKBGF 1.3 and WBGF 2.1, section 4.2.
"""

from dataclasses import dataclass
from enum import StrEnum


class EndOfTurn(StrEnum):
    """What a player does to end the turn; ``CLOCK`` falls back on the dice where no clock is used."""

    DICE_LIFTED = "dice_lifted"
    CLOCK = "clock"


class IllegalPolicy(StrEnum):
    """The three tournament policies for illegal plays."""

    LEGAL_MOVES = "legal_moves"
    RESPONSIBLE = "responsible"
    CONDONE_OPTION = "condone_option"


class FinalAt(StrEnum):
    """From when on an illegal play stands."""

    OPPONENT_ROLL_OR_DOUBLE = "opponent_roll_or_double"
    OPPONENT_PLAY_COMPLETE = "opponent_play_complete"


class Leds(StrEnum):
    """Whether the lights may show where a checker can land."""

    OFF = "off"
    TEACH = "teach"


class Aloud(StrEnum):
    """What the device may say aloud, of what it may tell both players at all."""

    ALL = "all"
    CALLS = "calls"
    """Neither rolls nor plays, which people at other tables would hear all evening."""
    OFF = "off"


class DeviceRole(StrEnum):
    """What the players have agreed the device is."""

    MONITOR = "monitor"
    SILENT_RECORDER = "silent_recorder"
    TEACHER = "teacher"


class Reroll(StrEnum):
    """What becomes of a second roll before anything was moved, where nothing shows that the first one was void."""

    ASK = "ask"
    """The first roll stands until the opponent allows the second one, or the play shows that both took it."""
    COCKED_ONLY = "cocked_only"
    """The first roll stands."""
    FREE = "free"
    """The second roll takes its place."""


class Pairs(StrEnum):
    """How many pairs of dice there are."""

    OWN = "own"
    """Each side rolls a pair of its own."""
    SHARED = "shared"
    """Both sides roll the same pair."""


class Consent(StrEnum):
    """Whether the device may tell both players of illegal plays before they, or the director, have agreed to it."""

    BY_POLICY = "by_policy"
    """Where the policy has illegal plays pointed out, it may; where the opponent chooses, it must be agreed to."""
    ASKED = "asked"
    """Both players are asked at the start of the match, under every policy."""
    GIVEN = "given"
    """The event has official monitors: it may, under every policy."""


class Remedy(StrEnum):
    """What may be done about an illegal play that is not final yet."""

    CORRECT = "correct"
    LET_STAND = "let_stand"


class Party(StrEnum):
    """Who is concerned by an illegal play."""

    MOVER = "mover"
    OPPONENT = "opponent"
    DIRECTOR = "director"


@dataclass(frozen=True, slots=True)
class Conduct:
    """The keys ``dice.pairs``, ``dice.reroll``, ``end_of_turn``, ``illegal.*``, ``assist.*`` and ``device.*``."""

    pairs: Pairs = Pairs.OWN
    reroll: Reroll = Reroll.ASK
    end_of_turn: EndOfTurn = EndOfTurn.CLOCK
    illegal_policy: IllegalPolicy = IllegalPolicy.LEGAL_MOVES
    illegal_final_at: FinalAt = FinalAt.OPPONENT_ROLL_OR_DOUBLE
    leds: Leds = Leds.OFF
    aloud: Aloud = Aloud.ALL
    device_role: DeviceRole = DeviceRole.MONITOR
    device_consent: Consent = Consent.BY_POLICY

    def turn_ends_by(self, *, clock_in_use: bool) -> EndOfTurn:
        """The act that ends a turn at this table."""
        return self.end_of_turn if clock_in_use else EndOfTurn.DICE_LIFTED

    def remedies(self) -> frozenset[Remedy]:
        """What may become of an illegal play that was noticed in time.

        Under ``legal_moves`` it must be corrected; under the other two the opponent chooses.
        """
        if self.illegal_policy is IllegalPolicy.LEGAL_MOVES:
            return frozenset({Remedy.CORRECT})
        return frozenset(Remedy)

    def may_tell(self, *, consent: bool) -> frozenset[Party]:
        """Whom the device may tell of an illegal play.

        ``consent`` is the players' or the director's word that the device acts as a monitor although the
        policy leaves illegal plays to the opponent. The director may always know.
        """
        everybody = frozenset(Party)
        if self.device_role is DeviceRole.TEACHER:
            return everybody
        if self.device_role is DeviceRole.SILENT_RECORDER:
            return frozenset({Party.DIRECTOR})
        agreed = consent or self.device_consent is Consent.GIVEN
        by_policy = self.device_consent is Consent.BY_POLICY
        if agreed or (by_policy and self.illegal_policy is IllegalPolicy.LEGAL_MOVES):
            return everybody
        return frozenset({Party.DIRECTOR})

    def needs_consent(self) -> bool:
        """Whether both players are to be asked at the start of the match what the device may tell them."""
        return self.device_role is DeviceRole.MONITOR and self.device_consent is Consent.ASKED

    def takes_back_alone(self) -> bool:
        """Whether one player alone may have the last turn taken back: a learner as often as they like."""
        return self.device_role is DeviceRole.TEACHER

    def may_speak(self) -> Aloud:
        """What may be said aloud: nothing where the device only records, because a voice reaches both players."""
        return Aloud.OFF if self.device_role is DeviceRole.SILENT_RECORDER else self.aloud

    def shows_landing_points(self) -> bool:
        """Whether lights may show legal landing points before the play is made."""
        return self.leds is Leds.TEACH
