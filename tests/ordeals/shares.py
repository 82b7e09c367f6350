#!/usr/bin/env python3
"""A hot folder on a network share: real servers, clients of the kernel, in a throw-away kernel.

Two watchers, each with a mount of its own, share a folder on NFS or SMB, and each has a folder on a
local disk beside. Customers drop pages through a third mount and on the server itself, whence no
client gets a notice: under another name first, slowly under the final name, and in the manner of
Windows, which sets the size first. In the middle the server is stopped for a while, and later it is
killed and started again. Meanwhile each watcher's local pages are done in time, its /healthz and
socket answer, and its view says which folder hangs. Each page is done exactly once.

  shares.py PROGRAM [--count PAGES] [--hang SECONDS] [--shares NAME,...]

By hand 2000 pages, tickets of 40 and 60 s on nfs4 and smb, and fewer on nfs4-soft and smb-soft.
"""

import copy
import os
import pathlib
import subprocess
import sys
import time

import guest
import share_servers
from meanwhile import Meanwhile, folder_in_view
from numbered_pages import THRESHOLD, UNCOMPRESSED, page
from ordeal import Ordeal, require_options, wait_until
from watching import HARMS, HotFolder, once, watching

NOTICED = 20.0  # until the view says that the share does not answer
SWEPT = 90.0    # until a watcher has removed the empty folders of ended jobs, once a minute
DISK_MIB = 512
GUEST_MIB = 768
SLOWEST = 6     # seconds for a page, in a guest
SABOTAGES = {**HARMS, "recount": "a job is said to be done once more in a watcher's history",
             "away": "the server does not come back"}


class Customers:
    """They drop pages, one after the other, through their mount or on the server's side."""

    def __init__(self, ordeal, served):
        self.ordeal, self.served = ordeal, served
        self.number, self.jobs = 0, 0

    def drop(self, pages, folder):
        """All but some of them with tickets, each of which names so many pages."""
        many = self.ordeal.options.ticket
        while pages > 0:
            if many > 1 and self.jobs % 3 == 2 and pages >= many:
                self.ticket(folder, many)
                pages -= many
            else:
                self.drop_one(folder, self.number % 10)
                pages -= 1
            self.jobs += 1

    def drop_one(self, folder, manner):
        self.number += 1
        name = f"p{self.number:06}.tif"
        data = page(self.number, *self.served.size)
        {1: self.slow, 2: self.sized}.get(manner, self.renamed)(folder, name, data)
        self.served.numbers[name] = self.number

    def ticket(self, folder, pages):
        name = f"t{self.number:06}.yaml"
        lines = ["mezzotint: 1", f"job: {name}", "defaults:", f"  {THRESHOLD}",
                 f'  output: {{path: "{{stem}}.tif", {UNCOMPRESSED}, existing: refuse}}', "pages:",
                 *(f"  - input: p{self.number + 1 + at:06}.tif" for at in range(pages))]
        self.renamed(folder, name, ("\n".join(lines) + "\n").encode())
        self.served.tickets.add(name)
        for _ in range(pages):
            self.drop_one(folder, 0)

    def renamed(self, folder, name, data):
        part = folder / f"{name}.tmp"
        part.write_bytes(data)
        part.rename(folder / name)

    def slow(self, folder, name, data):
        """The pauses are shorter than pages must hold still, but attributes that a client remembers
        may be older. Of many pages only the first ones take so long."""
        longest = 1.8 if self.number < 200 else 0.1
        with open(folder / name, "wb", buffering=0) as file:
            for at in range(0, len(data), 300):
                file.write(data[at:at + 300])
                time.sleep(self.ordeal.random.uniform(0.1, longest))

    def sized(self, folder, name, data):
        with open(folder / name, "wb", buffering=0) as file:
            file.truncate(len(data))
            time.sleep(0.5)
            file.write(data)


def trouble(watch, path):
    return folder_in_view(watch, path).get("trouble", "")


def outage(ordeal, server, watchers, customers, pages, restarts):
    """The server hangs, or is killed and started again, while pages come on its own side."""
    server.kill() if restarts else server.hang()
    begin = time.monotonic()
    customers.drop(pages, customers.served.path)
    if not restarts:
        for watch, seen in watchers:
            said = wait_until(lambda: trouble(watch, seen.path), NOTICED, 0.2)
            ordeal.check(said, f"{watch.name}: the view says nothing of the hang\n{watch.tail()}")
    time.sleep(max(0.0, begin + ordeal.options.hang - time.monotonic()))
    if ordeal.sabotage("away"):
        ordeal.check(customers.served.wait(3), "the server is still away")
    server.start() if restarts else server.answer()


def settle(ordeal, served, watchers, what):
    begin = time.monotonic()
    count = len(served.numbers)
    latest = 60 + SLOWEST * (count - len(served.finished() & set(served.numbers)))
    good = served.wait(latest)
    ordeal.most("longest_to_settle_s", time.monotonic() - begin)
    through = len(served.finished() & set(served.numbers))
    seen_as = [] if good else [str(folder_in_view(watch, seen.path)) for watch, seen in watchers]
    ordeal.check(good, f"{what}: {through} of {count} went through\n"
                 + "\n".join([*seen_as, *(watch.tail(4) for watch, _ in watchers)]))
    return good


