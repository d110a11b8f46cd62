import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import client from 'prom-client';
import type { Context } from '#server/context.ts';
import { registerAuditMetrics } from './metrics/audit-metrics.ts';
import type { Gate } from './gate.ts';
import { registerJobMetrics } from './metrics/job-metrics.ts';
import { registerMarketMetrics } from './metrics/market-metrics.ts';
import { registerVendorMetrics } from './metrics/vendor-metrics.ts';
import { sameText } from '#server/kernel/secrets/crypto.ts';

/** Health, readiness and metrics (conventions.md, paths). `/metrics` requires its token and does not exist when none is set. */
export function registerOps(http: FastifyInstance, ctx: Context, gate: Pick<Gate, 'figures'>): void {
  const registry = new client.Registry();
  client.collectDefaultMetrics({ register: registry });
  const latency = new client.Histogram({
    name: 'http_seconds',
    help: 'time per request',
    labelNames: ['route', 'status'],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.3, 1, 3],
    registers: [registry],
  });
  const gateGauge = new client.Gauge({
    name: 'http_admission',
    help: 'requests running, waiting, refused since the start, running at most; bodies in transfer',
    labelNames: ['what'],
    registers: [registry],
    collect() {
      for (const [what, value] of Object.entries(gate.figures)) this.set({ what }, value);
    },
  });
  gateGauge.set({ what: 'refused' }, 0);
  const refreshAudit = registerAuditMetrics(registry, ctx);
  const readJobs = registerJobMetrics(registry, ctx);
  const readMarket = registerMarketMetrics(registry, ctx, http.server);
  registerVendorMetrics(registry, ctx.vendors);
  http.addHook('onResponse', async (request, reply) => {
    latency.observe(
      { route: request.routeOptions.url ?? 'none', status: String(reply.statusCode) },
      reply.elapsedTime / 1000,
    );
  });
  http.get('/healthz', async () => ({ ok: true, version: ctx.version }));
  http.get('/readyz', async (_request, reply) => {
    const ready = await sql`select 1`.execute(ctx.db).then(
      () => true,
      () => false,
    );
    return await reply
      .code(ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ ok: ready });
  });
  http.get('/metrics', async (request, reply) => {
    const token = ctx.config.metricsToken;
    if (token === undefined || !sameText(request.headers.authorization ?? '', `Bearer ${token}`))
      return await reply.code(404).send({ code: 4040, data: null, msg: '内容不存在或已被移除' });
    await Promise.all([refreshAudit(), readJobs(), readMarket()]);
    return await reply.type('text/plain; charset=utf-8').send(await registry.metrics());
  });
}
