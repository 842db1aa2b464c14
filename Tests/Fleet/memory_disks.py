"""Disks in memory, which a test can fill."""
import os
import pwd
import subprocess


class MemoryDisk:
    """A tmpfs at a folder. `refusal` is the reason why there is none; empty with one."""

    SIZE = "4g"

    def __init__(self, folder, user):
        self.folder = folder
        self.refusal = self.mount(user)

    def mount(self, user):
        if os.geteuid() != 0:
            return "only root can mount one"
        self.folder.mkdir()
        entry = pwd.getpwnam(user)
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={self.SIZE},mode=700,uid={entry.pw_uid},gid={entry.pw_gid}", "tmpfs", self.folder],
                              capture_output=True, text=True)
        return done.stderr.strip()

    def fill(self):
        """Makes the disk as small as its content."""
        for _ in range(20):
            space = os.statvfs(self.folder)
            used = (space.f_blocks - space.f_bfree) * space.f_frsize
            # The content may have grown in between.
            if subprocess.run(["mount", "-o", f"remount,size={used}", self.folder], capture_output=True).returncode == 0:
                return
        raise OSError("the disk cannot be filled")

    def grow(self):
        subprocess.run(["mount", "-o", f"remount,size={self.SIZE}", self.folder], check=True)

    def unmount(self):
        if not self.refusal:
            subprocess.run(["umount", "--lazy", self.folder], check=False)
