"""Hold my Bear, all base and expansion animals.

**View** (``Game.view``): ``game``, ``animals`` (of the deck), ``seat`` (the viewer), ``hand`` (null for a spectator),
``counts`` (cards per seat), ``table``, ``table_as``, ``owner``, ``turn``, ``must_play``, ``must_give``, ``waiting``,
``out``, ``unowned_turns`` and ``outcome`` as in a position, and the public memory: ``known`` (per seat the cards that
everybody knows to be in that hand, because they came there openly and cannot have left unseen), ``gone`` (the cards
that left the game), ``counted`` (for each animal that a giraffe asked for: the fewest and the most that each seat can
hold by now) and ``denied`` (per seat the cards that a kangaroo asked for in vain and that cannot have come since).

**Options** (``Game.options``, for the seat to act, else ``{}``): ``must_play``, ``must_give``, ``play`` (has a valid
move), ``plays`` (null unless asked for; at most 60 of them in the form of ``Game.legal``, strongest last),
``plays_truncated``, ``give`` (``{"cards": how many, "to": seats}`` or null), ``steal`` (``{"take": how many, "from":
{seat: cards held}}`` or null), ``force_bear`` (bears to choose from, or null), ``name`` (animals that a set of only
bears may be named), ``respond`` (``{"for": animal, "to": seat, "cards": [...]}`` or null).

**Events**, each with ``type`` and ``seat`` (null for the table), what only some may know in brackets:

===========  ======================================================================================
play         ``cards``, ``as``?, ``beaten`` (owner of the set it beat, or null)
give         ``gifts``: ``[{"card", "to"}]``
steal        ``from``: a seat a card; [``taken``: ``[{"from", "card"}]``, whole for the thief, own part for a victim]
force-bear   ``card``, ``as``?
take-back    ``card`` (aardvark)
count        ``animal``, ``counts`` per seat (giraffe)
ask          ``of``, ``card``, ``given`` (kangaroo)
badger       ``seat`` steals from ``victim``, who played it; [``taken``, for these two]
must-give    ``seat`` got a beaver
hand-over    ``to``, ``card``, ``animal``: a turtle or bison is answered, by choice or because there was none
pass         nothing to play and nothing to steal
resign
forfeit      ``reason``: time, left or arbiter
void         ``reason`` as text
win, draw    ``places``
===========  ======================================================================================
"""

from .game import HoldMyBear
from .position import Position
from .rules import Rules

__all__ = ["HoldMyBear", "Position", "Rules"]
