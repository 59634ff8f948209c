"""What a process uses, for launch tests."""

import os
import threading
import time


class Usage(threading.Thread):
    """Of a process, once a second: CPU seconds and resident memory in MB."""

    def __init__(self, pid):
        super().__init__(daemon=True)
        self.pid, self.samples = pid, []

    def run(self):
        page, tick = os.sysconf("SC_PAGE_SIZE"), os.sysconf("SC_CLK_TCK")
        while True:
            try:
                with open(f"/proc/{self.pid}/stat") as file:
                    fields = file.read().rsplit(")", 1)[1].split()
            except OSError:
                return
            self.samples.append((time.monotonic(), (int(fields[11]) + int(fields[12])) / tick, int(fields[21]) * page / 1e6))
            time.sleep(1.0)

    def growth_mb(self):
        """From the third second on."""
        return self.samples[-1][2] - self.samples[2][2]

    def figures(self):
        (t0, cpu0, _), (t1, cpu1, _) = self.samples[1], self.samples[-1]
        return {"cpu_percent": round(100 * (cpu1 - cpu0) / (t1 - t0), 1),
                "memory_mb": [round(m, 1) for _, _, m in self.samples[2::max(1, len(self.samples) // 6)]]}
