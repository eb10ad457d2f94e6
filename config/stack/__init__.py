"""The local stack: PostgreSQL, Valkey and Bearena's own processes in one folder, started by one command."""
