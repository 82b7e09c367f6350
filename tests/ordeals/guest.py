"""A throw-away kernel: Debian's user-mode-linux, a Linux kernel that runs as a process.

A guest has this machine's files as its root, by hostfs, with the rights of the user that starts it.
It has a network of its own, loopback alone, and modules that this machine's kernel may lack: device
mapper, NFS, CIFS. What its command prints and its status come back by files in the ordeal's scratch.

Names of devices in the guest: `disks` are /dev/ubda, /dev/ubdb and so on, in their order.
"""

import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import tempfile

from ordeal import PATIENCE, Skip

KERNEL = "linux"
MODULES = pathlib.Path("/usr/lib/uml/modules")

# What the kernel says before its first process, where a processor has more registers than it has room for.
FOREIGN_PROCESSOR = "ptrace set fp regs failed"

# modprobe looks for lib/modules below the folder that it is told.
INIT = """#!/bin/sh
export PATH=/usr/sbin:/usr/bin:/sbin:/bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t tmpfs run /run
mount -t devpts pts /dev/pts 2>/dev/null || {{ mkdir /dev/pts; mount -t devpts pts /dev/pts; }}
mkdir -p /dev/shm /run/kernel/lib
mount -t tmpfs shm /dev/shm
ln -s {modules} /run/kernel/lib/modules
ip link set lo up
cd {folder}
{{ {loads}; }} >output 2>&1 && {environment} {command} >>output 2>&1 </dev/null
echo $? >status
sync
echo o >/proc/sysrq-trigger
sleep 60
"""


def require():
    """Skips the ordeal where no guest can be started."""
    missing = [name for name in (KERNEL, "ip", "modprobe")
               if shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin") is None]
    if missing or not MODULES.is_dir():
        raise Skip(f"no throw-away kernel: {', '.join(missing) or MODULES} is missing "
                   "(tools/setup machine)")
    if os.getuid() != 0:
        raise Skip("the guest's commands have the rights of the user that starts it: root is needed")


def run(ordeal, command, disks=(), modules=(), mib=512, timeout=PATIENCE):
    """(status, output) of `command`, words or a shell's line, after `modules` are loaded.

    The command runs in the ordeal's scratch folder with the ordeal's environment. The status is None
    when it did not end within `timeout` seconds, or the guest broke down; then the kernel's own
    messages are the output's end.
    """
    require()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="guest-", dir=ordeal.scratch))
    line = command if isinstance(command, str) else shlex.join(str(word) for word in command)
    init = folder / "init"
    init.write_text(INIT.format(
        modules=MODULES,
        folder=shlex.quote(str(folder)),
        loads=" && ".join(f"modprobe -d /run/kernel {name}" for name in modules) or "true",
        environment="env -i " + shlex.join(
            f"{name}={value}" for name, value in ordeal.environment.items()),
        command=f"sh -c {shlex.quote(line)}"), encoding="utf-8")
    init.chmod(0o700)
    words = [KERNEL, f"mem={mib}M", "rootfstype=hostfs", "rootflags=/", "rw", f"init={init}",
             f"uml_dir={folder}/", "umid=guest", "con=null", "con0=null,fd:1", "quiet"]
    words += [f"ubd{letter}={disk}" for letter, disk in zip("abcdefgh", disks)]
    memory = "/dev/shm" if os.path.isdir("/dev/shm") else str(folder)
    with open(folder / "kernel", "wb") as messages:
        kernel = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=messages,
                                  stderr=subprocess.STDOUT, start_new_session=True,
                                  env={**os.environ, "TMPDIR": memory})
        try:
            kernel.wait(timeout)
        except subprocess.TimeoutExpired:
            pass
        finally:
            end(kernel)
    return outcome(folder)


def end(kernel):
    """Ends the guest's kernel and its processes, which are processes here."""
    try:
        os.killpg(kernel.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    kernel.wait()


def outcome(folder):
    output = read(folder / "output")
    status = read(folder / "status").strip()
    if not status:
        messages = read(folder / "kernel")
        if FOREIGN_PROCESSOR in messages:
            raise Skip("user-mode Linux does not know the registers of this processor: it says "
                       f"'{FOREIGN_PROCESSOR}'")
        return None, output + messages
    return int(status), output


def read(path):
    return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
