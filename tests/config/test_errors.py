"""Refusals have one shape, whoever raises them."""

from __future__ import annotations

from collections.abc import Callable

import psycopg
import pytest
import redis
from django.core.exceptions import PermissionDenied
from django.core.exceptions import ValidationError as ModelValidationError
from django.db import IntegrityError, OperationalError, connection
from django.http import Http404, HttpRequest, HttpResponse
from django.test import Client, RequestFactory, override_settings
from django.urls import path
from rest_framework import exceptions, serializers
from rest_framework.decorators import api_view, permission_classes
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from config import urls as site
from config.errors import constraint_sentence
from config.outages import is_outage
from players.errors import Conflict, Invalid, NotAllowed, NotFound
from players.models import Club, Membership, Player


class Seats(serializers.Serializer):
    """An input for the tests."""

    seats = serializers.IntegerField(max_value=8)


ERRORS: dict[str, Callable[[], Exception]] = {
    "conflict": lambda: Conflict("This game has gone on; look again."),
    "invalid": lambda: Invalid("A table has 2 to 8 seats."),
    "hidden": lambda: NotFound("There is no such game."),
    "forbidden": lambda: NotAllowed("Only the organizer may start it."),
    "own-code": lambda: Conflict("The table is full.", code="table-full"),
    "django-404": Http404,
    "django-403": PermissionDenied,
    "throttled": lambda: exceptions.Throttled(wait=3.2),
    "login": exceptions.NotAuthenticated,
    "model": lambda: ModelValidationError({"name": ["Too long."]}),
    "bug": lambda: RuntimeError("a bug"),
    "database": lambda: OperationalError("connection refused"),
    "valkey": lambda: redis.ConnectionError("no such socket"),
    "deadlock": lambda: deadlock(),
}


def deadlock() -> OperationalError:
    """Return what Django raises when an answering server finds a deadlock."""
    error = OperationalError("deadlock detected")
    error.__cause__ = psycopg.errors.DeadlockDetected("deadlock detected")
    return error


def page(request: HttpRequest, name: str) -> HttpResponse:
    """A page that fails."""
    raise ERRORS[name]()


@api_view(["GET"])
def api(request: Request, name: str) -> Response:
    """An API call that fails."""
    raise ERRORS[name]()


@api_view(["POST"])
@permission_classes([AllowAny])
def seats(request: Request) -> Response:
    """An API call that reads an input."""
    Seats(data=request.data).is_valid(raise_exception=True)
    return Response({})


urlpatterns = [
    path("page/<name>/", page),
    path("api/v1/fail/<name>/", api),
    path("api/v1/seats/", seats),
    *site.urlpatterns,
]
handler404, handler403, handler500 = site.handler404, site.handler403, site.handler500

pytestmark = [pytest.mark.django_db, pytest.mark.urls(__name__)]


@pytest.fixture
def quiet_client() -> Client:
    """A client that shows a bug as a visitor would see it."""
    return Client(raise_request_exception=False)


@pytest.mark.parametrize(
    ("name", "status", "code", "message"),
    [
        ("conflict", 409, "conflict", "This game has gone on; look again."),
        ("invalid", 400, "invalid", "A table has 2 to 8 seats."),
        ("hidden", 404, "not-found", "There is no such game."),
        ("forbidden", 403, "not-allowed", "Only the organizer may start it."),
        ("own-code", 409, "table-full", "The table is full."),
    ],
)
def test_refusals_as_page_and_as_json(client: Client, name: str, status: int, code: str, message: str) -> None:
    shown = client.get(f"/page/{name}/")
    assert shown.status_code == status
    assert message in shown.content.decode()
    answered = client.get(f"/api/v1/fail/{name}/")
    assert answered.status_code == status
    assert answered.json() == {"error": {"code": code, "message": message}}


@pytest.mark.parametrize(
    ("name", "status", "code"),
    [
        ("django-404", 404, "not-found"),
        ("django-403", 403, "not-allowed"),
        ("throttled", 429, "too-many-requests"),
        ("login", 403, "login-required"),
        ("database", 503, "unavailable"),
        ("valkey", 503, "unavailable"),
    ],
)
def test_api_errors_have_the_one_shape(client: Client, name: str, status: int, code: str) -> None:
    response = client.get(f"/api/v1/fail/{name}/")
    assert response.status_code == status
    assert response.json()["error"]["code"] == code
    assert response.json()["error"]["message"].endswith((".", "seconds."))


def test_throttling_says_when_to_come_back(client: Client) -> None:
    assert client.get("/api/v1/fail/throttled/")["Retry-After"] == "4"


