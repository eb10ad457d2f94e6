"""Django settings; everything a host may change is read from the environment (listed in docs/hosts.md)."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

import structlog
from django.templatetags.static import static
from django.urls import reverse_lazy

from config import env

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = Path(env.text("BEARENA_VAR", str(BASE_DIR / "var")))

DEBUG = env.flag("BEARENA_DEBUG", default=False)
SECRET_KEY = env.text("BEARENA_SECRET_KEY")
ALLOWED_HOSTS = env.words("BEARENA_HOSTS", "localhost,127.0.0.1,[::1]")
CSRF_TRUSTED_ORIGINS = env.words("BEARENA_ORIGINS")
SITE_NAME = env.text("BEARENA_SITE_NAME", "Bearena")
BEHIND_TLS = env.flag("BEARENA_TLS", default=False)
# Only from these addresses or networks is it believed for whom a request was passed on (X-Forwarded-For).
PROXIES = env.words("BEARENA_PROXIES")

INSTALLED_APPS = [
    "config.apps.BearenaConfig",
    "unfold",
    "unfold.contrib.filters",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.postgres",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "channels",
    "django_htmx",
    "django_filters",
    "import_export",
    "pgtrigger",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "players",
    "games",
    "ratings",
    "tournaments",
]

MIDDLEWARE = [
    "config.health.HealthMiddleware",
    "config.outages.OutageMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "config.errors.ServiceErrorMiddleware",
]

ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"
WSGI_APPLICATION = None

TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "players.context.current_player",
                "config.context.site",
                "tournaments.context.my_game",
            ],
        },
    }
]


def database(url: str) -> dict[str, Any]:
    """Return Django's settings for a ``postgresql://user:password@host:port/name?option=value`` address."""
    parts = urlsplit(url)
    if parts.scheme not in {"postgres", "postgresql"}:
        raise ValueError(f"DATABASE_URL must begin with postgresql://, not {parts.scheme}://")
    options = dict(parse_qsl(parts.query))
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.lstrip("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": options.pop("host", None) or unquote(parts.hostname or ""),
        "PORT": str(parts.port or ""),
        "CONN_MAX_AGE": 0,
        # A pooled connection that died with the server is replaced before a request meets it.
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": {"connect_timeout": 5, **options},
    }


DATABASE_URL = env.text("DATABASE_URL", "")
REDIS_URL = env.text("REDIS_URL", "")
DATABASES = {"default": database(DATABASE_URL)} if DATABASE_URL else {}
if DATABASES:
    # One pool a process: a web process serves many short requests from many threads.
    DATABASES["default"]["OPTIONS"]["pool"] = {"min_size": 0, "max_size": 16, "timeout": 5}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "bearena",
    }
}
CHANNEL_LAYERS = {
    "default": {
        "BACKEND": "channels_redis.core.RedisChannelLayer",
        "CONFIG": {"hosts": [REDIS_URL], "prefix": "bearena:layer", "capacity": 1000, "expiry": 30},
    }
}

# Sessions live in the database: a flushed cache must not log anybody out, and an ended session ends at once.
SESSION_ENGINE = "config.sessions"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = BEHIND_TLS
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "config.errors.csrf_failure"
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if BEHIND_TLS else None
SECURE_HSTS_SECONDS = 31_536_000 if BEHIND_TLS else 0
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

