import type client from 'prom-client';

/**
 * Exports a figure without labels, or removes it while it is unknown. A new gauge and a gauge's own `reset` export 0, which would mean that
 * there was a backup just now, or that the books are broken.
 */
export function showFigure(gauge: client.Gauge, value: number | null | undefined): void {
  if (value === null || value === undefined) gauge.remove();
  else gauge.set(value);
}
