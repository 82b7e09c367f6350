#!/usr/bin/env python3
"""Many connections to an HTTP server at once, none of them of use: the client that flood.py runs.

  crowd.py HOST:PORT CONNECTIONS SECONDS FROM     FROM: the address that they come from

Each connection is of a kind, in turn: `idle` says nothing, `drip` sends a byte a second of a request
that never ends, `half` shuts its side after a part of a request, `slow` takes a byte a second of the
reply, and `ask` asks for the status page's data. When the server closes one, it comes again in the
next second. Prints figures as JSON in the end.
"""

import collections
import contextlib
import errno
import json
import resource
import signal
import socket
import sys
import time

KINDS = ("idle", "drip", "half", "slow", "ask")
STEPS = 20  # of a second, so that not all act at once


class Member:
    """A connection, made anew when it is closed."""

    figures = collections.Counter()

    def __init__(self, kind, server, source):
        self.kind, self.server, self.source = kind, server, source
        self.connection, self.acts = None, 0

    def open(self):
        self.connection = socket.socket()
        self.connection.setblocking(False)
        if self.kind == "slow":
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        if self.source:
            self.connection.setsockopt(socket.IPPROTO_IP, 24, 1)  # IP_BIND_ADDRESS_NO_PORT
            self.connection.bind((self.source, 0))
        with contextlib.suppress(BlockingIOError):
            self.connection.connect(self.server)
        self.acts = 0
        self.figures["opened"] += 1

    def close(self):
        self.connection.close()
        self.connection = None

    def act(self):
        """Once a second."""
        try:
            if self.connection is None:
                self.open()
            self.speak()
            self.hear()
        except BlockingIOError:
            pass
        except OSError as error:
            self.figures[errno.errorcode.get(error.errno, "?")] += 1
            if self.connection:
                self.close()

    def speak(self):
        first = self.acts == 0
        self.acts += 1
        if self.kind == "drip":
            self.connection.send(b"GET / HTTP/1.1\r\nX-Long: " if first else b"x")
        elif self.kind == "half" and first:
            self.connection.send(b"GET /view.json HTTP/1.1\r\n")
            self.connection.shutdown(socket.SHUT_WR)
        elif self.kind in ("slow", "ask") and first:
            path = "/page.js" if self.kind == "slow" else "/view.json"
            self.connection.send(f"GET {path} HTTP/1.1\r\nHost: {self.server[0]}\r\n\r\n".encode())

    def hear(self):
        if self.connection.recv(1 if self.kind == "slow" else 1 << 20) == b"":
            self.figures["closed"] += 1
            self.close()


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    host, port = sys.argv[1].split(":")
    count, seconds, source = int(sys.argv[2]), float(sys.argv[3]), sys.argv[4]
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    members = [Member(KINDS[number % len(KINDS)], (host, int(port)), source)
               for number in range(count)]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    begin = time.monotonic()
    for member in members:  # all at once
        member.act()
    most, step = 0, 0
    while time.monotonic() < begin + seconds:
        for member in members[step % STEPS::STEPS]:
            member.act()
        step += 1
        most = max(most, sum(member.connection is not None for member in members))
        time.sleep(max(0.0, begin + step / STEPS - time.monotonic()))
    print(json.dumps({**Member.figures, "most_open": most,
                      "seconds": time.monotonic() - begin}), flush=True)


if __name__ == "__main__":
    main()
