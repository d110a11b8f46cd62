import type client from 'prom-client';

/**
 * Shows a figure without labels, or takes it off the page when it is unknown. A gauge's own `reset`, and a new gauge, show 0, which would
 * say that there was a copy just now, or that the books are broken.
 */
export function showFigure(gauge: client.Gauge, value: number | null | undefined): void {
  if (value === null || value === undefined) gauge.remove();
  else gauge.set(value);
}
