import client from 'prom-client';
import type { CircuitState, VendorRegistry } from '#server/kernel/vendors.ts';

const CIRCUIT_VALUES: Readonly<Record<CircuitState, number>> = { closed: 0, probing: 1, open: 2 };

/** Exports calls, durations and circuit states of this process's vendors in `/metrics`. */
export function registerVendorMetrics(registry: client.Registry, vendors: VendorRegistry): void {
  const calls = new client.Counter({
    name: 'vendor_calls_total',
    help: 'calls by vendor and outcome: ok, rejected, unreached, unknown, skipped',
    labelNames: ['vendor', 'call', 'outcome'],
    registers: [registry],
  });
  const seconds = new client.Histogram({
    name: 'vendor_seconds',
    help: 'time per call of a vendor that was tried',
    labelNames: ['vendor'],
    buckets: [0.05, 0.1, 0.3, 1, 3, 8],
    registers: [registry],
  });
  const circuits = new client.Gauge({
    name: 'vendor_circuit',
    help: '0 closed, 1 probing, 2 open',
    labelNames: ['vendor'],
    registers: [registry],
  });
  for (const { key } of vendors.list()) circuits.set({ vendor: key }, 0);
  vendors.listen({
    called({ vendor, call, outcome, ms }) {
      calls.inc({ vendor, call, outcome });
      if (outcome !== 'skipped') seconds.observe({ vendor }, ms / 1000);
    },
    circuit: (vendor, state) => circuits.set({ vendor }, CIRCUIT_VALUES[state]),
  });
}
