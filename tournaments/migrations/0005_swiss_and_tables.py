"""Swiss and table formats, stages that lead to stages, rounds as drafts, byes, entrants of a stage as stored rows."""

import django.db.models.constraints
import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


def know_the_stages(apps, schema_editor):
    """Every stage so far is the only one of its tournament: whoever has a seed there is in it."""
    Stage = apps.get_model("tournaments", "Stage")
    StageEntrant = apps.get_model("tournaments", "StageEntrant")
    for stage in Stage.objects.select_related("tournament").iterator():
        tournament = stage.tournament
        if tournament.started_at is None:
            continue
        stage.status = "finished" if tournament.status == "finished" else "running"
        stage.save(update_fields=["status"])
        StageEntrant.objects.bulk_create(
            StageEntrant(
                stage=stage,
                entrant=entrant,
                seed=entrant.seed,
                status="withdrawn" if entrant.status == "withdrawn" else "in",
                place=entrant.place,
            )
            for entrant in tournament.entrants.exclude(seed=None)
        )


class Migration(migrations.Migration):
    dependencies = [
        ("players", "0003_bot_accounts_and_keys"),
        ("tournaments", "0004_brackets_and_tie_breaks"),
    ]

    operations = [
        migrations.CreateModel(
            name="Bye",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("bye-allocated", "bye: nobody was left to play"),
                            ("bye-full", "full-point bye"),
                            ("bye-half", "half-point bye"),
                            ("bye-zero", "zero-point bye"),
                        ],
                        max_length=13,
                    ),
                ),
            ],
            options={
                "ordering": ("round", "entrant"),
            },
        ),
        migrations.CreateModel(
            name="ByeRequest",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("round_number", models.PositiveSmallIntegerField()),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("bye-allocated", "bye: nobody was left to play"),
                            ("bye-full", "full-point bye"),
                            ("bye-half", "half-point bye"),
                            ("bye-zero", "zero-point bye"),
                        ],
                        max_length=13,
                    ),
                ),
            ],
            options={
                "ordering": ("stage", "round_number", "entrant"),
            },
        ),
        migrations.CreateModel(
            name="KeepApart",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ],
            options={
                "verbose_name_plural": "kept apart",
                "ordering": ("tournament", "pk"),
            },
        ),
        migrations.CreateModel(
            name="StageEntrant",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "seed",
                    models.PositiveSmallIntegerField(help_text="1 is the best in this stage; late entries come last."),
                ),
                ("group", models.PositiveSmallIntegerField(blank=True, help_text="Counts from 1.", null=True)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("in", "in"),
                            ("substitute", "substitute"),
                            ("withdrawn", "withdrawn"),
                            ("cut", "did not get in"),
                        ],
                        default="in",
                        max_length=10,
                    ),
                ),
                (
                    "place",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        help_text="Place in the finished stage (in groups: in the group); ties share.",
                        null=True,
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "stage entrants",
                "ordering": ("stage", "seed"),
            },
        ),
        migrations.RemoveConstraint(
            model_name="stage",
            name="stage_points_rule_fits",
        ),
        migrations.RemoveConstraint(
            model_name="stage",
            name="stage_format_known",
        ),
        migrations.RemoveConstraint(
            model_name="stage",
            name="stage_table_size_fits",
        ),
        migrations.RemoveConstraint(
            model_name="stage",
            name="stage_twice_fits",
        ),
        migrations.RemoveConstraint(
            model_name="tournament",
            name="tournament_capacity_2_to_512",
        ),
        migrations.AddField(
            model_name="round",
            name="asked_at",
            field=models.DateTimeField(blank=True, help_text="When its pairing was asked for.", null=True),
        ),
        migrations.AddField(
            model_name="round",
            name="lot",
            field=models.PositiveSmallIntegerField(
                default=0, help_text="Counts how often it was drawn with other lots."
            ),
        ),
        migrations.AddField(
            model_name="round",
            name="pairing",
            field=models.JSONField(blank=True, help_text="What was drawn, and why.", null=True),
        ),
        migrations.AddField(
            model_name="round",
            name="pairing_error",
            field=models.TextField(blank=True, default="", help_text="Why it could not be drawn, in a sentence."),
        ),
        migrations.AddField(
            model_name="round",
            name="status",
            field=models.CharField(
                choices=[("draft", "draft"), ("published", "published")], default="published", max_length=9
            ),
        ),
        migrations.AddField(
            model_name="stage",
            name="draw_seed",
            field=models.CharField(
                blank=True,
                default="",
                help_text="A number, drawn when the stage starts: every lot follows it.",
                max_length=20,
            ),
        ),
        migrations.AddField(
            model_name="stage",
            name="group_count",
            field=models.PositiveSmallIntegerField(blank=True, help_text="How many groups.", null=True),
        ),
        migrations.AddField(
            model_name="stage",
            name="largest_table",
            field=models.PositiveSmallIntegerField(blank=True, help_text="Entrants at a large table.", null=True),
        ),
        migrations.AddField(
            model_name="stage",
            name="place_points",
            field=models.JSONField(
                blank=True,
                default=dict,
                help_text="Whole points for each place, first to last, by the size of the table.",
            ),
        ),
        migrations.AddField(
            model_name="stage",
            name="round_count",
            field=models.PositiveSmallIntegerField(
                blank=True, help_text="How many, where it can be chosen.", null=True
            ),
        ),
        migrations.AddField(
            model_name="stage",
            name="short_tables",
            field=models.CharField(
                choices=[
                    ("low", "smaller tables at the low end"),
                    ("high", "smaller tables at the high end"),
                    ("byes", "no smaller tables: byes"),
                ],
                default="low",
                max_length=4,
            ),
        ),
        migrations.AddField(
            model_name="stage",
            name="smallest_table",
            field=models.PositiveSmallIntegerField(blank=True, help_text="Entrants at a short table.", null=True),
        ),
        migrations.AddField(
            model_name="stage",
            name="source",
            field=models.ForeignKey(
                blank=True,
                help_text="Where from.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="leads_to",
                to="tournaments.stage",
            ),
        ),
        migrations.AddField(
            model_name="stage",
            name="status",
            field=models.CharField(
                choices=[("waiting", "waiting for its entrants"), ("running", "running"), ("finished", "finished")],
                default="waiting",
                max_length=8,
            ),
        ),
        migrations.AddField(
            model_name="stage",
            name="takes",
            field=models.CharField(
                blank=True,
                choices=[
                    ("places", "places of the stage"),
                    ("group-places", "places of each group"),
                    ("rest", "whoever goes nowhere else"),
                ],
                default="",
                max_length=12,
            ),
        ),
        migrations.AddField(
            model_name="stage",
            name="takes_first",
            field=models.PositiveSmallIntegerField(blank=True, help_text="The first place taken.", null=True),
        ),
        migrations.AddField(
            model_name="stage",
            name="takes_last",
            field=models.PositiveSmallIntegerField(blank=True, help_text="The last place taken.", null=True),
        ),
        migrations.AddField(
            model_name="stage",
            name="tie_rule",
            field=models.CharField(
                choices=[("tie-breaks", "tie-breaks"), ("play-off", "a play-off"), ("organizer", "the organizer")],
                default="tie-breaks",
                max_length=10,
            ),
        ),
        migrations.AddField(
            model_name="tournament",
            name="publish_rounds",
            field=models.CharField(
                choices=[("automatic", "at once"), ("by-hand", "when an organizer has looked at it")],
                default="automatic",
                max_length=10,
            ),
        ),
        migrations.AlterField(
            model_name="stage",
            name="format",
            field=models.CharField(
                choices=[
                    ("single-elimination", "single elimination, two seats"),
                    ("double-elimination", "double elimination, two seats"),
                    ("table-elimination", "elimination at tables"),
                    ("round-robin", "round robin, two seats"),
                    ("swiss", "Swiss, two seats"),
                    ("fide-dutch", "Swiss by the FIDE Dutch rules, two seats"),
                    ("table-swiss", "Swiss at tables"),
                    ("table-schedule", "fixed schedule at tables"),
                    ("groups", "round robin in groups, two seats"),
                ],
                max_length=20,
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="stage",
            trigger=pgtrigger.compiler.Trigger(
                name="draw_seed_stays",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (NOT (OLD."draw_seed" = \'\') AND OLD."draw_seed" IS DISTINCT FROM (NEW."draw_seed"))',
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                    hash="a02d5ce294329857319b3431f19a3c1bd70f62af",
                    operation="UPDATE",
                    pgid="pgtrigger_draw_seed_stays_e3768",
                    table="tournaments_stage",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddConstraint(
            model_name="round",
            constraint=models.CheckConstraint(
                condition=models.Q(("status__in", ["draft", "published"])), name="round_status_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="round",
            constraint=models.CheckConstraint(
                condition=models.Q(("status", "published"), ("asked_at__isnull", False), _connector="OR"),
                name="round_draft_asked_for",
            ),
        ),
        migrations.AddConstraint(
            model_name="round",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("pairing_error", ""), models.Q(("pairing__isnull", True), ("status", "draft")), _connector="OR"
                ),
                name="round_error_has_no_draw",
            ),
        ),
        migrations.AddConstraint(
            model_name="stage",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "format__in",
                        [
                            "single-elimination",
                            "double-elimination",
                            "table-elimination",
                            "round-robin",
                            "swiss",
                            "fide-dutch",
                            "table-swiss",
                            "table-schedule",
                            "groups",
                        ],
                    )
                ),
                name="stage_format_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="stage",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("format__in", ["table-elimination", "table-swiss", "table-schedule"]),
                        ("table_size__gte", 3),
                        ("table_size__lte", 8),
                    ),
                    models.Q(
                        models.Q(("format__in", ["table-elimination", "table-swiss", "table-schedule"]), _negated=True),
                        ("table_size", 2),
                    ),
                    _connector="OR",
                ),
                name="stage_table_size_fits",
            ),
        ),
        migrations.AddConstraint(
            model_name="stage",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("points_rule", "results"),
                    models.Q(
                        ("format__in", ["round-robin", "groups", "table-schedule"]), ("points_rule", "same-cards")
                    ),
                    _connector="OR",
                ),
                name="stage_points_rule_fits",
            ),
        ),
        migrations.AddConstraint(
            model_name="stage",
            constraint=models.CheckConstraint(
                condition=models.Q(("twice", False), ("format__in", ["round-robin", "groups"]), _connector="OR"),
                name="stage_twice_fits",
            ),
        ),
        migrations.AddConstraint(
            model_name="stage",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("format__in", ["swiss", "fide-dutch", "table-swiss", "table-schedule"]),
                        ("round_count__gte", 1),
                        ("round_count__lte", 99),
                    ),
                    models.Q(
                        models.Q(
                            ("format__in", ["swiss", "fide-dutch", "table-swiss", "table-schedule"]), _negated=True
                        ),
                        ("round_count__isnull", True),
                    ),
                    _connector="OR",
                ),
                name="stage_round_count_fits",
            ),
        ),
        migrations.AddConstraint(
            model_name="stage",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("format__in", ["table-swiss", "table-schedule"]),
                        ("largest_table__gte", models.F("table_size")),
                        ("largest_table__lte", 8),
                        ("smallest_table__gte", 3),
                        ("smallest_table__lte", models.F("table_size")),
                    ),
                    models.Q(
                        models.Q(("format__in", ["table-swiss", "table-schedule"]), _negated=True),
                        ("largest_table__isnull", True),
                        ("smallest_table__isnull", True),
                    ),
                    _connector="OR",
                ),
                name="stage_table_sizes_fit",
            ),
        ),
        migrations.AddConstraint(
            model_name="stage",
            constraint=models.CheckConstraint(
                condition=models.Q(("short_tables__in", ["low", "high", "byes"])), name="stage_short_tables_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="stage",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("format", "groups"), ("group_count__gte", 1)),
                    models.Q(models.Q(("format", "groups"), _negated=True), ("group_count__isnull", True)),
                    _connector="OR",
                ),
                name="stage_group_count_fits",
            ),
        ),
        migrations.AddConstraint(
            model_name="stage",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("source__isnull", True),
                        ("takes", ""),
                        ("takes_first__isnull", True),
                        ("takes_last__isnull", True),
                    ),
                    models.Q(
                        ("source__isnull", False),
                        ("takes", "rest"),
                        ("takes_first__isnull", True),
                        ("takes_last__isnull", True),
                    ),
                    models.Q(
                        ("source__isnull", False),
                        ("takes__in", ["places", "group-places"]),
                        ("takes_first__gte", 1),
                        ("takes_last__gte", models.F("takes_first")),
                    ),
                    _connector="OR",
                ),
                name="stage_source_complete",
            ),
        ),
        migrations.AddConstraint(
            model_name="stage",
            constraint=models.CheckConstraint(
                condition=models.Q(("tie_rule__in", ["tie-breaks", "play-off", "organizer"])),
                name="stage_tie_rule_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="stage",
            constraint=models.CheckConstraint(
                condition=models.Q(("status__in", ["waiting", "running", "finished"])), name="stage_status_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="stage",
            constraint=models.CheckConstraint(
                condition=models.Q(("draw_seed__regex", "^[0-9]*$")), name="stage_draw_seed_number"
            ),
        ),
        migrations.AddConstraint(
            model_name="tournament",
            constraint=models.CheckConstraint(
                condition=models.Q(("capacity__gte", 2), ("capacity__lte", 4096)), name="tournament_capacity_2_to_4096"
            ),
        ),
        migrations.AddConstraint(
            model_name="tournament",
            constraint=models.CheckConstraint(
                condition=models.Q(("publish_rounds__in", ["automatic", "by-hand"])),
                name="tournament_publish_rounds_known",
            ),
        ),
        migrations.AddField(
            model_name="bye",
            name="entrant",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="byes", to="tournaments.entrant"
            ),
        ),
        migrations.AddField(
            model_name="bye",
            name="round",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="byes", to="tournaments.round"
            ),
        ),
        migrations.AddField(
            model_name="byerequest",
            name="entrant",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="bye_requests", to="tournaments.entrant"
            ),
        ),
        migrations.AddField(
            model_name="byerequest",
            name="stage",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="bye_requests", to="tournaments.stage"
            ),
        ),
        migrations.AddField(
            model_name="keepapart",
            name="one",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="tournaments.entrant"
            ),
        ),
        migrations.AddField(
            model_name="keepapart",
            name="other",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="tournaments.entrant"
            ),
        ),
        migrations.AddField(
            model_name="keepapart",
            name="tournament",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="kept_apart", to="tournaments.tournament"
            ),
        ),
        migrations.AddField(
            model_name="stageentrant",
            name="entrant",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="stage_entrants", to="tournaments.entrant"
            ),
        ),
        migrations.AddField(
            model_name="stageentrant",
            name="stage",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="stage_entrants", to="tournaments.stage"
            ),
        ),
        migrations.AddConstraint(
            model_name="bye",
            constraint=models.UniqueConstraint(
                fields=("round", "entrant"),
                name="bye_unique",
                violation_error_message="This entrant has a bye in this round already.",
            ),
        ),
        migrations.AddConstraint(
            model_name="bye",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["bye-allocated", "bye-full", "bye-half", "bye-zero"])),
                name="bye_kind_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="byerequest",
            constraint=models.UniqueConstraint(
                fields=("stage", "round_number", "entrant"),
                name="bye_request_unique",
                violation_error_message="This entrant has asked for a bye in this round already.",
            ),
        ),
        migrations.AddConstraint(
            model_name="byerequest",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["bye-full", "bye-half", "bye-zero"])), name="bye_request_kind_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="byerequest",
            constraint=models.CheckConstraint(
                condition=models.Q(("round_number__gte", 1)), name="bye_request_round_from_1"
            ),
        ),
        migrations.AddConstraint(
            model_name="keepapart",
            constraint=models.UniqueConstraint(
                fields=("one", "other"),
                name="keep_apart_unique",
                violation_error_message="These two are kept apart already.",
            ),
        ),
        migrations.AddConstraint(
            model_name="keepapart",
            constraint=models.CheckConstraint(
                condition=models.Q(("one__lt", models.F("other"))), name="keep_apart_two_in_order"
            ),
        ),
        migrations.AddConstraint(
            model_name="stageentrant",
            constraint=models.UniqueConstraint(
                fields=("stage", "entrant"),
                name="stage_entrant_unique",
                violation_error_message="This entrant is in the stage already.",
            ),
        ),
        migrations.AddConstraint(
            model_name="stageentrant",
            constraint=models.UniqueConstraint(
                deferrable=django.db.models.constraints.Deferrable["DEFERRED"],
                fields=("stage", "seed"),
                name="stage_entrant_seed_unique",
                violation_error_message="Two entrants of a stage cannot share a seed.",
            ),
        ),
        migrations.AddConstraint(
            model_name="stageentrant",
            constraint=models.CheckConstraint(
                condition=models.Q(("status__in", ["in", "substitute", "withdrawn", "cut"])),
                name="stage_entrant_status_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="stageentrant",
            constraint=models.CheckConstraint(condition=models.Q(("seed__gte", 1)), name="stage_entrant_seed_from_1"),
        ),
        migrations.RunPython(know_the_stages, migrations.RunPython.noop),
    ]
