"""The one shape in which every service of the project refuses.

A service raises a subclass of :class:`ServiceError`: a stable code for machines, a sentence for people, and the HTTP
status that fits. Each edge (page, API, socket, admin) maps it in one place; any other exception is a bug and stays
loud. It stands here because ``players`` is the app that every other may import.
"""

from __future__ import annotations


class ServiceError(Exception):
    """A refusal; nothing was changed. ``code`` is stable, ``message`` is a sentence for the person who asked."""

    code = "refused"
    status = 400

    def __init__(self, message: str, *, code: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        if code is not None:
            self.code = code


class NotAllowed(ServiceError):
    """The person may not do this."""

    code = "not-allowed"
    status = 403


class NotFound(ServiceError):
    """There is no such thing, or the person may not know of it."""

    code = "not-found"
    status = 404


class Conflict(ServiceError):
    """What the request saw has changed since, or the thing is no longer in a state that allows this."""

    code = "conflict"
    status = 409


class Invalid(ServiceError):
    """The input cannot be used; the message says which part and why."""

    code = "invalid"
    status = 400
