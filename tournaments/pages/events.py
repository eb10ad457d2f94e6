"""Tournaments: the list, making and editing one, its page, and the organizer's start and cancel.

The list and the page are open to everybody; making one takes a player; editing, starting and cancelling takes who may
manage the tournament (403 otherwise).
"""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Case, Q, Value, When
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from players.errors import Invalid, NotAllowed, ServiceError
from players.models import Player
from tournaments.forms.organizing import CancelForm
from tournaments.forms.tournaments import TournamentForm
from tournaments.models import Tournament, TournamentStatus
from tournaments.pages.access import acting_user, player_required, tournament_or_404, viewer
from tournaments.pages.home import entered, with_counts
from tournaments.pages.once import new_key, once
from tournaments.pages.showing import detail_context
from tournaments.services import events, starting
from tournaments.services.permissions import may_manage

PAGE_SIZE = 24
FILTERS = {
    "all": "All",
    "running": "Running",
    "open": "Open",
    "finished": "Finished",
    "mine": "Mine",
}
BY_STATUS = Case(
    When(status=TournamentStatus.RUNNING, then=Value(0)),
    When(status=TournamentStatus.OPEN, then=Value(1)),
    When(status=TournamentStatus.FINISHED, then=Value(2)),
    default=Value(3),
)


def list_context(request: HttpRequest) -> dict[str, Any]:
    """Return one page of the tournaments that ``?show=`` asks for; running ones first."""
    player = viewer(request)
    show = request.GET.get("show", "all")
    found = Tournament.objects.all()
    if show in TournamentStatus.values:
        found = found.filter(status=show)
    elif show == "mine" and player is not None:
        found = found.filter(Q(pk__in=entered(player)) | Q(organizer=player))
    else:
        show = "all"
    page = Paginator(with_counts(found).order_by(BY_STATUS, "-created_at", "pk"), PAGE_SIZE).get_page(
        request.GET.get("page")
    )
    return {
        "page": page,
        "show": show,
        "filters": [(key, label) for key, label in FILTERS.items() if key != "mine" or player is not None],
        "entered": entered(player),
        "topics": " ".join(f"tournament.{tournament.pk}" for tournament in page),
    }


@require_safe
def tournament_list(request: HttpRequest) -> HttpResponse:
    """Show the tournaments."""
    return render(request, "tournaments/list.html", list_context(request))


@require_safe
def tournament_list_live(request: HttpRequest) -> HttpResponse:
    """Return the part of the list that refreshes itself."""
    return render(request, "tournaments/parts/list_live.html", list_context(request))


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def create(request: HttpRequest, *, player: Player) -> HttpResponse:
    """Make a tournament."""
    form = TournamentForm(request.POST or None, user=acting_user(request))
    key = request.POST.get("key") or new_key()
    status = 200
    if request.method == "POST":
        status = 400
        if form.is_valid():

            def make() -> str:
                made = events.tournament_create(by=acting_user(request), **form.values())
                return reverse("tournaments:detail", args=[made.slug])

            try:
                return redirect(once(request, player, make))
            except ServiceError as error:
                form.add_error(None, error.message)
                status = error.status
    return render(request, "tournaments/form.html", {"form": form, "key": key}, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def edit(request: HttpRequest, slug: str, *, player: Player) -> HttpResponse:
    """Change a tournament that has not started."""
    tournament = tournament_or_404(slug)
    user = acting_user(request)
    if not may_manage(user, tournament):
        raise NotAllowed("Only the organizer of this tournament may edit it.")
    if request.method != "POST":
        form = TournamentForm(initial=TournamentForm.initial_of(tournament), user=user, tournament=tournament)
        return render(
            request, "tournaments/form.html", {"form": form, "tournament": tournament, "seen": tournament.version}
        )
    form = TournamentForm(request.POST, user=user, tournament=tournament)
    status = 400
    if form.is_valid():
        try:
            changed = events.tournament_edit(
                tournament_id=tournament.pk, seen_version=seen_version(request), by=user, **form.values()
            )
        except ServiceError as error:
            form.add_error(None, error.message)
            status = error.status
        else:
            messages.success(request, "The tournament was changed.")
            return redirect("tournaments:detail", changed.slug)
    return render(
        request,
        "tournaments/form.html",
        {"form": form, "tournament": tournament, "seen": seen_version(request)},
        status=status,
    )


def seen_version(request: HttpRequest) -> int:
    """Return the version that the form was made from; -1, which no tournament has, if it says none."""
    text = request.POST.get("version", "")
    return int(text) if text.isdecimal() and len(text) < 19 else -1


@require_safe
def detail(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a tournament: where it stands, its bracket, its entrants and its log."""
    return render(request, "tournaments/detail.html", detail_context(request, tournament_or_404(slug)))


@require_safe
def live(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the part of a tournament's page that refreshes itself."""
    return render(request, "tournaments/parts/detail_live.html", detail_context(request, tournament_or_404(slug)))


def refused(request: HttpRequest, slug: str, error: ServiceError) -> HttpResponse:
    """Return the tournament's page as it is now, under the sentence that says why nothing was done."""
    context = detail_context(request, tournament_or_404(slug))
    return render(request, "tournaments/detail.html", {**context, "refusal": error.message}, status=error.status)


@require_POST
@player_required
def start(request: HttpRequest, slug: str, *, player: Player) -> HttpResponse:
    """Start a tournament; who manages it."""
    tournament = tournament_or_404(slug)
    try:
        starting.tournament_start(
            tournament_id=tournament.pk, seen_version=seen_version(request), by=acting_user(request)
        )
    except ServiceError as error:
        if error.code == "started-already":  # the second click of two
            return redirect("tournaments:detail", slug)
        return refused(request, slug, error)
    messages.success(request, "The tournament has started.")
    return redirect("tournaments:detail", slug)


@require_POST
@player_required
def cancel(request: HttpRequest, slug: str, *, player: Player) -> HttpResponse:
    """Call a tournament off; who manages it."""
    tournament = tournament_or_404(slug)
    form = CancelForm(request.POST)
    try:
        if not form.is_valid():
            raise Invalid(f"The reason cannot be used: {form.errors['reason'][0]}")
        events.tournament_cancel(
            tournament_id=tournament.pk,
            seen_version=seen_version(request),
            by=acting_user(request),
            reason=form.cleaned_data["reason"],
        )
    except ServiceError as error:
        return refused(request, slug, error)
    messages.success(request, "The tournament was cancelled.")
    return redirect("tournaments:detail", slug)
