"""Double elimination, the match for third place, round robins played twice, larger tables, tie-breaks of a stage."""

from django.db import migrations, models


def keep_the_order(apps, schema_editor):
    """Round robins so far were parted by these, in this order."""
    apps.get_model("tournaments", "Stage").objects.filter(format="round-robin").update(tie_breaks=["DE", "SB", "WIN"])


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0003_several_games_and_same_cards"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="stage",
            name="stage_format_known",
        ),
        migrations.RemoveConstraint(
            model_name="stage",
            name="stage_table_size_fits",
        ),
        migrations.AddField(
            model_name="match",
            name="part",
            field=models.CharField(
                choices=[
                    ("main", "main part"),
                    ("losers", "losers' part"),
                    ("third-place", "match for third place"),
                    ("final", "final of both parts"),
                ],
                default="main",
                max_length=11,
            ),
        ),
        migrations.AddField(
            model_name="stage",
            name="third_place",
            field=models.BooleanField(default=False, help_text="The losers of the semi-finals play for third place."),
        ),
        migrations.AddField(
            model_name="stage",
            name="tie_break_rules",
            field=models.CharField(
                choices=[("2024", "FIDE, from August 2024"), ("2026", "FIDE, from March 2026")],
                default="2026",
                max_length=4,
            ),
        ),
        migrations.AddField(
            model_name="stage",
            name="tie_breaks",
            field=models.JSONField(
                blank=True, default=list, help_text="The codes of what parts those level on points, in order."
            ),
        ),
        migrations.AddField(
            model_name="stage",
            name="twice",
            field=models.BooleanField(default=False, help_text="In a round robin everybody meets everybody twice."),
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
                ],
                max_length=20,
            ),
        ),
        migrations.AddConstraint(
            model_name="match",
            constraint=models.CheckConstraint(
                condition=models.Q(("part__in", ["main", "losers", "third-place", "final"])), name="match_part_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="stage",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("format__in", ["single-elimination", "double-elimination", "table-elimination", "round-robin"])
                ),
                name="stage_format_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="stage",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("format", "table-elimination"), ("table_size__gte", 3), ("table_size__lte", 8)),
                    models.Q(models.Q(("format", "table-elimination"), _negated=True), ("table_size", 2)),
                    _connector="OR",
                ),
                name="stage_table_size_fits",
            ),
        ),
        migrations.AddConstraint(
            model_name="stage",
            constraint=models.CheckConstraint(
                condition=models.Q(("third_place", False), ("format", "single-elimination"), _connector="OR"),
                name="stage_third_place_fits",
            ),
        ),
        migrations.AddConstraint(
            model_name="stage",
            constraint=models.CheckConstraint(
                condition=models.Q(("twice", False), ("format", "round-robin"), _connector="OR"),
                name="stage_twice_fits",
            ),
        ),
        migrations.AddConstraint(
            model_name="stage",
            constraint=models.CheckConstraint(
                condition=models.Q(("tie_break_rules__in", ["2024", "2026"])), name="stage_tie_break_rules_known"
            ),
        ),
        migrations.RunPython(keep_the_order, migrations.RunPython.noop),
    ]