def test_inputs_at_fault_are_named(client: Client) -> None:
    response = client.post("/api/v1/seats/", {"seats": 9}, content_type="application/json")
    assert response.status_code == 400
    assert response.json() == {
        "error": {
            "code": "invalid",
            "message": "Some of the input cannot be used.",
            "fields": {"seats": ["Ensure this value is less than or equal to 8."]},
        }
    }
    unreadable = client.post("/api/v1/seats/", "{", content_type="application/json")
    assert unreadable.status_code == 400
    assert unreadable.json()["error"]["code"] == "bad-format"
    assert client.get("/api/v1/fail/model/").json()["error"]["fields"] == {"name": ["Too long."]}


def test_a_bug_stays_loud(client: Client, quiet_client: Client) -> None:
    for address in ("/page/bug/", "/api/v1/fail/bug/"):
        with pytest.raises(RuntimeError, match="a bug"):
            client.get(address)
    shown = quiet_client.get("/page/bug/")
    assert shown.status_code == 500
    assert b"Something went wrong" in shown.content
    assert b"a bug" not in shown.content
    assert quiet_client.get("/api/v1/fail/bug/").json()["error"]["code"] == "server-error"


def test_outage_pages_try_again_by_themselves(client: Client) -> None:
    for name in ("database", "valkey"):
        response = client.get(f"/page/{name}/")
        assert response.status_code == 503
        assert response["Retry-After"] == "5"
        assert response["Cache-Control"] == "no-store"
        assert b'http-equiv="refresh" content="5"' in response.content


def test_an_outage_inside_another_middleware_is_an_outage(
    quiet_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise OperationalError("connection refused")

    monkeypatch.setattr("django.contrib.sessions.middleware.SessionMiddleware.process_request", broken)
    response = quiet_client.get("/")
    assert response.status_code == 503
    assert b"cannot reach its database" in response.content


def test_a_deadlock_is_no_outage(client: Client) -> None:
    assert not is_outage(deadlock())
    with pytest.raises(OperationalError):
        client.get("/page/deadlock/")


def test_a_constraint_speaks_its_sentence() -> None:
    club = Club.objects.create(name="Den", slug="den")
    player = Player.objects.create(name="Ida", slug="ida")
    Membership.objects.create(club=club, player=player)
    with pytest.raises(IntegrityError) as caught:
        Membership.objects.create(club=club, player=player)
    assert constraint_sentence(caught.value) == "This player is a member of the club already."
    assert constraint_sentence(IntegrityError("of nobody")) is None
    connection.needs_rollback = True


@override_settings(DEBUG=True)
def test_fragments_get_a_fragment(client: Client) -> None:
    response = client.get("/page/conflict/", headers={"HX-Request": "true"})
    assert response.status_code == 409
    assert response.content.decode().strip() == (
        '<div class="alert alert--error" role="alert">This game has gone on; look again.</div>'
    )


def test_a_form_without_its_token_gets_a_sentence() -> None:
    response = Client(enforce_csrf_checks=True).post("/accounts/login/", {"login": "x"})
    assert response.status_code == 403
    assert "This form is too old or came from another site" in response.content.decode()


def test_page_of_a_request_factory_needs_no_middleware() -> None:
    from config.errors import not_found

    assert not_found(RequestFactory().get("/api/v1/x")).status_code == 404


@pytest.mark.parametrize("address", ["/api/", "/api/v1/schema/", "/api/v1/ratings/"])
def test_errors_of_the_api_are_json_whatever_was_asked_for(client: Client, address: str) -> None:
    for answer in (client.get(address, {"format": "nonsense"}), client.post(address, headers={"accept": "text/html"})):
        assert answer.status_code in {403, 404, 405, 406}
        assert answer["Content-Type"] == "application/json"
        assert set(answer.json()["error"]) == {"code", "message"}


@pytest.mark.django_db
@pytest.mark.parametrize(
    "key", [r'"\000aaaaaaaaaaaaaaaa"', r'"\377\377\377\377\377\377\377\377"', "x" * 3000, "-" * 32]
)
def test_a_session_cookie_that_cannot_be_is_none(client: Client, key: str) -> None:
    answer = client.get("/account/", headers={"cookie": f"sessionid={key}"})
    assert answer.status_code == 302
    assert answer["Location"].startswith("/accounts/login/")


@pytest.mark.parametrize(
    "address",
    ["/admin/players/player/?bot__exact=%00", "/admin/games/game/?game=a%00"],
)
def test_a_zero_byte_that_reaches_the_database_is_refused(admin_client: Client, address: str) -> None:
    answer = admin_client.get(address)
    assert answer.status_code == 400
    assert "This request cannot be read." in answer.content.decode()
