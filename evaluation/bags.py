"""Recordings: rosbag2 directories with MCAP storage and the custom types' schemas, written and read without a ROS installation.

Design reason: ``rosbag2_py`` is not among the ROS wheels, and an evaluation must be able to read a bag on any machine. No rclpy here:
messages are (topic, time, bytes), and reading gives the household's own types.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from rosbags.rosbag2 import Reader, StoragePlugin, Writer
from rosbags.typesys import Stores, get_types_from_msg, get_typestore

from household.environment import ROOT

INTERFACES = ROOT / "ros2_ws" / "src" / "heed_msgs"


class BagError(ValueError):
    """A recording that cannot be read, or lacks a topic; the message names the file and what is missing."""


def typestore():
    """ROS 2 Kilted's types and heed's own."""
    store = get_typestore(Stores.ROS2_KILTED)
    folder = INTERFACES if INTERFACES.is_dir() else Path(sys.prefix) / "share" / "heed_msgs"
    types = {}
    for path in sorted((folder / "msg").glob("*.msg")):
        types.update(get_types_from_msg(path.read_text(), f"heed_msgs/msg/{path.stem}"))
    store.register({k: v for k, v in types.items() if k not in store.fielddefs})
    return store


class BagWriter:
    """``write`` serialised messages; one connection per topic and type. ``close`` it: an MCAP file without its index and footer is read by
    scanning, and only up to the last :meth:`save`."""

    def __init__(self, path: Path):
        self.path = Path(path)
        self._store = typestore()
        self._writer = Writer(self.path, version=9, storage_plugin=StoragePlugin.MCAP)
        self._writer.open()
        self._connections: dict[str, object] = {}
        self.count = 0

    def write(self, topic: str, type_name: str, nanoseconds: int, data: bytes) -> None:
        """``type_name`` like ``heed_msgs/msg/Decision``; ``data`` CDR bytes as ROS serialises them."""
        connection = self._connections.get(topic)
        if connection is None:
            connection = self._writer.add_connection(topic, type_name, typestore=self._store)
            self._connections[topic] = connection
        self._writer.write(connection, nanoseconds, data)
        self.count += 1

    def save(self) -> None:
        """What was written so far is on the disk, whatever happens to this process."""
        storage = self._writer.storage
        if storage.chunk.bio.tell():
            storage.close_chunk()
        storage.bio.flush()

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()
            self._writer = None


def read(path: Path, topics: tuple[str, ...] | None = None, required: tuple[str, ...] = ()) -> Iterator[tuple[str, int, object]]:
    """(topic, nanoseconds, message) in recorded order, of these ``topics`` (None: all). Raises BagError, also when one of
    ``required`` was not recorded. A recording whose recorder was killed is read as far as it was saved."""
    path = Path(path)
    store = typestore()
    if not (path / "metadata.yaml").exists():
        yield from _unfinished(path, store, topics, required)
        return
    try:
        with Reader(path) as reader:
            chosen = [c for c in reader.connections if topics is None or c.topic in topics]
            missing = set(required) - {c.topic for c in chosen}
            if missing:
                have = ", ".join(sorted({c.topic for c in reader.connections}))
                raise BagError(f"{path}: no topic {', '.join(sorted(missing))}; it has {have}")
            for connection, stamp, raw in reader.messages(connections=chosen) if chosen else ():  # an empty list would mean all
                yield connection.topic, stamp, store.deserialize_cdr(raw, connection.msgtype)
    except BagError:
        raise
    except Exception as error:  # noqa: BLE001 - the reader raises many kinds for one thing: a broken file
        raise BagError(f"{path}: cannot be read as a rosbag2 recording ({error})") from error


def _unfinished(path: Path, store, topics: tuple[str, ...] | None, required: tuple[str, ...]) -> Iterator[tuple[str, int, object]]:
    """The same of a folder without metadata: its MCAP file is scanned up to where it breaks off."""
    from mcap.exceptions import McapError
    from mcap.records import Channel, Message, Schema
    from mcap.stream_reader import StreamReader

    file = next(iter(sorted(path.glob("*.mcap"))), None)
    if file is None:
        raise BagError(f"{path}: no rosbag2 recording (no metadata.yaml and no .mcap file in it)")
    schemas, channels, found = {}, {}, set()
    with open(file, "rb") as stream:
        try:
            for record in StreamReader(stream).records:
                if isinstance(record, Schema):
                    schemas[record.id] = record.name
                elif isinstance(record, Channel):
                    channels[record.id] = record.topic, schemas[record.schema_id]
                elif isinstance(record, Message):
                    topic, kind = channels[record.channel_id]
                    found.add(topic)
                    if topics is None or topic in topics:
                        yield topic, record.log_time, store.deserialize_cdr(record.data, kind)
        except McapError as error:
            if not channels:
                raise BagError(f"{file}: nothing was saved before the recorder ended ({type(error).__name__})") from None
    if missing := set(required) - found:
        raise BagError(f"{path}: no topic {', '.join(sorted(missing))}; it has {', '.join(sorted(found))}")
