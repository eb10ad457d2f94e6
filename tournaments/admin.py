"""Tournaments in the admin site: looked at here, changed through the services alone.

What can be done (start, advance, rule on a dispute) is a button on the object's page that leads to a form; the form
carries the version that it was made from, so that two organizers cannot overwrite each other.
"""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import Case, IntegerField, QuerySet, Value, When
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from unfold.admin import ModelAdmin, TabularInline
from unfold.decorators import action, display
from unfold.widgets import UnfoldAdminRadioSelectWidget, UnfoldAdminTextareaWidget

from games.admin import ReadOnly
from games.disclosure import secrets_are_public, shown
from players.errors import ServiceError
from players.models import User
from tournaments.dashboard import with_progress
from tournaments.models import (
    Dispute,
    Entrant,
    LogLine,
    Match,
    MatchGame,
    Slot,
    Stage,
    Tournament,
)
from tournaments.services.disputes import Preview, dispute_preview, dispute_rule
from tournaments.services.pauses import play_pause, play_resume
from tournaments.services.permissions import may_manage, may_rule
from tournaments.services.rounds import stage_advance
from tournaments.services.starting import tournament_start

STATUS_COLOURS = {
    "open for registration": "info",
    "running": "success",
    "finished": "default",
    "cancelled": "danger",
    "playing": "success",
    "decided": "default",
    "waiting for earlier matches": "warning",
    "waiting for the replay": "warning",
    "waiting for a ruling": "danger",
    "result stands": "default",
    "voided and replayed": "info",
}
WAITING_FIRST = Case(
    When(status="checked", then=Value(0)),
    When(status="raised", then=Value(1)),
    default=Value(2),
    output_field=IntegerField(),
)


class SeenForm(forms.Form):
    """Carries the tournament's version that the page showed."""

    version = forms.IntegerField(widget=forms.HiddenInput)


class RulingForm(SeenForm):
    """What is ruled on a dispute."""

    ruling = forms.ChoiceField(
        choices=[("stand", "The result stands"), ("replay", "The game is void and its match goes on with a new one")],
        widget=UnfoldAdminRadioSelectWidget,
    )
    note = forms.CharField(
        required=False,
        max_length=2000,
        widget=UnfoldAdminTextareaWidget,
        help_text="Shown to everybody in the tournament's log.",
    )


class PauseForm(forms.Form):
    """Why everything stops, and when it goes on by itself."""

    reason = forms.CharField(required=False, max_length=200, help_text="Shown at every table.")
    until = forms.DateTimeField(required=False, help_text="Empty: until somebody lets it go on.")


class StageInline(ReadOnly, TabularInline):
    """How the tournament is played."""

    model = Stage
    extra = 0


