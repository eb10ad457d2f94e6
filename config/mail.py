"""Mail of a server without SMTP: written to the log as people read it."""

from __future__ import annotations

from django.core.mail import EmailMessage
from django.core.mail.backends import console


class EmailBackend(console.EmailBackend):
    """Writes each message as plain text.

    Django's own writes it as it would be sent, where a long link is cut by quoted-printable and cannot be followed.
    """

    def write_message(self, message: EmailMessage) -> None:
        """Write ``message`` with its whole body, links in one piece."""
        rule = "-" * 79
        self.stream.write(
            f"Subject: {message.subject}\nFrom: {message.from_email}\nTo: {', '.join(message.to)}\n\n"
            f"{message.body.rstrip()}\n{rule}\n"
        )
