#!/usr/bin/env python3
"""Damages the tags of TIFF pages, one at a time, and looks at the plates that the program makes.

usage: scan.py MEZZOTINT [--whole | --long] [--keep FOLDER] [--only TEXT] [--list]

A tag that decides pixels, names, size or colour cannot be read: the page must be refused, or have the
plates of the sound page. The same holds for a file that is cut short. A tag that TIFF 6 requires is
missing: the page must be refused. A tag that decides nothing is damaged: the page must have the plates
of the sound page. The sound pages themselves must have plates, the same in all forms of file.

The short form takes every kind of damage for every tag of every page, and every tenth of the other
cases. --whole takes all, and --long takes all in four forms of file. --keep writes the files of failed
cases. Nothing is random.

Exit status: 0 no case failed, 1 some failed, 77 the ICC profiles are not installed.
"""

import argparse
import collections
import dataclasses
import os
import pathlib
import sys
import tempfile

import damages
import harmless
import pages
import tiff_form
import trial

SKIPPED = 77
LAST_BYTES = 600  # of a file, at each of which it is cut
EVERY = 10  # of the other cases, in the short form
MOST_LINES = 40


@dataclasses.dataclass
class Case:
    """A damaged file. `rule` is what must become of it:

    "decides": it is refused, or has the plates of the sound page; "must refuse"; "shows": it has other
    plates, or is refused (else the page could not show that a tag is lost); "harmless": it has the
    plates of the sound page; "says other": anything, as it is a sound page of its own.
    """
    page: str
    form: tiff_form.Form
    tag: str
    damage: str
    rule: str
    settings: str
    make: object  # a function that returns the bytes

    @property
    def name(self):
        return f"{self.page}/{self.form.name()}/{self.tag}/{self.damage}"

    @property
    def group(self):
        return self.page, self.tag, self.damage.split()[0].rstrip(",")


def replaced(entries, old, new):
    """Entries with others in the place of one of them."""
    at = entries.index(old)
    return entries[:at] + new + entries[at + 1:]


def added(entries, entry):
    """Entries with one more, or with one in place of that of its tag; in the order of tags."""
    return sorted([other for other in entries if other.tag != entry.tag] + [entry],
                  key=lambda other: other.tag)


def writer(page, form, entries):
    return lambda: tiff_form.write(form, entries, page.segments(form))


# ---- Cases ----

def rule_of(page, form, entry, damage, new):
    if damage == "missing":
        if entry.tag in pages.ALWAYS_REQUIRED + page.required:
            return "must refuse"
        return "shows" if entry.tag in page.shown else "says other"
    if (entry.tag, damage) == (270, "count 0"):
        return "says other"  # an empty text
    if new[0].kind_field is not None and damages.says_something_else(form, entry, new[0]):
        return "says other"
    return "decides"


def tag_cases(page, form):
    entries = page.tags(form)
    for entry in entries:
        for damage, new in damages.damages_of(form, entry):
            yield Case(page.name, form, str(entry.tag), damage,
                       rule_of(page, form, entry, damage, new), page.settings,
                       writer(page, form, replaced(entries, entry, new)))


def cut_cases(page, form):
    sound = tiff_form.write(form, page.tags(form), page.segments(form))
    for missing in range(1, min(LAST_BYTES, len(sound) - 1) + 1):
        yield Case(page.name, form, "end", f"cut by {missing}", "decides", page.settings,
                   lambda size=len(sound) - missing: sound[:size])


def harmless_cases(page, form):
    entries = page.tags(form)
    inks = entries[[entry.tag for entry in entries].index(277)].values[0]
    for entry in harmless.harmless_entries(inks):
        with_tag = added(entries, entry)
        yield Case(page.name, form, str(entry.tag), "sound", "harmless", page.settings,
                   writer(page, form, with_tag))
        for damage, new in damages.damages_of(form, entry):
            if damage != "missing":
                yield Case(page.name, form, str(entry.tag), damage, "harmless", page.settings,
                           writer(page, form, replaced(with_tag, entry, new)))
        size = len(entry.values) * tiff_form.width_of(entry.kind)
        last = writer(page, form, replaced(with_tag, entry, [entry.but(place="end")]))
        for missing in range(1, size + 1, 7) if size > form.inline else ():
            yield Case(page.name, form, str(entry.tag), f"cut by {missing}", "harmless",
                       page.settings, lambda last=last, missing=missing: last()[:-missing])
    for name, entry in harmless.default_values().items():
        if page.name == "plain-grey" or entry.tag in (274, 296):
            yield Case(page.name, form, str(entry.tag), name, "harmless", page.settings,
                       writer(page, form, added(entries, entry)))


def all_cases(every_form):
    for page in pages.decisive_pages():
        for form in pages.FORMS if every_form else [page.own_form]:
            yield from tag_cases(page, form)
            yield from cut_cases(page, form)
    for page in harmless.base_pages():
        for form in pages.FORMS if every_form else [page.own_form]:
            yield from harmless_cases(page, form)


def short_form(cases):
    """A case of each group, another one in each, and every tenth of the others."""
    groups = collections.defaultdict(list)
    for case in cases:
        groups[case.group].append(case)
    chosen = {id(group[number % len(group)]) for number, group in enumerate(groups.values())}
    others = [case for case in cases if id(case) not in chosen]
    chosen.update(id(case) for case in others[::EVERY])
    return [case for case in cases if id(case) in chosen]


