import { Worker } from 'node:worker_threads';
import type { Measured } from './growth-worker.ts';
import type { Pump } from './pumps.ts';

/** Far more than any pattern takes on a busy machine. */
const LIMIT_MS = 120_000;

/** Finds the inputs that make a pattern slower than linear, by pattern; 'endless' when it took minutes. */
export async function slowPatterns(patterns: readonly Measured[]): Promise<Map<Measured, Pump | 'endless'>> {
  const slow = new Map<Measured, Pump | 'endless'>();
  let next = 0;
  while (next < patterns.length) {
    const from = next;
    next = await new Promise<number>((resolve, reject) => {
      const worker = new Worker(new URL('growth-worker.ts', import.meta.url), {
        workerData: patterns.slice(from),
        execArgv: [],
      });
      let at = from;
      const end = (to: number): void => {
        clearTimeout(timer);
        void worker.terminate().then(() => resolve(to));
      };
      const isEndless = (): void => {
        const pattern = patterns[at];
        if (pattern) slow.set(pattern, 'endless');
        end(at + 1);
      };
      let timer = setTimeout(isEndless, LIMIT_MS);
      worker.on('message', (found: { pump: Pump } | null) => {
        const pattern = patterns[at];
        if (found && pattern) slow.set(pattern, found.pump);
        at += 1;
        clearTimeout(timer);
        if (at === patterns.length) end(at);
        else timer = setTimeout(isEndless, LIMIT_MS);
      });
      worker.once('error', reject);
    });
  }
  return slow;
}
