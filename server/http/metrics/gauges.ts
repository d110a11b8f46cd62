import type client from 'prom-client';

/**
 * Exports a value without labels, or removes it while it is unknown. A new gauge and a gauge's own `reset` export 0, which would mean
 * that a backup has just been made, or that the books are inconsistent.
 */
export function showFigure(gauge: client.Gauge, value: number | null | undefined): void {
  if (value === null || value === undefined) gauge.remove();
  else gauge.set(value);
}