# ---- Verdicts ----

def sound_plates(runner):
    """{page: plates} of the sound pages in every form; the forms of a page must agree."""
    everything = pages.decisive_pages() + harmless.base_pages()
    cases = [(page, form) for page in everything for form in pages.FORMS]
    results = runner.run([(page.settings, writer(page, form, page.tags(form)))
                          for page, form in cases])
    sound = {}
    for (page, form), (refusal, plates) in zip(cases, results):
        if refusal or not plates:
            raise SystemExit(f"the sound page {page.name}/{form.name()} is refused: {refusal}")
        if sound.setdefault(page.name, plates) != plates:
            raise SystemExit(f"{page.name}/{form.name()}: other plates than in the first form")
    return sound


def verdict_of(sound, refusal, plates):
    """"refused", "equal", or in words how the plates differ."""
    if plates is None:
        return "DIFFERENT: the program broke down"
    if refusal:
        return "DIFFERENT: plates of a refused page" if plates else "refused"
    if plates == sound:
        return "equal"
    if set(plates) != set(sound):
        return f"DIFFERENT: plates {' '.join(plates) or 'none'}"
    ways = set()
    for ink, (tags, bits, made) in plates.items():
        for tag, value, right in zip(trial.COMPARED, tags, sound[ink][0]):
            if value != right:
                ways.add(f"tag {tag} of the plates")
        if bits != sound[ink][1]:
            ways.add("pixels")
        elif made != sound[ink][2]:
            ways.add("the text on their making")
    return "DIFFERENT: " + ", ".join(sorted(ways))


def is_failure(case, verdict):
    if case.rule == "harmless":
        return verdict != "equal"
    if case.rule == "must refuse":
        return verdict != "refused"
    if case.rule == "shows":
        return verdict == "equal"
    return case.rule == "decides" and verdict.startswith("DIFFERENT")


def keep(folder, case):
    folder.mkdir(parents=True, exist_ok=True)
    name = "".join(letter if letter.isalnum() or letter in "-+" else "_" for letter in case.name)
    (folder / f"{name}.tif").write_bytes(case.make())


def print_figures(cases, verdicts, by_tag):
    figures = collections.defaultdict(collections.Counter)
    tags = collections.defaultdict(collections.Counter)
    for case, verdict in zip(cases, verdicts):
        figures[case.rule][verdict.split(":")[0]] += 1
        tags[case.rule, case.tag][verdict.split(":")[0]] += 1
    if by_tag:
        for (rule, tag), counts in tags.items():
            print(f"  {rule:11} tag {tag:>5}: " + ", ".join(f"{n} {what}" for what, n in
                                                            sorted(counts.items())))
    words = {"decides": "tags that decide, and cuts", "must refuse": "required tags, missing",
             "shows": "other tags, missing: another page", "harmless": "tags that decide nothing",
             "says other": "sound entries of another value, not judged"}
    for rule, counts in figures.items():
        print(f"{words[rule]}: {sum(counts.values())} cases, {counts['refused']} refused, "
              f"{counts['equal']} equal, {counts['DIFFERENT']} DIFFERENT")


def options():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--long", action="store_true", help="all cases, in four forms of file")
    parser.add_argument("--whole", action="store_true", help="all cases, each page in its own form")
    parser.add_argument("--keep", type=pathlib.Path, metavar="FOLDER", help="write failed files there")
    parser.add_argument("--only", default="", metavar="TEXT", help="cases whose name contains it")
    parser.add_argument("--list", action="store_true", help="print every case and its verdict")
    parser.add_argument("--workers", type=int, default=2, help="jobs at a time")
    return parser.parse_args()


def main():
    chosen = options()
    if not pages.PRESS_PROFILE.exists() or not pages.PAGE_PROFILE.exists():
        print(f"skipped: {pages.PROFILES} has no profiles; install Debian's ghostscript")
        return SKIPPED
    cases = list(all_cases(chosen.long))
    if not chosen.long and not chosen.whole:
        cases = short_form(cases)
    cases = [case for case in cases if chosen.only in case.name]
    memory = pathlib.Path("/dev/shm")  # many small files: in memory, where that is to be had
    place = memory if os.access(memory, os.W_OK) and "TMPDIR" not in os.environ else None
    with tempfile.TemporaryDirectory(dir=place) as folder:
        runner = trial.Trial(chosen.program.resolve(), pathlib.Path(folder), chosen.workers)
        sound = sound_plates(runner)
        results = runner.run([(case.settings, case.make) for case in cases])
    verdicts = [verdict_of(sound[case.page], *result) for case, result in zip(cases, results)]
    failed = [(case, verdict, result[0]) for case, verdict, result in zip(cases, verdicts, results)
              if is_failure(case, verdict)]
    if chosen.list:
        for case, verdict, (refusal, _) in zip(cases, verdicts, results):
            print(f"{case.rule}: {case.name}: {verdict}: {refusal or ''}")
    for case, verdict, refusal in failed[:None if chosen.list else MOST_LINES]:
        print(f"FAILED {case.name}: {verdict}{': ' + refusal if refusal else ''}")
    if len(failed) > MOST_LINES and not chosen.list:
        print(f"and {len(failed) - MOST_LINES} more; --list prints all")
    if chosen.keep:
        for case, _, _ in failed:
            keep(chosen.keep, case)
    print_figures(cases, verdicts, chosen.long or chosen.whole)
    print(f"{len(cases)} cases, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
