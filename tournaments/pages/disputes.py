"""Disputes: a player's claim about a game, the replay's report, and the organizer's ruling.

Raising one takes a player of that game (the service refuses others); reading is open to everybody; ruling takes who
may manage the tournament (403 otherwise).
"""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.disclosure import secrets_are_public
from players.errors import Conflict, NotAllowed, ServiceError
from players.models import Player
from tournaments.forms.disputes import DisputeForm, RulingForm
from tournaments.models import Dispute, DisputeStatus, MatchGame
from tournaments.pages.access import acting_user, player_required, viewer
from tournaments.pages.events import seen_version
from tournaments.records import worded_records
from tournaments.services import disputes
from tournaments.services.permissions import may_manage, may_rule, must_rule


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def raise_dispute(request: HttpRequest, slug: str, pk: int, number: int, *, player: Player) -> HttpResponse:
    """Say what is wrong with a game of one's own, and at which move."""
    match_game = get_object_or_404(
        MatchGame.objects.select_related("game", "match__round__stage__tournament"),
        match_id=pk,
        number=number,
        match__round__stage__tournament__slug=slug,
    )
    if not match_game.game.seat_set.filter(player=player).exists():
        raise NotAllowed("Only who played in a game may dispute it.")
    records = worded_records(match_game.game, player)
    form = DisputeForm(request.POST or None, records=records)
    status = 200
    if request.method == "POST":
        status = 400
        if form.is_valid():
            try:
                dispute = disputes.dispute_raise(
                    match_game_id=match_game.pk,
                    player=player,
                    record_number=form.cleaned_data["record_number"],
                    text=form.cleaned_data["text"],
                )
            except ServiceError as error:
                open_one = _open_one(match_game, player)
                if open_one is not None:  # the second click of two
                    return redirect("tournaments:dispute_detail", slug, open_one.pk)
                form.add_error(None, error.message)
                status = error.status
            else:
                messages.success(request, "Your dispute is on record. The game is being replayed now.")
                return redirect("tournaments:dispute_detail", slug, dispute.pk)
    match = match_game.match
    context = {
        "form": form,
        "match_game": match_game,
        "match": match,
        "tournament": match.round.stage.tournament,
        "open_one": _open_one(match_game, player),
    }
    return render(request, "tournaments/dispute_form.html", context, status=status)


def _open_one(match_game: MatchGame, player: Player) -> Dispute | None:
    return Dispute.objects.waiting().filter(match_game=match_game, raised_by=player).first()


def dispute_context(request: HttpRequest, slug: str, pk: int) -> dict[str, Any]:
    """Return what the page of a dispute shows; with a preview for who may rule, once the replay has been made."""
    dispute = get_object_or_404(
        Dispute.objects.select_related(
            "raised_by", "ruled_by", "match_game__game", "match_game__match__round__stage__tournament__organizer"
        ),
        pk=pk,
        match_game__match__round__stage__tournament__slug=slug,
    )
    match = dispute.match_game.match
    tournament = match.round.stage.tournament
    rules = may_rule(request.user, dispute)
    context: dict[str, Any] = {
        "dispute": dispute,
        "match_game": dispute.match_game,
        "match": match,
        "tournament": tournament,
        "rules": rules,
        "own_game": not rules and may_manage(request.user, tournament),
        "form": RulingForm(),
        "report": report_words(dispute),
        "record_text": _record_text(dispute, viewer(request)),
    }
    if rules and dispute.status == DisputeStatus.CHECKED:
        context["preview"] = disputes.dispute_preview(dispute_id=dispute.pk)
    return context


FAULTS = {
    "bad-format": "The stored game is not of the form that a transcript has.",
    "commitment-mismatch": "The cards were not dealt from the seed that was committed to beforehand.",
    "chain-broken": "A record is not what it was when it was accepted: the chain of hashes breaks there.",
    "illegal-action": "A record holds an action that the rules do not allow at that point.",
    "clock-backwards": "A record is earlier than the one before it.",
    "outcome-mismatch": "The result on record is not what the records lead to.",
}
"""What each fault of a verification report means, in words."""


def report_words(dispute: Dispute) -> dict[str, Any] | None:
    """Return the verification report (transcript specification) with what its fault means; None without one.

    What it says of the fault may name cards: that waits until everybody may know them.
    """
    report = dispute.report
    if report is None:
        return None
    words = {**report, "meaning": FAULTS.get(report.get("fault") or "", "")}
    return words if secrets_are_public(dispute.match_game.game, None) else {**words, "message": ""}


def _record_text(dispute: Dispute, player: Player | None) -> str:
    """Return the disputed record in words, or why they are not told yet."""
    try:
        return dict(worded_records(dispute.match_game.game, player)).get(dispute.record_number, "")
    except Conflict as closed:
        return closed.message


@require_safe
def dispute_detail(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show a dispute: the claim, the replay's report, the ruling."""
    return render(request, "tournaments/dispute_detail.html", dispute_context(request, slug, pk))


@require_safe
def dispute_live(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Return the part of a dispute's page that refreshes itself."""
    return render(request, "tournaments/parts/dispute_live.html", dispute_context(request, slug, pk))


@require_POST
@player_required
def dispute_rule(request: HttpRequest, slug: str, pk: int, *, player: Player) -> HttpResponse:
    """Rule on a dispute."""
    context = dispute_context(request, slug, pk)
    must_rule(acting_user(request), context["dispute"])
    form = RulingForm(request.POST)
    status = 400
    if form.is_valid():
        try:
            disputes.dispute_rule(
                dispute_id=pk,
                by=acting_user(request),
                ruling=form.cleaned_data["ruling"],
                note=form.cleaned_data["note"],
                seen_version=seen_version(request),
            )
        except ServiceError as error:
            form.add_error(None, error.message)
            status = error.status
            context = dispute_context(request, slug, pk)
        else:
            messages.success(request, "The ruling is on record, and public.")
            return redirect("tournaments:dispute_detail", slug, pk)
    return render(request, "tournaments/dispute_detail.html", {**context, "form": form}, status=status)
