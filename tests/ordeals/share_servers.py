"""File servers and their clients inside a throw-away kernel: NFS by nfs-ganesha, SMB by samba.

Everything that they write lies in a folder of the ordeal, or in file systems of the guest's memory.
"""

import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time

from ordeal import PATIENCE, Skip, end, wait_until

NFS, SMB = "nfs", "smb"
PROGRAMS = {NFS: ("ganesha.nfsd", "mount.nfs", "rpcbind", "rpc.statd"), SMB: ("smbd", "mount.cifs")}
PORTS = {NFS: 2049, SMB: 445}
PACKAGES = "nfs-ganesha-vfs, nfs-common, rpcbind, samba and cifs-utils"
CODES = ["hmac", "md5", "sha256", "sha512", "cmac", "ecb", "ccm", "gcm", "ctr"]  # that SMB needs
MODULES = {NFS: ["nfsv4"], SMB: [*CODES, "cifs"]}
# As shops mount them, each mount a client of its own. `hard` waits for the server for ever; of a
# `soft` mount, calls fail after 15 s or minutes. NFS 3 is left out: its locks are a service apart,
# and that of the kernel's client takes the name of the server's on the same machine.
OF_NFS, OF_SMB = "nosharecache,timeo=50,retry=0", "guest,vers=3.0,nosharesock,uid=0,gid=0"
SHARES = {"nfs4": (NFS, "nfs4", f"vers=4.2,hard,{OF_NFS}", "127.0.0.1:/served"),
          "nfs4-soft": (NFS, "nfs4", f"vers=4.2,soft,{OF_NFS}", "127.0.0.1:/served"),
          "smb": (SMB, "cifs", f"hard,{OF_SMB}", "//127.0.0.1/served"),
          "smb-soft": (SMB, "cifs", f"soft,{OF_SMB}", "//127.0.0.1/served")}

GANESHA = """
NFS_CORE_PARAM {{ Protocols = 3,4; Enable_RQUOTA = false; MNT_Port = 20048; }}
NFSv4 {{ Lease_Lifetime = 10; Grace_Period = 10; RecoveryBackend = fs; Minor_Versions = 0,1,2; }}
EXPORT_DEFAULTS {{ Access_Type = RW; Squash = No_Root_Squash; SecType = sys; Transports = TCP; }}
EXPORT {{ Export_Id = 7; Path = {served}; Pseudo = /served; Filesystem_Id = 7.7;
  FSAL {{ Name = VFS; }} }}
"""

SAMBA = """[global]
server role = standalone server
map to guest = bad user
lock directory = {state}
state directory = {state}
cache directory = {state}
pid directory = {state}
private dir = {state}
ncalrpc dir = {state}
interfaces = lo
bind interfaces only = yes
disable netbios = yes
smb ports = 445
load printers = no
printcap name = /dev/null
disable spoolss = yes
[served]
path = {served}
read only = no
guest ok = yes
force user = root
"""


def require(share):
    """Skips the ordeal where the programs for such a share are missing."""
    path = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
    missing = [name for name in PROGRAMS[SHARES[share][0]] if shutil.which(name, path=path) is None]
    if missing:
        raise Skip(f"{', '.join(missing)} is missing; install {PACKAGES}")


class Server:
    """The server of one folder, which can be stopped, and killed and started again."""

    def __init__(self, ordeal, share, served):
        self.ordeal, self.share, self.served = ordeal, SHARES[share], served
        self.kind = self.share[0]
        self.state = ordeal.scratch / "server"
        self.state.mkdir()
        self.log = ordeal.scratch / "server.log"
        self.process = None
        if self.kind == SMB:
            (self.state / "conf").write_text(SAMBA.format(state=self.state, served=served))
        else:
            (self.state / "conf").write_text(GANESHA.format(served=served))
            recovery = pathlib.Path("/var/lib/nfs")
            subprocess.run(["mount", "-t", "tmpfs", "nfs", recovery], check=True)
            for name in ("ganesha", "sm", "sm.bak"):
                (recovery / name).mkdir()
            pathlib.Path("/run/ganesha").mkdir(exist_ok=True)
            ordeal.start(["rpcbind", "-f", "-w"])
            wait_until(lambda: listens(111), PATIENCE)
            ordeal.start(["rpc.statd", "--foreground", "--no-notify"])
        self.start()

    def words(self):
        conf = self.state / "conf"
        if self.kind == SMB:
            return ["smbd", "-F", "--no-process-group", "-s", conf, "--debug-stdout"]
        return ["ganesha.nfsd", "-F", "-f", conf, "-L", self.log, "-p", self.state / "pid"]

    def start(self):
        with open(self.log, "ab") as log:
            self.process = self.ordeal.start(self.words(), stdin=subprocess.DEVNULL, stdout=log,
                                             stderr=log, start_new_session=True)
        if not wait_until(lambda: listens(PORTS[self.kind]), PATIENCE):
            raise SystemExit(f"the server does not start:\n{self.tail()}")

    def tail(self, lines=20):
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-lines:])

    def signal(self, number):
        os.killpg(self.process.pid, number)

    def hang(self):
        self.signal(signal.SIGSTOP)

    def answer(self):
        self.signal(signal.SIGCONT)

    def kill(self):
        self.signal(signal.SIGKILL)
        end(self.process)


class Client:
    """A mount of the share, which shares no cache with others."""

    def __init__(self, server, path):
        _, kind, options, source = server.share
        path.mkdir(parents=True)
        self.path = path
        words = ["mount", "-t", kind, "-o", options, source, path]
        for _ in range(10):  # a server may listen before it serves
            result = subprocess.run(words, capture_output=True, text=True, check=False)
            if result.returncode == 0:
                return
            time.sleep(1)
        raise SystemExit(f"{path} is not mounted: {result.stderr}\n{server.tail()}")

    def close(self):
        subprocess.run(["umount", "--force", "--lazy", self.path], check=False, timeout=PATIENCE)


def listens(port):
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
        return True
    except OSError:
        return False


def find_modules():
    """The kernel of the guest asks for modules where a guest keeps none; see guest.py."""
    helper = pathlib.Path("/run/modprobe")
    helper.write_text('#!/bin/sh\nexec /sbin/modprobe -d /run/kernel "$@"\n')
    helper.chmod(0o700)
    pathlib.Path("/proc/sys/kernel/modprobe").write_text(str(helper))