class EntrantInline(ReadOnly, TabularInline):
    """Who plays."""

    model = Entrant
    extra = 0
    fields = ("seed", "player", "rating", "status", "place", "registered_at")
    readonly_fields = ("registered_at",)
    ordering = ("seed", "registered_at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Entrant]:
        """Fetch the players with their entries."""
        found: QuerySet[Entrant] = super().get_queryset(request)
        return found.select_related("player", "tournament")


@admin.register(Tournament)
class TournamentAdmin(ReadOnly, ModelAdmin):
    """Tournaments with where they stand."""

    list_display = ("name", "state", "organizer", "club", "entrant_count", "progress", "in_play", "created_at")
    list_filter = ("status", "stages__format", "rated")
    list_select_related = ("organizer", "club")
    search_fields = ("name", "slug", "organizer__name")
    ordering = ("-created_at",)
    inlines = (StageInline, EntrantInline)
    readonly_fields = ("addresses",)
    actions_detail = ("start_now", "advance_now", "pause_now", "resume_now")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Tournament]:
        """Count entrants, matches and games in play along with each tournament."""
        return with_progress(super().get_queryset(request))

    @display(description="status", ordering="status", label=STATUS_COLOURS)
    def state(self, tournament: Tournament) -> str:
        """Return the status in words."""
        return tournament.get_status_display()

    @display(description="entrants", ordering="entrant_count")
    def entrant_count(self, tournament: Any) -> int:
        """Return how many play."""
        return int(tournament.entrant_count)

    @display(description="matches decided")
    def progress(self, tournament: Any) -> str:
        """Return how far it is."""
        return f"{tournament.decided_count} of {tournament.match_count}" if tournament.match_count else ""

    @display(description="games in play", ordering="game_count")
    def in_play(self, tournament: Any) -> int:
        """Return how many of its games are running now."""
        return int(tournament.game_count)

    @display(description="pages")
    def addresses(self, tournament: Tournament) -> SafeString:
        """Return where to look further."""
        matches = f"{reverse('admin:tournaments_match_changelist')}?round__stage__tournament__id__exact={tournament.pk}"
        lines = f"{reverse('admin:tournaments_logline_changelist')}?tournament__id__exact={tournament.pk}"
        page = reverse("tournaments:detail", args=[tournament.slug])
        return format_html(
            '<a href="{}">page of the tournament</a>, <a href="{}">matches</a>, <a href="{}">log</a>',
            page,
            matches,
            lines,
        )

    def has_manage_permission(self, request: HttpRequest, object_id: str | None = None) -> bool:
        """Say whether the person may run this tournament."""
        tournament = Tournament.objects.select_related("organizer", "club").filter(pk=number_in(object_id)).first()
        return tournament is not None and may_manage(request.user, tournament)

    def has_start_permission(self, request: HttpRequest, object_id: str | None = None) -> bool:
        """Say whether the person may start this tournament, and whether it can be."""
        is_open = Tournament.objects.open().filter(pk=number_in(object_id)).exists()
        return is_open and self.has_manage_permission(request, object_id)

    def has_advance_permission(self, request: HttpRequest, object_id: str | None = None) -> bool:
        """Say whether the person may advance this tournament, and whether it can be."""
        is_running = Tournament.objects.running().filter(pk=number_in(object_id)).exists()
        return is_running and self.has_manage_permission(request, object_id)

    def has_pause_permission(self, request: HttpRequest, object_id: str | None = None) -> bool:
        """Say whether the person may pause this tournament, and whether it can be."""
        found = Tournament.objects.running().filter(pk=number_in(object_id)).first()
        return found is not None and not found.is_paused and self.has_manage_permission(request, object_id)

    def has_resume_permission(self, request: HttpRequest, object_id: str | None = None) -> bool:
        """Say whether the person may let this tournament go on, and whether it stands."""
        found = Tournament.objects.running().filter(pk=number_in(object_id)).first()
        return found is not None and found.is_paused and self.has_manage_permission(request, object_id)

    @action(description="Pause", permissions=["pause"], icon="pause")
    def pause_now(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Ask, then stop every game."""
        tournament = get_object_or_404(Tournament, pk=object_id)
        form = PauseForm(request.POST or None)
        if request.method == "POST" and form.is_valid():
            done = carry_out(
                request,
                lambda: play_pause(tournament_id=tournament.pk, by=user_of(request), **form.cleaned_data),
                "Play is paused.",
            )
            if done:
                return redirect("admin:tournaments_tournament_change", object_id)
        text = "Every clock stands, nobody can act, and games that begin meanwhile begin stopped."
        return self._ask(request, tournament, form, "Pause the tournament", text, "Pause")

    @action(description="Let it go on", permissions=["resume"], icon="resume")
    def resume_now(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Ask, then let every game go on that was stopped with the tournament."""
        tournament = get_object_or_404(Tournament, pk=object_id)
        form = forms.Form(request.POST or None)
        if request.method == "POST":
            carry_out(
                request,
                lambda: play_resume(tournament_id=tournament.pk, by=user_of(request)),
                "Play goes on in a few seconds.",
            )
            return redirect("admin:tournaments_tournament_change", object_id)
        text = "Games go on after a countdown of ten seconds; what was stopped for itself before stays so."
        return self._ask(request, tournament, form, "Let the tournament go on", text, "Let it go on")

    @action(description="Start", permissions=["start"], icon="play_arrow")
    def start_now(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Ask, then start."""
        tournament = get_object_or_404(Tournament, pk=object_id)
        form = SeenForm(request.POST or None, initial={"version": tournament.version})
        if request.method == "POST" and form.is_valid():
            done = carry_out(
                request,
                lambda: tournament_start(
                    tournament_id=tournament.pk, seen_version=form.cleaned_data["version"], by=user_of(request)
                ),
                "The tournament has begun.",
            )
            if done:
                return redirect("admin:tournaments_tournament_change", object_id)
        entrants = tournament.entrants.count()
        text = f"{entrants} entrants are registered. They are seeded by rating, and the first games begin."
        return self._ask(request, tournament, form, "Start the tournament", text, "Start")

    @action(description="Advance", permissions=["advance"], icon="skip_next")
    def advance_now(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Ask, then take in what has been played."""
        tournament = get_object_or_404(Tournament, pk=object_id)
        form = SeenForm(request.POST or None, initial={"version": tournament.version})
        if request.method == "POST" and form.is_valid():
            carry_out(request, lambda: stage_advance(tournament_id=tournament.pk), "The tournament is up to date.")
            return redirect("admin:tournaments_tournament_change", object_id)
        text = "Ended games are taken into their matches and the next games are made. This happens by itself too."
        return self._ask(request, tournament, form, "Advance the tournament", text, "Advance")

    def _ask(
        self, request: HttpRequest, tournament: Tournament, form: forms.Form, title: str, text: str, button: str
    ) -> HttpResponse:
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": title,
            "original": tournament,
            "text": text,
            "form": form,
            "button": button,
            "back_url": reverse("admin:tournaments_tournament_change", args=[tournament.pk]),
        }
        return render(request, "admin/tournaments/ask.html", context)


class SlotInline(ReadOnly, TabularInline):
    """Who sits at the match, or will."""

    model = Slot
    fk_name = "match"
    extra = 0
    fields = ("number", "entrant", "source", "source_place", "place", "walkover")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Slot]:
        """Fetch what the rows show."""
        found: QuerySet[Slot] = super().get_queryset(request)
        return found.select_related("entrant__player", "source__round", "match__round")


