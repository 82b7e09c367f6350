"""What must go on while the disk of another hot folder does not answer: a folder on a local disk,
and the watcher's answers to those who ask."""

import http.client
import socket
import threading
import time

from ordeal import PATIENCE, wait_until

def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def get(port, path):
    """(status, text) of a GET; (0, reason) when there is no answer."""
    try:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        connection.request("GET", path)
        reply = connection.getresponse()
        return reply.status, reply.read().decode(errors="replace")
    except (OSError, http.client.HTTPException) as error:
        return 0, str(error)


def folder_in_view(watch, path):
    """The watcher's view of the folder."""
    for folder in watch.request("list").get("folders", []):
        if folder["path"] == str(path):
            return folder
    return {"up": False, "trouble": "it is not in the view"}


class Meanwhile(threading.Thread):
    """Drops a page into a local folder `every` so many seconds, each to be done within `latest`
    seconds, and asks the watcher for its health and its view, which take half of that at most,
    until end()."""

    def __init__(self, ordeal, watch, port, local, first, latest, every=1.0):
        super().__init__(daemon=True)
        self.ordeal, self.watch, self.port = ordeal, watch, port
        self.local, self.number, self.latest, self.every = local, first, latest, every
        self.over = threading.Event()
        self.start()

    def run(self):
        while not self.over.is_set():
            begin = time.monotonic()
            self.ask()
            name = self.local.drop(self.number)
            self.number += 1
            dropped = time.monotonic()
            done = wait_until(lambda: name in self.local.names("done"), self.latest, 0.05)
            self.ordeal.most("longest_local_s", time.monotonic() - dropped)
            self.ordeal.count("local_pages")
            self.ordeal.check(done, f"{self.local.path.name}: {name} was not done in "
                              f"{self.latest} s\n{self.watch.tail()}")
            self.over.wait(max(0.0, begin + self.every - time.monotonic()))

    def ask(self):
        begin = time.monotonic()
        status, text = get(self.port, "/healthz")
        asked = time.monotonic()
        view = self.watch.request("list")
        end = time.monotonic()
        self.ordeal.check(status == 200, f"/healthz: {status} {text}")
        self.ordeal.check(view.get("ok"), "the control socket does not answer")
        self.ordeal.check(end - begin < self.latest / 2, f"answers took {end - begin:.1f} s")
        self.ordeal.most("longest_healthz_s", asked - begin)
        self.ordeal.most("longest_list_s", end - asked)

    def end(self):
        self.over.set()
        self.join()
