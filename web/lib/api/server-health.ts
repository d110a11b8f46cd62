const PROBE_MS = 2000;

/** Whether the market itself responds, and not a proxy: a machine without a network may run the market locally. */
export async function serverResponds(): Promise<boolean> {
  try {
    return (await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(PROBE_MS) })).ok;
  } catch {
    return false;
  }
}
