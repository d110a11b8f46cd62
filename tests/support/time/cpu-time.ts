/** Processor time of pure code: unlike the time on a clock it does not grow with the load of the machine. */

/** Runs work without waits; returns its processor time in ms. */
export function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
