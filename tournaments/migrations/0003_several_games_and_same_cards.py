"""Matches of a fixed number of games, the same cards at several tables, and who may look on."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0003_deal_groups_and_spectators"), ("tournaments", "0002_clocks_and_pauses")]

    operations = [
        migrations.CreateModel(
            name="RoundDeal",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("board", models.PositiveSmallIntegerField(help_text="Counts from 1 in each round.")),
                ("seats", models.PositiveSmallIntegerField()),
                (
                    "group",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="round_deal", to="games.dealgroup"
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="deals", to="tournaments.round"
                    ),
                ),
            ],
            options={"ordering": ("round", "board", "seats")},
        ),
        migrations.AddConstraint(
            model_name="rounddeal",
            constraint=models.UniqueConstraint(
                fields=("round", "board", "seats"),
                name="round_deal_unique",
                violation_error_message="These tables have their cards already.",
            ),
        ),
        migrations.AddField(model_name="match", name="play_all", field=models.BooleanField(default=False)),
        migrations.AddField(
            model_name="stage",
            name="play_all",
            field=models.BooleanField(
                default=False,
                help_text="Every game of a match is played and counts; else whoever has won enough is through.",
            ),
        ),
        migrations.AddField(
            model_name="stage",
            name="points_rule",
            field=models.CharField(
                choices=[("results", "results"), ("same-cards", "comparison with who held the same cards")],
                default="results",
                max_length=10,
            ),
        ),
        migrations.AlterField(
            model_name="stage",
            name="best_of",
            field=models.PositiveSmallIntegerField(default=1, help_text="Games of a match, at most."),
        ),
        migrations.RemoveConstraint(model_name="stage", name="stage_best_of_fits"),
        migrations.AddConstraint(
            model_name="stage",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("best_of", 1),
                    models.Q(("best_of__in", [3, 5, 7, 9]), ("table_size", 2)),
                    models.Q(("best_of__gte", 1), ("best_of__lte", 9), ("play_all", True)),
                    _connector="OR",
                ),
                name="stage_best_of_fits",
            ),
        ),
        migrations.AddConstraint(
            model_name="stage",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("points_rule", "results"),
                    models.Q(("format", "round-robin"), ("points_rule", "same-cards")),
                    _connector="OR",
                ),
                name="stage_points_rule_fits",
            ),
        ),
        migrations.AddField(
            model_name="tournament",
            name="break_seconds",
            field=models.PositiveIntegerField(
                default=30, help_text="How long the next game of a match waits for its players, who have just played."
            ),
        ),
        migrations.AddField(
            model_name="tournament",
            name="duplicate",
            field=models.CharField(
                choices=[
                    ("none", "every game is dealt for itself"),
                    ("tables", "the same cards at all tables of a round"),
                    ("seats", "the same cards at all tables, and again until everybody has held each hand"),
                ],
                default="none",
                max_length=10,
            ),
        ),
        migrations.AddField(
            model_name="tournament",
            name="spectating",
            field=models.CharField(
                choices=[
                    ("all", "everybody"),
                    ("after-own", "who is logged in and has no game of the event open"),
                    ("nobody", "nobody before the end"),
                ],
                default="all",
                max_length=10,
            ),
        ),
        migrations.AddField(
            model_name="tournament",
            name="spectator_delay_seconds",
            field=models.PositiveIntegerField(default=0, help_text="So much later spectators see a move."),
        ),
        migrations.AddField(
            model_name="tournament",
            name="spectator_delay_moves",
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="tournament",
            name="shown_at_end",
            field=models.BooleanField(
                default=False, help_text="When a game is over spectators see its end at once, whatever the delay."
            ),
        ),
        migrations.AddConstraint(
            model_name="tournament",
            constraint=models.CheckConstraint(
                condition=models.Q(("duplicate__in", ["none", "tables", "seats"])), name="tournament_duplicate_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="tournament",
            constraint=models.CheckConstraint(
                condition=models.Q(("spectating__in", ["all", "after-own", "nobody"])),
                name="tournament_spectating_known",
            ),
        ),
    ]
