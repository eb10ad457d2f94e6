"""The messages of docs/protocol.md: what a client may send, and how answers are written."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from players.errors import Invalid

MessageId = Annotated[str, msgspec.Meta(min_length=1, max_length=40, pattern=r"^[!-~]+\Z")]
Number = Annotated[int, msgspec.Meta(ge=0, le=1_000_000_000)]
type Scalar = str | int | float | bool | None
type Action = dict[str, Scalar | list[Scalar | dict[str, Scalar]] | dict[str, dict[str, Scalar]]]
"""Gifts are a list of objects, the choices for animals (``do``) an object of objects. No action is nested deeper; what
is would only strain whoever looks at it, down to the interpreter's stack."""


class Hello(msgspec.Struct, tag="hello", forbid_unknown_fields=True):
    """The first message, and again after a gap."""

    seen: Number | None = None
    plays: bool = False
    """Whether options shall list the plays from now on."""


class Act(msgspec.Struct, tag="act", forbid_unknown_fields=True):
    """An action of the sender's seat, decided on record ``seen``."""

    id: MessageId
    seen: Number
    action: Action


class Check(msgspec.Struct, tag="check", forbid_unknown_fields=True):
    """The question whether an action would be legal."""

    id: MessageId
    action: Action


class Ping(msgspec.Struct, tag="ping", forbid_unknown_fields=True):
    """A sign of life."""

    id: MessageId


class Probe(msgspec.Struct, tag="probe", forbid_unknown_fields=True):
    """The answer to the server's probe of the same id."""

    id: MessageId


type Message = Hello | Act | Check | Ping | Probe

_decode = msgspec.json.Decoder(Hello | Act | Check | Ping | Probe).decode
_encode = msgspec.json.Encoder().encode


def read(text: str) -> Message:
    """Return the message that ``text`` is. Raises Invalid with the code bad-message."""
    try:
        message: Message = _decode(text)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise Invalid(f"This message cannot be read: {error}.", code="bad-message") from None
    return message


def write(message: dict[str, Any]) -> bytes:
    """Return ``message``, or a part of one, as JSON."""
    return _encode(message)


def refused(message_id: str | None, code: str, sentence: str, number: int) -> bytes:
    """Return the answer to an action that changed nothing."""
    return write({"type": "refused", "id": message_id, "code": code, "message": sentence, "n": number})


def ack(message_id: str, number: int, chain_hash: bytes) -> bytes:
    """Return the answer to an action that is stored."""
    return write({"type": "ack", "id": message_id, "n": number, "hash": chain_hash.hex()})
