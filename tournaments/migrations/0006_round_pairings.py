"""What was drawn for a round in a row of its own, for it is large and rarely read."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0005_swiss_and_tables"),
    ]

    operations = [
        migrations.CreateModel(
            name="RoundPairing",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("inputs", models.CharField(max_length=64)),
                ("drawn", models.JSONField()),
            ],
        ),
        migrations.RemoveConstraint(
            model_name="round",
            name="round_error_has_no_draw",
        ),
        migrations.AddConstraint(
            model_name="round",
            constraint=models.CheckConstraint(
                condition=models.Q(("pairing_error", ""), ("status", "draft"), _connector="OR"),
                name="round_error_of_a_draft",
            ),
        ),
        migrations.AddField(
            model_name="roundpairing",
            name="round",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.CASCADE, related_name="pairing", to="tournaments.round"
            ),
        ),
        migrations.RemoveField(
            model_name="round",
            name="pairing",
        ),
    ]
