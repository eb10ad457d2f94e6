# Commands of the project; `make` alone lists them.

SHELL := /bin/sh
BIN := .venv/bin

.PHONY: help run environment development check test schema format
help: ## list these commands
	@sed -n 's/^\([a-z]*\):.*## /make \1\t/p' $(MAKEFILE_LIST)

run: environment ## start Bearena with servers of its own: http://127.0.0.1:8000/ (BEARENA_PORT), Ctrl-C stops it
	@exec $(BIN)/python -m config.stack run $(ARGS)

environment: # what running needs, from the hashed lock
	@sh requirements/install.sh base

development: # what checks and tests need as well
	@sh requirements/install.sh dev

check: development ## formatting, lint, types, import rules, migrations, settings, API document
	$(BIN)/python -m config.stack.check

test: development ## the whole suite, on servers of its own
	$(BIN)/pytest $(ARGS)

schema: development ## write docs/openapi.yaml anew
	$(BIN)/python -m config.stack.check --write-schema

format: development ## format the code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
