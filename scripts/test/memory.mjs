/** How much memory the processes of a stage use together. Runs on Node 20. */
import { readFileSync } from 'node:fs';
import { processesOf } from '../lib/processes.mjs';

const EVERY_MS = 10_000;

/** Memory of a process in bytes, shared pages in equal parts. */
function sizeOf(pid) {
  try {
    const [, kilobytes = '0'] = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? [];
    return Number(kilobytes) * 1024;
  } catch {
    return 0;
  }
}

/** Watches the processes that belong to a folder; `stop` returns the largest sum in bytes, 0 where the system does not report it. */
export function watchMemory(folder) {
  let peak = 0;
  const look = () => {
    peak = Math.max(
      peak,
      processesOf(folder).reduce((sum, pid) => sum + sizeOf(pid), 0),
    );
  };
  const timer = setInterval(look, EVERY_MS);
  timer.unref();
  return {
    stop() {
      clearInterval(timer);
      return peak;
    },
  };
}