def drops(ordeal, server, watchers, customers, mount):
    """A third of the pages before each outage, and a sixth in it."""
    before, during = -(-ordeal.options.count // 3), -(-ordeal.options.count // 6)
    for restarts in (False, True):
        customers.drop(before, mount)
        outage(ordeal, server, watchers, customers, during, restarts)
        settle(ordeal, customers.served, watchers, "killed server" if restarts else "hung server")


def inside(ordeal, share):
    """The ordeal itself, in the guest."""
    share_servers.find_modules()
    disk = ordeal.scratch / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "ext4", "/dev/ubda", disk], check=True)
    served = HotFolder(disk / "hot", every="500 ms", age="2 s", scan="1 s")
    os.chmod(disk, 0o777)
    server = share_servers.Server(ordeal, share, disk)
    clients = [share_servers.Client(server, ordeal.scratch / "mounts" / name)
               for name in ("one", "two", "customers")]
    try:
        watch_share(ordeal, share, server, served, [client.path for client in clients])
    finally:
        for client in clients:
            client.close()


def watch_share(ordeal, share, server, served, mounts):
    seen = []
    for mount in mounts[:2]:
        seen.append(copy.copy(served))
        seen[-1].path = mount / "hot"
    customers = Customers(ordeal, served)
    locals_ = [HotFolder(ordeal.scratch / f"local-{name}") for name in ("one", "two")]
    with watching(ordeal, [seen[0], locals_[0]], "--http", "9001", name="one") as one, \
            watching(ordeal, [seen[1], locals_[1]], "--http", "9002", name="two") as two:
        watchers = [(one, seen[0]), (two, seen[1])]
        others = [Meanwhile(ordeal, watch, port, local, 10**6 * port, ordeal.options.latest,
                            every=3.0)
                  for watch, port, local in ((one, 9001, locals_[0]), (two, 9002, locals_[1]))]
        drops(ordeal, server, watchers, customers, mounts[2] / "hot")
        for other in others:
            other.end()
        once(ordeal, share, [one, two],
             customers.jobs + sum(len(local.numbers) for local in locals_))
        # NFS keeps the lock of a job that has ended while it is open, and its folder with it.
        wait_until(lambda: not served.names(".work"), SWEPT, 0.5)
        ordeal.figures["pages"] = len(served.numbers)
        ordeal.figures["jobs"] = customers.jobs
        mine = {pathlib.Path(name).stem for name in [*served.numbers, *served.tickets]}
        ordeal.figures["jobs_of_the_first"] = len(mine & {name for name, _ in one.history()})
    served.judge(ordeal, share)
    for local in locals_:
        local.judge(ordeal, local.path.name)


def hold_one(ordeal, share):
    share_servers.require(share)
    disk = ordeal.scratch / f"{share}.img"
    with open(disk, "wb") as file:
        file.truncate(DISK_MIB << 20)
    subprocess.run(["mkfs.ext4", "-q", "-F", disk], check=True)
    words = [sys.executable, pathlib.Path(__file__).resolve(), ordeal.program, "--inside", share,
             "--count", ordeal.options.count, "--hang", ordeal.options.hang,
             "--seed", ordeal.options.seed, "--ticket", ordeal.options.ticket,
             "--latest", ordeal.options.latest, "--keep"]
    words += ["--sabotage", ordeal.options.sabotage] if ordeal.options.sabotage else []
    status, output = guest.run(
        ordeal, "mount -t tmpfs scratch /mnt && exec " + guest.shlex.join(
            [str(word) for word in [*words, "--folder", "/mnt"]]),
        disks=[disk], modules=share_servers.MODULES[share_servers.SHARES[share][0]], mib=GUEST_MIB,
        timeout=300 + 3 * ordeal.options.hang + 2 * SLOWEST * ordeal.options.count)
    disk.unlink()
    print(output, end="", flush=True)
    ordeal.count("shares")
    if ordeal.options.sabotage:
        ordeal.sabotage(ordeal.options.sabotage)
        status = 1 if status == 0 else 0  # noticed
    ordeal.check(status == 0, f"{share}: status {status} in the guest\n{output[-2000:]}")


def hold(ordeal):
    require_options(ordeal, "watch", "--jobs", "--state", "--socket", "--http")
    if ordeal.options.inside:
        return inside(ordeal, ordeal.options.inside)
    guest.require()
    for share in ordeal.options.shares.split(","):
        hold_one(ordeal, share)


if __name__ == "__main__":
    ordeal = Ordeal(__doc__, SABOTAGES, [
        ("--count", {"type": int, "default": 12, "help": "pages on each share"}),
        ("--hang", {"type": float, "default": 10, "help": "seconds for which the server is away"}),
        ("--ticket", {"type": int, "default": 1, "help": "pages of a ticket; 1: there are none"}),
        ("--latest", {"type": float, "default": 20,
                      "help": "seconds for a page of a local folder; a guest is slow"}),
        ("--shares", {"default": "nfs4,smb", "help": "which, in turn"}),
        ("--inside", {"choices": sorted(share_servers.SHARES), "help": "in the guest: this one"})])
    ordeal.hold(hold)
