"""Pick-a-Polar-Bear: base game, solo, the variants ``different`` and ``bonus``, one deck or two.

**View** (``Game.view``): ``game``, ``decks``, ``different``, ``bonus`` (the rules), ``seat`` (the viewer), ``phase``
(``bonus``, ``ready`` or ``grab``), ``round``, ``columns`` of the grid, ``grid`` (card or null per place), ``stacks``
(per seat from the start card up; null for a card that lies face down), ``points``, ``pile`` (how many ``pictures``
and ``bonus`` cards are left), ``question`` (the bonus card that is asked), ``answered`` (seats), ``answer`` (what the
viewer answered, null if nothing or not known), ``restricted``, ``out`` and ``outcome`` as in a position, and the
public memory: ``gone`` (the cards that left the game) and ``check`` (what the last check found, or null: ``round``,
``stopper``, ``fits`` (places), and ``scores``, each as in the event ``score`` with its ``seat``).

**Options** (``Game.options``, for a seat that may act, else ``{}``): ``grab`` (places that hold a card), ``stop``
(bool), ``answer`` (null, or the ``card`` that is asked, its ``elements``, and ``most``, the greatest answer).

**Events**, each with ``type`` and ``seat`` (null for the table), what only some may know in brackets:

===========  ======================================================================================
round        ``round`` begins; ``restricted``: the seat that may take no identical card, or null
question     ``card``: a bonus card is asked
answer       ``right``, ``card``, ``count`` of a right answer [of a wrong one only for its seat]
close        the time for the question is up
discard      ``card``, ``reason`` (few, start, extra, all-wrong, time), ``count``: the right answer, or null
go           ``starts``: per seat the start card that is turned up, or null
grab         ``place``, ``card``, ``beat``?: seats whose grabs of the place came later
stop         of ``seat``
idle         the round ends without a stop
claim        ``right``, ``top``: the stopper's card, ``fits``: ``[{"place", "card"}]`` that could have been taken
score        ``cards`` of the stack, ``score``, ``reason`` (sound, unsound, identical, wrong-stop), ``pair``: the first
             faulty pair, counted from 0 at the start card, ``attributes`` in which it differs, ``extra``: one more
             card for a right stop, and the ``place`` that it came from (null: the pile)
resign
forfeit      ``reason``: time, left or arbiter
void         ``reason`` as text
end          ``places``, ``points``
===========  ======================================================================================
"""

from .game import PickAPolarBear
from .position import Position, Setting
from .rules import Rules

__all__ = ["PickAPolarBear", "Position", "Rules", "Setting"]
