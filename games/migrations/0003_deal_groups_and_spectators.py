"""Games that share their cards with other tables, and who may look on at a game, and when."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models

import games.models


class Migration(migrations.Migration):
    dependencies = [("games", "0002_clocks_and_pauses")]

    operations = [
        migrations.CreateModel(
            name="DealGroup",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=games.models.new_game_id, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("commitment", models.CharField(help_text="SHA-256 of the server seed, hexadecimal.", max_length=64)),
                ("server_seed", models.BinaryField(max_length=32)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "opened_at",
                    models.DateTimeField(blank=True, help_text="When the cards of the group became public.", null=True),
                ),
            ],
            options={"ordering": ("-created_at", "pk")},
        ),
        migrations.AddField(
            model_name="game",
            name="deal_group",
            field=models.ForeignKey(
                blank=True,
                help_text="Whose seed and commitment this game has, if other tables are dealt the same cards.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="games",
                to="games.dealgroup",
            ),
        ),
        migrations.AddField(
            model_name="game",
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
            model_name="game",
            name="circle",
            field=models.CharField(
                blank=True,
                default="",
                help_text="Names the event of the game, for who may look on meanwhile.",
                max_length=40,
            ),
        ),
        migrations.AddField(
            model_name="game",
            name="spectator_delay_ms",
            field=models.PositiveIntegerField(default=0, help_text="So much later spectators see a record."),
        ),
        migrations.AddField(
            model_name="game",
            name="spectator_delay_moves",
            field=models.PositiveSmallIntegerField(
                default=0, help_text="So many records later spectators see a record, while the game runs."
            ),
        ),
        migrations.AddField(
            model_name="game",
            name="shown_at_end",
            field=models.BooleanField(default=False, help_text="Spectators see all at once when the game is over."),
        ),
        migrations.AddConstraint(
            model_name="game",
            constraint=models.CheckConstraint(
                condition=models.Q(("spectating__in", ["all", "after-own", "nobody"])), name="game_spectating_known"
            ),
        ),
    ]
