"""The pages of events: home, lobby, tournaments, matches and disputes. Each page says who may see or do what."""
