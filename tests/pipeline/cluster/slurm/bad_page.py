#!/usr/bin/env python3
"""Spoils a page after the job was planned: it is no TIFF any more when a worker reads it.

Its unit must end with status 65 and not be tried again; all other pages, also of that unit, must be
made, the report must say what is wrong with which page, and `submit --wait` ends with status 1.

  bad_page.py PROGRAM
"""

from cluster_job import SABOTAGES as OF_THE_END
from cluster_job import ClusterJob, Gate, judge, start_cluster
from ordeal import Ordeal

SABOTAGES = {**OF_THE_END, "good": "the page is left as it is"}
BAD = "page05.tif"
PAGES_PER_UNIT = 3


def hold(ordeal):
    with start_cluster(ordeal, nodes=2, cpus=1) as cluster:
        job = ClusterJob(ordeal, cluster, ordeal.options.pages, 600)
        reference, _ = job.whole()
        gate = Gate(job)
        gate.close()
        process = job.submit("--pages-per-task", PAGES_PER_UNIT)
        job.submitted(process)
        if not ordeal.sabotage("good"):
            (job.folder / BAD).write_text("The proofs, as promised.\n")
        gate.open()
        run = job.ended(process)
        judge(ordeal, job, run, reference, failed=(BAD,))
        of_unit = job.attempts(sorted(job.inks).index(BAD) // PAGES_PER_UNIT)
        ordeal.check([one.status() for one in of_unit] == [65],
                     f"attempts at a bad page ended with {[one.status() for one in of_unit]}")
        ordeal.check(job.submissions() == 1, f"handed over {job.submissions()} times")
        for sheet in job.report()["sheets"]:
            if sheet["input"].endswith(BAD) and sheet["outcome"] == "failed":
                ordeal.check(sheet["error"]["kind"] == "data" and BAD in sheet["error"]["message"],
                             f"the report says {sheet['error']}")


if __name__ == "__main__":
    Ordeal(__doc__, SABOTAGES, [("--pages", {"type": int, "default": 12})]).hold(hold)
