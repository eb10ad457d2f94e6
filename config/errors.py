"""Maps refusals to answers: one place for pages and one for the API, one JSON shape for all.

``{"error": {"code": "stable-word", "message": "A sentence.", "fields": {"name": ["A sentence."]}}}``; ``fields`` only
where single inputs are at fault. An exception that nobody here knows is a bug and stays loud.
"""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from django.apps import apps
from django.core.exceptions import NON_FIELD_ERRORS, PermissionDenied
from django.core.exceptions import ValidationError as ModelValidationError
from django.db import DataError, IntegrityError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.deprecation import MiddlewareMixin
from rest_framework import exceptions as api
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response
from rest_framework.views import set_rollback

from players.errors import Conflict, ServiceError

API_CODES: Mapping[type[Exception], str] = {
    api.ParseError: "bad-format",
    api.AuthenticationFailed: "bad-credentials",
    api.NotAuthenticated: "login-required",
    api.PermissionDenied: "not-allowed",
    api.NotFound: "not-found",
    api.MethodNotAllowed: "method-not-allowed",
    api.NotAcceptable: "not-acceptable",
    api.UnsupportedMediaType: "unsupported-media-type",
    api.Throttled: "too-many-requests",
}


def error_json(code: str, message: str, fields: Mapping[str, list[str]] | None = None) -> dict[str, Any]:
    """Return the one shape of an error."""
    error: dict[str, Any] = {"code": code, "message": message}
    if fields:
        error["fields"] = dict(fields)
    return {"error": error}


def constraint_sentence(error: IntegrityError) -> str | None:
    """Return the sentence of the named constraint that the database refused with, or None if no model has that name."""
    name = getattr(getattr(error.__cause__, "diag", None), "constraint_name", None)
    if not name:
        return None
    for model in apps.get_models():
        for constraint in model._meta.constraints:
            if constraint.name == name:
                return str(constraint.get_violation_error_message())
    return None


def refusal(error: Exception) -> ServiceError | None:
    """Return ``error`` as a refusal if it is one: a ServiceError, or a constraint of ours that the database kept."""
    if isinstance(error, ServiceError):
        return error
    if isinstance(error, IntegrityError):
        sentence = constraint_sentence(error)
        return None if sentence is None else Conflict(sentence)
    return None


def api_exception_handler(error: Exception, context: Mapping[str, Any]) -> Response | None:
    """Return the answer of the API to an error, or None for a bug (Django REST framework's EXCEPTION_HANDLER)."""
    refused = refusal(error)
    headers: dict[str, str] = {}
    if refused is not None:
        status, body = refused.status, error_json(refused.code, refused.message)
    elif isinstance(error, (api.ValidationError, ModelValidationError)):
        status, body = 400, validation_json(error)
    elif isinstance(error, Http404):
        status, body = 404, error_json("not-found", "There is no such thing here.")
    elif isinstance(error, PermissionDenied):
        status, body = 403, error_json("not-allowed", "You may not do this.")
    elif isinstance(error, api.APIException):
        status, body = error.status_code, error_json(API_CODES.get(type(error), "refused"), str(error.detail))
        wait = getattr(error, "wait", None)
        if wait is not None:
            headers["Retry-After"] = str(int(wait))
        challenge = getattr(error, "auth_header", None)
        if challenge:
            headers["WWW-Authenticate"] = challenge
    else:
        return None
    set_rollback()
    # Whatever the request would have been answered in (CSV, YAML, a page): errors under /api/ are JSON.
    request = context["request"]
    request.accepted_renderer, request.accepted_media_type = JSONRenderer(), JSONRenderer.media_type
    return Response(body, status=status, headers=headers)


def validation_json(error: api.ValidationError | ModelValidationError) -> dict[str, Any]:
    """Return the shape for inputs that are at fault, each with its sentences."""
    detail: Any = error.detail if isinstance(error, api.ValidationError) else error.messages
    if isinstance(error, ModelValidationError) and hasattr(error, "error_dict"):
        detail = error.message_dict
    fields: dict[str, list[str]] = {}
    general: list[str] = []
    if isinstance(detail, Mapping):
        for name, value in detail.items():
            if name in {"non_field_errors", NON_FIELD_ERRORS}:
                general += sentences(value)
            else:
                fields[str(name)] = sentences(value)
    else:
        general = sentences(detail)
    message = " ".join(general) or "Some of the input cannot be used."
    return error_json("invalid", message, fields)


def sentences(value: Any) -> list[str]:
    """Return every sentence inside a validation detail, however deep."""
    if isinstance(value, Mapping):
        return [sentence for name, inner in value.items() for sentence in (f"{name}: {x}" for x in sentences(inner))]
    if isinstance(value, (list, tuple)):
        return [sentence for inner in value for sentence in sentences(inner)]
    return [str(value)]


def error_page(request: HttpRequest, status: int, code: str, message: str) -> HttpResponse:
    """Return the page, or under ``/api/`` the JSON, for a refusal."""
    if request.path.startswith("/api/"):
        return JsonResponse(error_json(code, message), status=status)
    context = {"status": status, "code": code, "message": message, "title": HTTPStatus(status).phrase}
    htmx = getattr(request, "htmx", None)
    template = "errors/fragment.html" if htmx and not htmx.boosted else "error.html"
    return render(request, template, context, status=status)


class ServiceErrorMiddleware(MiddlewareMixin):
    """Shows a refusal that a page let through, with its status and sentence.

    A zero byte in an address is refused too where nothing did so before PostgreSQL, as with the admin's filters.
    """

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Answer for a page that raised a refusal; anything else stays loud."""
        refused = refusal(exception)
        if refused is None:
            is_zero_byte = isinstance(exception, DataError) and has_zero_byte(request)
            return bad_request(request) if is_zero_byte else None
        return error_page(request, refused.status, refused.code, refused.message)


def has_zero_byte(request: HttpRequest) -> bool:
    """Return whether the address asked for holds a zero byte, which PostgreSQL takes in no text."""
    return "\0" in request.path or "%00" in request.META.get("QUERY_STRING", "")


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Return the page for a request that cannot be read (handler400); the reason may hold secrets and is not shown."""
    return error_page(request, 400, "bad-format", "This request cannot be read.")


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Return the page for what the person may not do (handler403)."""
    return error_page(request, 403, "not-allowed", str(exception or "") or "You may not see or do this.")


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Return the page for an address that leads nowhere (handler404)."""
    return error_page(request, 404, "not-found", "There is nothing at this address.")


def server_error(request: HttpRequest) -> HttpResponse:
    """Return the page for a bug (handler500); it is self-contained, for anything may be broken."""
    message = "Something went wrong on our side. It has been noted; please try again."
    if request.path.startswith("/api/"):
        return JsonResponse(error_json("server-error", message), status=500)
    return HttpResponse(render_to_string("500.html", {"message": message}), status=500)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Return the page for a form whose token is missing or old (CSRF_FAILURE_VIEW)."""
    return error_page(
        request, 403, "form-expired", "This form is too old or came from another site: go back, reload, send it again."
    )
