"""Mail of a server without SMTP."""

from __future__ import annotations

import io

from django.core.mail import EmailMessage

from config.mail import EmailBackend


def test_a_long_link_stays_in_one_piece() -> None:
    link = f"https://bearena.example/accounts/password/reset/key/{'f' * 90}/"
    stream = io.StringIO()
    mail = EmailMessage("Łinks", f"Hello 🐻\n\n{link}\n", "bear@bearena.example", ["ana@example.org"])
    assert EmailBackend(stream=stream).send_messages([mail]) == 1
    lines = stream.getvalue().splitlines()
    assert link in lines
    assert "To: ana@example.org" in lines
    assert "Hello 🐻" in lines