AUTH_USER_MODEL = "players.User"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
# E-mail addresses are unique without regard to case, by a constraint that the check does not see.
# Subdomains and browsers' preload lists are for the host to decide.
SILENCED_SYSTEM_CHECKS = ["auth.W004", "security.W005", "security.W021"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_EMAIL_SUBJECT_PREFIX = f"[{SITE_NAME}] "
ACCOUNT_SIGNUP_FORM_CLASS = "players.forms.SignupNameForm"
ACCOUNT_LOGOUT_ON_PASSWORD_CHANGE = True
ACCOUNT_SESSION_REMEMBER = True
LOGIN_URL = reverse_lazy("account_login")
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"
MAIL_HOST = env.text("BEARENA_EMAIL_HOST", "")
MAILERS: dict[str, Any] = {
    "default": {
        "BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "OPTIONS": {
            "host": MAIL_HOST,
            "port": env.number("BEARENA_EMAIL_PORT", 25, least=1),
            "username": env.text("BEARENA_EMAIL_USER", ""),
            "password": env.text("BEARENA_EMAIL_PASSWORD", ""),
            "use_tls": env.flag("BEARENA_EMAIL_TLS", default=False),
            "timeout": 20,
        },
    }
    if MAIL_HOST
    else {"BACKEND": "config.mail.EmailBackend"}
}
DEFAULT_FROM_EMAIL = env.text("BEARENA_EMAIL_FROM", "bearena@localhost")

LANGUAGE_CODE = "en"
TIME_ZONE = env.text("BEARENA_TIME_ZONE", "UTC")
USE_TZ = True
USE_I18N = True

STATIC_URL = "/static/"
STATIC_ROOT = Path(env.text("BEARENA_STATIC_ROOT", str(VAR_DIR / "static")))
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "config.static.HashedStaticStorage"},
}
WHITENOISE_USE_FINDERS = DEBUG

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["rest_framework.authentication.SessionAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticatedOrReadOnly"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "EXCEPTION_HANDLER": "config.errors.api_exception_handler",
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_THROTTLE_RATES": {"verify": "30/min"},
    # The address of the connection counts (config.asgi sets it from a trusted proxy), not a header anybody can write.
    "NUM_PROXIES": 0,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Bearena API",
    "DESCRIPTION": "Ratings, games and tournaments of a Bearena server.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    # Keys are what the page about the API asks for; sessions are for the site's own pages.
    "AUTHENTICATION_WHITELIST": ["players.authentication.KeyAuthentication"],
    "ENUM_NAME_OVERRIDES": {
        "GameStatus": "games.models.GameStatus",
        "HouseBot": "games.api.playing.LEVELS",
        "TournamentStatus": "tournaments.models.TournamentStatus",
        "EntrantStatus": "tournaments.models.EntrantStatus",
        "MatchStatus": "tournaments.models.MatchStatus",
    },
}

# Bot accounts that one person may have.
BOT_ACCOUNTS_A_PERSON = env.number("BEARENA_BOT_ACCOUNTS", 5)
# Tables that wait for players and were opened by the same one.
OPEN_TABLES_A_PLAYER = env.number("BEARENA_OPEN_TABLES", 10, least=1)
# House bots think this long before they act, more or less.
BOT_DELAY_MS = env.number("BEARENA_BOT_DELAY_MS", 900)
# In games without turns they react like people; this makes them react in so many per cent of that time.
BOT_REACTION_PERCENT = env.number("BEARENA_BOT_REACTION_PERCENT", 100, least=1)
# What programs may ask the API for with one key, and how long a ticket waits for its socket.
API_REQUESTS_A_MINUTE = env.number("BEARENA_API_REQUESTS", 120, least=1)
TICKET_SECONDS = env.number("BEARENA_TICKET_SECONDS", 30, least=1)
# How long one transcript that somebody sends may be worked on.
VERIFY_SECONDS = env.number("BEARENA_VERIFY_SECONDS", 10, least=1)

# What bounds live play; every figure is of one web process. Of messages, three seconds' worth may come at once.
SOCKET_MESSAGES_A_SECOND = env.number("BEARENA_SOCKET_MESSAGES", 30, least=1)
SOCKET_MESSAGE_SIZE = env.number("BEARENA_SOCKET_MESSAGE_SIZE", 8192, least=512)
SOCKET_BACKLOG = env.number("BEARENA_SOCKET_BACKLOG", 200, least=1)
SOCKETS_A_PERSON = env.number("BEARENA_SOCKETS_A_PERSON", 40, least=1)
SOCKETS_AN_ADDRESS = env.number("BEARENA_SOCKETS_AN_ADDRESS", 1000, least=1)
SPECTATORS_A_GAME = env.number("BEARENA_SPECTATORS_A_GAME", 5000, least=1)
WATCH_TOPICS = env.number("BEARENA_WATCH_TOPICS", 100, least=1)
GAME_BACKLOG = env.number("BEARENA_GAME_BACKLOG", 32, least=1)
LOG_BACKLOG = env.number("BEARENA_LOG_BACKLOG", 4000, least=1)

