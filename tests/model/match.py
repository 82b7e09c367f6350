"""Looks for the events of a trace in the model of a hot folder, in an order that both can have."""

from protocol import Protocol
from stranger import Stranger
from world import IDLE, ORPHANED, World

KILLS = 99  # as many as a trace has


class Node:
    """So many events of each process are matched; the model's state then, and the job of each ID."""

    __slots__ = ("positions", "world", "jobs")

    def __init__(self, positions, world, jobs):
        self.positions, self.world, self.jobs = positions, world, jobs

    def key(self):
        world = self.world
        return (self.positions, world.key(), world.watchers, world.workers)


class Match:
    """`events` are those of each process: begin, end and label. A call takes effect in between."""

    def __init__(self, pages, watchers, events):
        self.processes = sorted(events, key=str)
        self.events = [events[process] for process in self.processes]
        self.protocol = Protocol(gives_up=True)
        self.stranger = Stranger(())
        world = World(pages, watchers, KILLS, KILLS)
        self.furthest = Node((0,) * len(self.events), world, ())
        self.found = None

    def run(self):
        """Whether all events are steps of the model, in their order."""
        todo, seen = [self.furthest], set()
        while todo:
            node = todo.pop()
            key = hash(node.key())
            if key in seen:
                continue
            seen.add(key)
            if sum(node.positions) > sum(self.furthest.positions):
                self.furthest = node
            if all(at == len(events) for at, events in zip(node.positions, self.events, strict=True)):
                self.found = node
                return True
            todo.extend(self.following(node))
        return False

    def following(self, node):
        """What is tried last comes first."""
        for slot in range(len(node.world.watchers)):
            for name, after in self.protocol.steps_of_watcher(node.world, slot):
                if name.startswith("(") or name.startswith("open ") and name.endswith(": gone"):
                    yield Node(node.positions, after, node.jobs)
        for index in self.next_processes(node):
            event = self.events[index][node.positions[index]]
            positions = tuple(at + (i == index) for i, at in enumerate(node.positions))
            for after, jobs in self.steps(node, self.processes[index], event.label):
                yield Node(positions, after, jobs)

    def next_processes(self, node):
        """Those whose next event may come before that of all others."""
        heads = {index: events[at] for index, (at, events)
                 in enumerate(zip(node.positions, self.events, strict=True)) if at < len(events)}
        first_end = min((event.end for event in heads.values()), default=0)
        return [index for index, event in heads.items() if event.begin <= first_end]

    def steps(self, node, process, label):
        """(state, jobs) after the steps of the model that have this label."""
        world, jobs = node.world, dict(node.jobs)
        if process[0] == "stranger":
            yield from ((after, node.jobs) for after in self.acts(world, label))
        elif process[0] == "watcher":
            yield from self.steps_of_watcher(world, process[1], label, jobs)
        else:
            yield from ((after, node.jobs) for after in self.steps_of_worker(
                world, process[1], jobs.get(process[2]), label))

    def steps_of_watcher(self, world, slot, label, jobs):
        if label == "killed":
            after = world if world.watchers[slot] == IDLE else \
                self.protocol.kills_of_watcher(world, slot)[1]
            yield after, tuple(sorted(jobs.items()))
            return
        words = label.split("/")
        identity = words[1].split(" ")[0].split(":")[0] if ".work" in words[0] else ""
        for name, after in self.protocol.steps_of_watcher(world, slot):
            if identity and identity not in jobs and name.startswith("mkdir"):
                job = after.watchers[slot].job
                if label == f"mkdir .work/{identity}":
                    yield after, tuple(sorted({**jobs, identity: job}.items()))
            elif self.in_model(label, identity, jobs) == name:
                yield after, tuple(sorted(jobs.items()))

    @staticmethod
    def in_model(label, identity, jobs):
        return label.replace(identity, str(jobs.get(identity))) if identity else label

    def steps_of_worker(self, world, slot, job, label):
        for index, worker in enumerate(world.workers):
            if worker.slot != slot or job not in (None, worker.job):
                continue
            if label == "killed":
                yield self.protocol.kills_of_worker(world, index)[1]
            # That of a worker without a watcher says nothing.
            ends = worker.parent == ORPHANED and label.startswith("exit")
            for name, after in self.protocol.steps_of_worker(world, index):
                if name == label or ends and name.startswith("exit"):
                    yield after

    def acts(self, world, label):
        kind, name = label.split(" ", 1)
        content = 0 if kind == "again" else -1
        after = world.copy()
        if name in world.root:
            self.stranger.lose(after, world.root[name])
        after.add(name, content=content)
        yield after

    def places(self):
        """{folder: names of the pages that are there in the end}."""
        world = self.found.world
        return {".": set(world.root), "done": set(world.done), "failed": set(world.failed)}

    def problem(self):
        """The events that no step of the model matches."""
        node = self.furthest
        lines = []
        for index in self.next_processes(node):
            event = self.events[index][node.positions[index]]
            lines.append(f"{' '.join(map(str, self.processes[index]))} does what the model does not, "
                         f"line {event.begin} of the trace: {event.label}")
        for slot, watcher in enumerate(node.world.watchers):
            steps = [name for name, _ in self.protocol.steps_of_watcher(node.world, slot)]
            lines.append(f"in the model, watcher {slot} is at {watcher.at} and may: {'; '.join(steps)}")
        return "\n".join(lines)
