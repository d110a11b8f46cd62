import type { VendorCall, VendorRegistry } from './vendors.ts';

const HOUR_MS = 3_600_000;
/** Number of recorded calls per vendor; a busier hour is judged by its newest calls. */
const MAX_CALLS = 5_000;

/** A vendor's results in the last hour, in this process. Times in ms. */
export interface VendorFigures {
  calls: number;
  failures: number;
  rejected: number;
  medianMs: number;
  p95Ms: number;
  lastSuccess: Date | null;
  lastFailure: Date | null;
  lastError: string;
}

interface Kept {
  calls: VendorCall[];
  lastSuccess: Date | null;
  lastFailure: Date | null;
  lastError: string;
}

const at = (sorted: readonly number[], part: number): number =>
  Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0);

/** Counts the calls of a registry's vendors from now on; returns a function that reads the results of one. */
export function countVendors(registry: VendorRegistry): (key: string, now?: Date) => VendorFigures {
  const figures = new Map<string, Kept>();
  registry.listen({
    called(call) {
      const one = figures.get(call.vendor) ?? { calls: [], lastSuccess: null, lastFailure: null, lastError: '' };
      figures.set(call.vendor, one);
      one.calls.push(call);
      if (one.calls.length > MAX_CALLS) one.calls.splice(0, MAX_CALLS / 2);
      if (call.outcome === 'ok') one.lastSuccess = call.at;
      else {
        one.lastFailure = call.at;
        one.lastError = call.error === '' ? call.outcome : call.error;
      }
    },
  });
  return (key, now = new Date()) => {
    const one = figures.get(key);
    const recent = (one?.calls ?? []).filter((call) => now.getTime() - call.at.getTime() < HOUR_MS);
    const times = recent
      .filter(({ outcome }) => outcome !== 'skipped')
      .map(({ ms }) => ms)
      .sort((a, b) => a - b);
    return {
      calls: recent.length,
      failures: recent.filter(({ outcome }) => outcome !== 'ok' && outcome !== 'rejected').length,
      rejected: recent.filter(({ outcome }) => outcome === 'rejected').length,
      medianMs: at(times, 0.5),
      p95Ms: at(times, 0.95),
      lastSuccess: one?.lastSuccess ?? null,
      lastFailure: one?.lastFailure ?? null,
      lastError: one?.lastError ?? '',
    };
  };
}