class MatchGameInline(ReadOnly, TabularInline):
    """The games of the match."""

    model = MatchGame
    extra = 0
    fields = ("number", "game", "state", "counted_at")
    readonly_fields = ("state",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[MatchGame]:
        """Fetch what the rows show."""
        found: QuerySet[MatchGame] = super().get_queryset(request)
        return found.select_related("game", "match__round")

    @display(description="status")
    def state(self, match_game: MatchGame) -> str:
        """Return the game's status as anybody may know it."""
        return str(shown(match_game.game, None).status.label)


@admin.register(Match)
class MatchAdmin(ReadOnly, ModelAdmin):
    """Matches of every tournament."""

    list_display = ("__str__", "tournament", "state", "entrants", "decided_at")
    list_filter = ("status", ("round__stage__tournament", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("round__stage__tournament",)
    search_fields = ("round__stage__tournament__name", "slots__entrant__player__name")
    ordering = ("-round__stage__tournament", "round__number", "table")
    inlines = (SlotInline, MatchGameInline)
    show_full_result_count = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Match]:
        """Fetch the entrants of all matches at once."""
        found: QuerySet[Match] = super().get_queryset(request)
        return found.prefetch_related("slots__entrant__player")

    @display(description="tournament", ordering="round__stage__tournament__name")
    def tournament(self, match: Match) -> str:
        """Return the tournament's name."""
        return match.round.stage.tournament.name

    @display(description="status", ordering="status", label=STATUS_COLOURS)
    def state(self, match: Match) -> str:
        """Return the status in words."""
        return match.get_status_display()

    @display(description="entrants")
    def entrants(self, match: Match) -> str:
        """Return who plays, and who is awaited."""
        return ", ".join(str(slot.entrant) if slot.entrant else "…" for slot in match.slots.all())


@admin.register(Dispute)
class DisputeAdmin(ReadOnly, ModelAdmin):
    """Disputes, those that wait for somebody first."""

    list_display = ("__str__", "state", "tournament", "raised_by", "record_number", "finding", "raised_at")
    list_filter = ("status",)
    list_select_related = ("raised_by", "match_game__match__round__stage__tournament")
    search_fields = ("raised_by__name", "match_game__match__round__stage__tournament__name", "text")
    fields = (
        "state",
        "where",
        "raised_by",
        "raised_at",
        "record_number",
        "text",
        "report_in_words",
        "checked_at",
        "ruled_by",
        "ruled_at",
        "ruling_note",
    )
    readonly_fields = ("state", "where", "raised_at", "report_in_words")
    actions_detail = ("rule_now",)

    def get_ordering(self, request: HttpRequest) -> list[Any]:
        """Put first what waits for a ruling, then what waits for its replay."""
        return [WAITING_FIRST.asc(), "-raised_at"]

    @display(description="status", ordering="status", label=STATUS_COLOURS)
    def state(self, dispute: Dispute) -> str:
        """Return the status in words."""
        return dispute.get_status_display()

    @display(description="tournament")
    def tournament(self, dispute: Dispute) -> str:
        """Return the tournament's name."""
        return dispute.match_game.match.round.stage.tournament.name

    @display(description="replay")
    def finding(self, dispute: Dispute) -> str:
        """Return in a word what the replay found."""
        if dispute.report is None:
            return ""
        return "in order" if dispute.report["ok"] else f"fault: {dispute.report['fault']}"

    @display(description="game")
    def where(self, dispute: Dispute) -> SafeString:
        """Return the game, its match and its tournament, as links."""
        match_game = dispute.match_game
        tournament = match_game.match.round.stage.tournament
        links = [
            (reverse("tournaments:detail", args=[tournament.slug]), tournament.name),
            (reverse("tournaments:match", args=[tournament.slug, match_game.match_id]), str(match_game.match)),
            (reverse("games:table", args=[match_game.game_id]), f"game {match_game.number}"),
            (reverse("games:transcript", args=[match_game.game_id]), "transcript"),
        ]
        return format_html_join(", ", '<a class="underline" href="{}">{}</a>', links)

    @display(description="report of the replay")
    def report_in_words(self, dispute: Dispute) -> str:
        """Return what the replay found, for people."""
        report = dispute.report
        if report is None:
            return "The replay has not been made yet."
        if report["ok"]:
            return f"All {report['records']} records are in order; chain, actions and result hold."
        at = "" if report["at_record"] is None else f" at record {report['at_record']}"
        if not secrets_are_public(dispute.match_game.game, None):
            return f"Fault ({report['fault']}){at}; more is said when everybody may know the cards."
        return f"Fault ({report['fault']}){at}: {report['message']}"

    def has_rule_permission(self, request: HttpRequest, object_id: str | None = None) -> bool:
        """Say whether the person may rule on this dispute, and whether it can be ruled on."""
        dispute = (
            Dispute.objects.select_related("match_game__match__round__stage__tournament__organizer")
            .filter(pk=number_in(object_id), status="checked")
            .first()
        )
        return dispute is not None and may_rule(request.user, dispute)

    @action(description="Rule on it", permissions=["rule"], icon="gavel")
    def rule_now(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Show what a ruling would touch, and take the ruling."""
        dispute = get_object_or_404(self.get_queryset(request), pk=object_id)
        preview = dispute_preview(dispute_id=dispute.pk)
        form = RulingForm(request.POST or None, initial={"version": preview.version})
        if request.method == "POST" and form.is_valid():
            given = form.cleaned_data
            done = carry_out(
                request,
                lambda: dispute_rule(
                    dispute_id=dispute.pk,
                    by=user_of(request),
                    ruling=given["ruling"],
                    note=given["note"],
                    seen_version=given["version"],
                ),
                "The ruling is made and logged.",
            )
            if done:
                return redirect("admin:tournaments_dispute_change", object_id)
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": "Rule on a dispute",
            "original": dispute,
            "text": f"{dispute.raised_by} points at record {dispute.record_number}: {dispute.text}",
            "report": self.report_in_words(dispute),
            "touched": in_words(preview),
            "form": form,
            "button": "Rule",
            "back_url": reverse("admin:tournaments_dispute_change", args=[dispute.pk]),
        }
        return render(request, "admin/tournaments/ask.html", context)


@admin.register(LogLine)
class LogLineAdmin(ReadOnly, ModelAdmin):
    """The log of all tournaments."""

    list_display = ("at", "tournament", "action", "text", "actor", "public")
    list_filter = ("public", "action", ("tournament", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("tournament", "actor")
    search_fields = ("text", "tournament__name")
    show_full_result_count = False


def number_in(object_id: str | None) -> int:
    """Return the number that an address names, or 0, which nothing has."""
    return int(object_id) if object_id and object_id.isdecimal() and len(object_id) < 19 else 0


def in_words(preview: Preview) -> list[str]:
    """Return what "void and replay" would touch, a sentence each."""
    games = len(preview.games)
    sentences = [f"{games} game{'' if games == 1 else 's'} would be void."]
    if preview.matches:
        sentences.append(f"Undone with it: {'; '.join(str(match) for match in preview.matches)}.")
    sentences += [f"{move.player}: rating {move.before / 10:.1f} to {move.after / 10:.1f}." for move in preview.ratings]
    if preview.reopens:
        sentences.append("The finished tournament would be running again.")
    return sentences


def carry_out(request: HttpRequest, service: Any, done: str) -> bool:
    """Call ``service`` and say ``done``, or say why it refused; return whether it did it."""
    try:
        service()
    except ServiceError as refusal:
        messages.error(request, refusal.message)
        return False
    messages.success(request, done)
    return True


def user_of(request: HttpRequest) -> User:
    """Return who is logged in to the admin site."""
    assert isinstance(request.user, User)
    return request.user