# Celery has a name of its own for a unix socket.
CELERY_BROKER_URL = REDIS_URL.replace("unix://", "redis+socket://", 1)
CELERY_TASK_IGNORE_RESULT = True
# A task of a killed worker goes back to the queue; every task is safe to run twice.
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_TIME_LIMIT = 300
CELERY_TASK_SOFT_TIME_LIMIT = 240
# How long the draw of one round may take, in seconds; well below the limit of a task, which draws up to three times.
PAIRING_SECONDS = env.number("BEARENA_PAIRING_SECONDS", 60, least=1)
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {"visibility_timeout": 600, "global_keyprefix": "bearena:celery:"}
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True
CELERY_BEAT_SCHEDULE_FILENAME = str(VAR_DIR / "celerybeat-schedule")
CELERY_BEAT_SCHEDULE = {
    "sweep-games": {"task": "games.tasks.sweep_games", "schedule": 10.0, "options": {"expires": 10}},
    "sweep-ratings": {"task": "ratings.tasks.sweep_ratings", "schedule": 20.0, "options": {"expires": 20}},
    # The sweep above looks at two days; after a longer outage this one finds the rest.
    "sweep-all-ratings": {
        "task": "ratings.tasks.sweep_ratings",
        "kwargs": {"days": None},
        "schedule": 3600.0,
        "options": {"expires": 3600},
    },
    "sweep-tournaments": {"task": "tournaments.tasks.sweep_tournaments", "schedule": 10.0, "options": {"expires": 10}},
}
if env.flag("BEARENA_DEMO", default=False):
    CELERY_BEAT_SCHEDULE["go-on-with-demo"] = {
        "task": "tournaments.tasks.go_on_with_demo",
        "schedule": 60.0,
        "options": {"expires": 60},
    }

LOG_LEVEL = env.text("BEARENA_LOG_LEVEL", "INFO")
_SHARED_LOG_STEPS: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "json": {
            "()": structlog.stdlib.ProcessorFormatter,
            "foreign_pre_chain": _SHARED_LOG_STEPS,
            "processors": [
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.format_exc_info,
                structlog.processors.JSONRenderer(),
            ],
        }
    },
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
    "root": {"handlers": ["stderr"], "level": LOG_LEVEL},
    # uvicorn.error tells of every socket that opens and closes.
    "loggers": {name: {"level": "WARNING"} for name in ("django.server", "uvicorn.access", "uvicorn.error")},
}
structlog.configure(
    processors=[*_SHARED_LOG_STEPS, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
    logger_factory=structlog.stdlib.LoggerFactory(),
    cache_logger_on_first_use=True,
)

UNFOLD: dict[str, Any] = {
    "SITE_TITLE": SITE_NAME,
    "SITE_HEADER": SITE_NAME,
    "SITE_ICON": lambda request: static("img/logo.svg"),
    "SITE_FAVICONS": [{"rel": "icon", "type": "image/svg+xml", "href": lambda request: static("img/favicon.svg")}],
    "SITE_URL": "/",
    "DASHBOARD_CALLBACK": "tournaments.dashboard.dashboard",
    # The site's spruce, from light to dark.
    "COLORS": {
        "primary": {
            "50": "#eef7f3",
            "100": "#d9ebe3",
            "200": "#b5d8c9",
            "300": "#86c0aa",
            "400": "#54a589",
            "500": "#33876c",
            "600": "#1f5c4b",
            "700": "#1a4f40",
            "800": "#164537",
            "900": "#12352c",
            "950": "#0a211b",
        },
    },
}
