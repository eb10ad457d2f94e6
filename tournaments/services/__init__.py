"""Every write of the tournaments app: one transaction each, the tournament's row locked first.

``events`` the life of a tournament, ``entrants`` who plays, ``rounds`` how it moves, ``disputes`` claims and rulings,
``permissions`` who may, ``log`` what was done. Each refuses with ``players.errors.ServiceError``.
"""
