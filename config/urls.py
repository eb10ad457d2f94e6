"""Every address of the site."""

from __future__ import annotations

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerView

from games import api as games_api
from ratings import api as ratings_api
from tournaments import api as tournaments_api

api_urlpatterns = [
    path("schema/", SpectacularAPIView.as_view(), name="schema"),
    *games_api.urlpatterns,
    *ratings_api.urlpatterns,
    *tournaments_api.urlpatterns,
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("admin/", admin.site.urls),
    path("accounts/", include("allauth.urls")),
    path("api/v1/", include((api_urlpatterns, "api"))),
    path("api/", SpectacularSwaggerView.as_view(url_name="api:schema"), name="api-docs"),
    path("", include("players.urls")),
    path("games/", include("games.urls")),
    path("verify/", include("games.verify_urls")),
    path("rules/", include("games.rules_urls")),
    path("", include("ratings.urls")),
    path("", include("tournaments.urls")),
]

handler400 = "config.errors.bad_request"
handler403 = "config.errors.forbidden"
handler404 = "config.errors.not_found"
handler500 = "config.errors.server_error"
