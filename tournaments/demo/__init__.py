"""The demo club: people with accounts, a season behind them, and events that are over, under way and open."""
