const PROBE_MS = 2000;

/** Whether the market answers, and not a proxy in its name: a machine that has lost its network may run the market itself. */
export async function serverResponds(): Promise<boolean> {
  try {
    return (await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(PROBE_MS) })).ok;
  } catch {
    return false;
  }
}
