"""What a client may send is decided by the shape of its messages, before the game hears of it."""

from __future__ import annotations

import pytest
from django.conf import settings

from games.live import messages
from players.errors import Invalid


def nested(depth: int) -> str:
    return "[" * depth + "]" * depth


@pytest.mark.parametrize("kind", ["act", "check"])
@pytest.mark.parametrize(
    "action",
    [
        f'{{"type": {nested(3)}}}',
        f'{{"type": "play", "cards": {nested(1200)}}}',
        f'{{"type": "play", "cards": {nested(3900)}}}',
        f'{{"type": "play", "x": {{"a": {nested(1)}}}}}',
        f'{{"gifts": [{{"card": {nested(1)}}}]}}',
        f'{{"do": {{"giraffe": {{"animal": {nested(1)}}}}}}}',
        '{"do": {"giraffe": "bear"}}',
        '{"type": NaN}',
        '{"type": "\\ud800"}',
    ],
)
def test_an_action_has_the_depth_of_an_action(kind: str, action: str) -> None:
    seen = '"seen": 0, ' if kind == "act" else ""
    text = f'{{"type": "{kind}", "id": "a", {seen}"action": {action}}}'
    assert len(text) <= settings.SOCKET_MESSAGE_SIZE
    with pytest.raises(Invalid) as refused:
        messages.read(text)
    assert refused.value.code == "bad-message"


def test_actions_of_every_kind_are_read() -> None:
    for action in (
        '{"type": "give", "gifts": [{"card": "vole-1", "to": 2}, {"card": "vole-3", "to": 1}]}',
        '{"type": "play", "cards": ["tiger-4"], "as": "cat"}',
        '{"type": "play", "cards": ["kangaroo-1"], "do": {"kangaroo": {"seat": 1, "card": "bear-1"}}}',
        '{"type": "respond", "use": null, "yes": true, "from": [1, 2]}',
    ):
        message = messages.read(f'{{"type": "act", "id": "a", "seen": 3, "action": {action}}}')
        assert isinstance(message, messages.Act)


@pytest.mark.parametrize("message_id", ["", "a\\n", "\\u0000", "a b", "\u00e9", "x" * 41])
def test_an_id_is_visible_ascii(message_id: str) -> None:
    with pytest.raises(Invalid):
        messages.read(f'{{"type": "ping", "id": "{message_id}"}}')
