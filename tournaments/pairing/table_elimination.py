"""Elimination at tables of 3 to 8, of whom k go on: the whole tree, known before the first game.

Each round seats those still in at as few tables as hold them, as even as possible, by snake seeding. No table but the
final has fewer than three seats, nor so few that nobody would be out (k + 1); where the numbers do not allow that, the
fewest top seeds that make it possible have a bye and enter one round later. As soon as all fit one table, that is the
final. The places of a match count as the seeds that would hold them if the better seed always won. Those who come from
one table are kept apart in the next round: a table of the next round gets two of them only if there are fewer tables
than people who come from there.
"""

from __future__ import annotations

from dataclasses import dataclass

from tournaments.pairing.bracket import Bracket, Feed, Place, PlannedMatch

SMALLEST_TABLE, LARGEST_TABLE = 3, 8


@dataclass(frozen=True, slots=True)
class _Hopeful:
    """Someone still in before a round: a feed, the seed expected there, and the table it comes from."""

    seed: int
    feed: Feed
    origin: int | None


@dataclass(frozen=True, slots=True)
class Seating:
    """How a field of one round is split: ``byes`` top seeds wait, the others sit at tables of these ``sizes``."""

    byes: int
    sizes: tuple[int, ...]


def seating(field: int, table_size: int, advance: int) -> Seating:
    """Return how a round of ``field`` entrants sits down; larger tables come first.

    Raises ValueError unless ``2 <= field``, ``3 <= table_size <= 8`` and ``1 <= advance < table_size``.
    """
    if field < 2:
        raise ValueError("A round needs two entrants.")
    if not SMALLEST_TABLE <= table_size <= LARGEST_TABLE:
        raise ValueError("A table has 3 to 8 seats.")
    if not 1 <= advance < table_size:
        raise ValueError("Fewer must go on than sit at a table.")
    if field <= table_size:
        return Seating(0, (field,))
    smallest = max(SMALLEST_TABLE, advance + 1)
    byes = 0
    while True:
        seated = field - byes
        tables = -(-seated // table_size)
        if seated // tables >= smallest:
            larger = seated % tables
            return Seating(byes, (seated // tables + 1,) * larger + (seated // tables,) * (tables - larger))
        byes += 1


def table_elimination(entrants: int, table_size: int, advance: int) -> Bracket:
    """Return the bracket for seeds 1 to ``entrants`` at tables of up to ``table_size``, ``advance`` going on.

    Raises ValueError for numbers that :func:`seating` refuses.
    """
    matches: list[PlannedMatch] = []
    field = [_Hopeful(seed, seed, None) for seed in range(1, entrants + 1)]
    number = 0
    while True:
        number += 1
        plan = seating(len(field), table_size, advance)
        through = 1 if len(plan.sizes) == 1 and plan.byes == 0 else advance
        waiting, seated = field[: plan.byes], field[plan.byes :]
        following = [_Hopeful(hopeful.seed, hopeful.feed, None) for hopeful in waiting]
        for table, sitting in enumerate(_seat(seated, len(plan.sizes)), start=1):
            index = len(matches)
            matches.append(PlannedMatch(number, table, tuple(hopeful.feed for hopeful in sitting), through))
            following.extend(
                _Hopeful(sitting[place - 1].seed, Place(index, place), index) for place in range(1, through + 1)
            )
        if len(following) == 1:
            return Bracket(tuple(matches))
        field = sorted(following, key=lambda hopeful: hopeful.seed)


def _seat(seated: list[_Hopeful], tables: int) -> list[list[_Hopeful]]:
    """Return who sits at each table, in order of seed: rows of one person a table, laid out as a snake.

    Moving people within a row keeps the tables equally strong. Rows and origins are the two sides of a bipartite
    graph, its edges the people, and tables the colours: König's theorem says that ``tables`` colours suffice as long as
    nobody has more edges than that, and an alternating path makes room where the snake's own place is taken.
    """
    rows = [seated[start : start + tables] for start in range(0, len(seated), tables)]
    at: dict[tuple[str, int], dict[int, _Hopeful]] = {}
    for row_number, row in enumerate(rows):
        for position, hopeful in enumerate(row):
            wanted = position if row_number % 2 == 0 else tables - 1 - position
            _place(at, hopeful, row_number, _origin(seated, hopeful, tables), wanted, tables)
    return [
        [at[("row", number)][table] for number in range(len(rows)) if table in at[("row", number)]]
        for table in range(tables)
    ]


def _origin(seated: list[_Hopeful], hopeful: _Hopeful, tables: int) -> int:
    """Return a number that people who must be kept apart share; a table that sends more than fit is split evenly."""
    if hopeful.origin is None:
        return -hopeful.seed
    together = [other.seed for other in seated if other.origin == hopeful.origin]
    return hopeful.origin * len(seated) + together.index(hopeful.seed) // tables


def _place(
    at: dict[tuple[str, int], dict[int, _Hopeful]], hopeful: _Hopeful, row: int, origin: int, wanted: int, tables: int
) -> None:
    """Colour one edge: seat ``hopeful`` at the wanted table if it can be, else at the nearest that can be made free."""
    own_row, own_origin = at.setdefault(("row", row), {}), at.setdefault(("origin", origin), {})
    nearest = sorted(range(tables), key=lambda table: (abs(table - wanted), table))
    for table in nearest:
        if table not in own_row and table not in own_origin:
            own_row[table] = own_origin[table] = hopeful
            return
    # No table is free on both sides: swap two tables along the path that begins with who sits in the way.
    free_row = next(table for table in nearest if table not in own_row)
    free_origin = next(table for table in nearest if table not in own_origin)
    path: list[tuple[_Hopeful, int]] = []
    node, table = own_origin, free_row
    while (blocker := node.get(table)) is not None:
        path.append((blocker, table))
        node = next(other for other in at.values() if other is not node and other.get(table) is blocker)
        table = free_origin if table == free_row else free_row
    holders = [(blocker, old, [n for n in at.values() if n.get(old) is blocker]) for blocker, old in path]
    for _, old, nodes in holders:
        for touched in nodes:
            del touched[old]
    for blocker, old, nodes in holders:
        for touched in nodes:
            touched[free_origin if old == free_row else free_row] = blocker
    own_row[free_row] = own_origin[free_row] = hopeful
