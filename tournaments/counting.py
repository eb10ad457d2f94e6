"""Counts beside tournaments that stay fast however large the tournaments are.

Every count is a subquery of its own. Counting over several joins at once would make a row of every entrant with every
match: a quarter of a million for a large event.
"""

from __future__ import annotations

from typing import Any

from django.db.models import Count, Model, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce


def number_of[M: Model](rows: QuerySet[M], tournament: str) -> Coalesce:
    """Return, to annotate tournaments, how many of ``rows`` each has; ``tournament`` is the way from a row to it."""
    own: Any = rows.filter(**{tournament: OuterRef("pk")}).order_by()
    return Coalesce(Subquery(own.values(tournament).annotate(number=Count("pk")).values("number")), 0)
