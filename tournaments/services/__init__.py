"""Every write of the tournaments app: one transaction each, the tournament's row locked first.

``events`` the life of a tournament, ``settings`` what it may be set to, ``starting`` its start and that of a stage,
``entrants`` who plays, ``wishes`` byes and pairs kept apart, ``rounds`` how it moves, ``table_games`` the next games,
``wanting`` and ``pairings`` how rounds are drawn and published, ``disputes`` claims and rulings, ``pauses`` what
stops play, ``deals`` which cards it has, ``rebuilding`` derived places, ``permissions`` who may, ``log`` what was done.
Each refuses with ``players.errors.ServiceError``.
"""
