# Commands of the project; `make` alone lists them.

SHELL := /bin/sh
BIN := .venv/bin
# Checks read the settings as a production host would have them, and touch no server.
CHECKING := BEARENA_SECRET_KEY=only-for-checks-0123456789-abcdefghijklmnopqrstuvwxyz-ABCDEFGH BEARENA_TLS=1 \
	BEARENA_EMAIL_HOST=localhost REDIS_URL=
NOWHERE := DATABASE_URL=postgresql://nobody@/nowhere

.PHONY: help run environment development check test schema format verifier
help: ## list these commands
	@sed -n 's/^\([a-z]*\):.*## /make \1: /p' Makefile

run: environment ## start Bearena with servers of its own (BEARENA_PORT, default 8000); Ctrl-C stops it
	@exec $(BIN)/python -m config.stack run $(ARGS)

environment: ## what running needs, from the hashed lock
	@sh requirements/install.sh base

development: ## what checks and tests need as well
	@sh requirements/install.sh dev

check: development ## format, lint, types, import rules, migrations, production settings, API document
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(CHECKING) DATABASE_URL= $(BIN)/python manage.py makemigrations --check --dry-run --skip-checks
	$(CHECKING) $(NOWHERE) $(BIN)/python manage.py check --deploy --fail-level WARNING
	$(CHECKING) $(NOWHERE) $(BIN)/python manage.py spectacular --validate --fail-on-warn | diff -u docs/openapi.yaml - \
		|| { echo "The API and docs/openapi.yaml differ: look at the difference, then make schema."; exit 1; }

test: development ## the whole suite in two processes, each on servers of its own (ARGS goes to pytest)
	$(BIN)/pytest -n 2 --dist loadfile $(ARGS)

schema: development ## write docs/openapi.yaml anew
	$(CHECKING) $(NOWHERE) $(BIN)/python manage.py spectacular --validate --fail-on-warn --file docs/openapi.yaml

format: development ## format the code and mend what can be mended
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

verifier: environment ## build bearena-verify.pyz, which checks transcripts with nothing but Python
	$(BIN)/python -m games.engine.standalone bearena-verify.pyz
