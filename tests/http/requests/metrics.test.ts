/** Every metric that an alert or a board names is one that /metrics shows, and every alert has its section. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from 'kysely';
import { asSuperuser, databaseOf } from '#tests/support/database/database.ts';
import { type TestApp, testApp } from '#tests/support/servers/build.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp({ env: { METRICS_TOKEN: 'a-token' } });
});
afterAll(async () => await t.close());

async function metrics(): Promise<string> {
  const response = await t.app.http.inject({
    url: '/metrics',
    headers: { host: 'localhost', authorization: 'Bearer a-token' },
  });
  expect(response.statusCode).toBe(200);
  return response.body;
}

const alerts = readFileSync('deploy/alerts.yml', 'utf8');
const board = JSON.parse(readFileSync('deploy/grafana.json', 'utf8')) as { panels: { targets: { expr: string }[] }[] };
/** Prometheus' own. */
const GIVEN = new Set(['up']);
const expressions = [
  ...[...alerts.matchAll(/^ +expr: (['"])(.*)\1$/gm)].map(([, , text = '']) => text),
  ...board.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
];
const WORDS =
  /^(sum|by|le|rate|increase|min|max|max_over_time|histogram_quantile|absent|and|or|on|hour|status|instance|lane|vendor|what|code|outcome)$/;
/** Read from the database, so that every node shows the same: what they show together is no sum. */
const SHARED = new Set(
  `outbox_age_seconds outbox_rows search_lag_seconds search_live jobs_overdue_lane_seconds jobs_overdue_seconds dead_letters books_whole books_age_seconds quarantine
  backup_age_seconds backup_log_lag_bytes backup_log_followed orders_minute money_minute_fen pending_transfer_age_seconds audit_seals audit_chain_whole
  audit_head_age_seconds audit_head_seq`.split(/\s+/),
);

function namesIn(expression: string): string[] {
  const bare = expression.replace(/\{[^}]*\}/g, '').replace(/\[[^\]]*\]/g, '');
  return (bare.match(/[a-z_][a-z0-9_]*/g) ?? []).filter((word) => !WORDS.test(word) && !/^e\d*$/.test(word));
}

test('each metric in use is exported', async () => {
  const exported = new Set(
    [...(await metrics()).matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = '', type]) =>
      type === 'histogram' ? [name, `${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
    ),
  );
  const used = new Set(expressions.flatMap(namesIn));
  expect(used.size).toBeGreaterThan(15);
  expect([...used].filter((name) => !exported.has(name) && !GIVEN.has(name))).toEqual([]);
});

test('each expression of an alert is checked', () => {
  expect(expressions.filter((text) => text !== '').length).toBe(
    (alerts.match(/- alert:/g) ?? []).length + board.panels.flatMap(({ targets }) => targets).length,
  );
});

test('metrics of the database are never summed over nodes, nor alerted per node', () => {
  const wrong = expressions.filter((text) =>
    [...text.matchAll(/([a-z_]+)(?: by \([^)]*\))? ?\(([a-z_]+)/g)].some(([, how = '', name = '']) => {
      const inner = SHARED.has(name);
      return inner && !/^(min|max|absent|max_over_time)$/.test(how);
    }),
  );
  expect(wrong).toEqual([]);
  const bare = expressions.filter((text) => {
    const without = text.replace(/(min|max|absent)(?: by \([^)]*\))? ?\((?:[^()]|\([^()]*\))*\)/g, '');
    return namesIn(without).some((name) => SHARED.has(name));
  });
  expect(bare).toEqual([]);
});

test('counts and times of a process are summed before they are divided or compared', () => {
  const counters = expressions.filter((text) => /_(total|count|bucket)\b/.test(text));
  expect(counters.length).toBeGreaterThan(4);
  expect(counters.filter((text) => !/sum by \([^)]*\) \((rate|increase)\(|sum\(rate\(/.test(text))).toEqual([]);
});

test('each metric of the market is classified as of the database or of a process', async () => {
  const own = [...(await metrics()).matchAll(/^# TYPE (\w+) /gm)]
    .map(([, name = '']) => name)
    .filter((name) => !/^(nodejs|process)_/.test(name) && !SHARED.has(name));
  expect(own.toSorted()).toEqual([
    'database_up',
    'http_admission',
    'http_seconds',
    'pool_connections',
    'sockets_open',
    'standby_lag_seconds',
    'vendor_calls_total',
    'vendor_circuit',
    'vendor_seconds',
  ]);
});

test('each alert has its section in the documentation', () => {
  const names = [...alerts.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);
  const [, ofAlerts = ''] = readFileSync('docs/OPERATIONS.md', 'utf8').split(/^## Alerts$/m);
  const sections = [...(ofAlerts.split(/^## /m)[0] ?? '').matchAll(/^### (\w+)\n\n(.+)/gm)];
  expect(names.length).toBeGreaterThan(15);
  expect(new Set(sections.map(([, name]) => name))).toEqual(new Set(names));
  expect(sections.length).toBe(names.length);
  // A runbook says what to do, not only what it is.
  expect(sections.filter(([, , text = '']) => text.length < 60).map(([, name]) => name)).toEqual([]);
  const links = [...alerts.matchAll(/runbook: "docs\/OPERATIONS\.md#(\w+)"/g)].map(([, link]) => link);
  expect(links).toEqual(names.map((name) => name.toLowerCase()));
});

test('an unknown value is not exported, in particular not as 0', async () => {
  const text = await metrics();
  for (const name of [
    'books_whole',
    'books_age_seconds',
    'backup_age_seconds',
    'backup_log_lag_bytes',
    'audit_chain_whole',
  ])
    expect(text).not.toMatch(new RegExp(`^${name} `, 'm'));
  expect(text).toMatch(/^backup_log_followed 0$/m);
});

test('the metrics equal the state of the database', async () => {
  await sql`insert into outbox (topic, payload, created_at) values ('goods.reindex', '{"goodsId": 1}', now() - interval '100 s')`.execute(
    t.ctx.db,
  );
  await sql`insert into timer (kind, ref, due_at) values ('order.expire', '1', now() - interval '200 s')`.execute(
    t.ctx.db,
  );
  await asSuperuser(databaseOf(t.ctx), `insert into quarantine (restored_to, source) values (now(), 'x')`);
  await sql`insert into backup_run (name, started_at, ended_at, bytes, pictures) values ('x', now(), now() - interval '300 s', 1, 0)`.execute(
    t.ctx.db,
  );
  const text = await metrics();
  const value = (name: string): number =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.split(' ')
        .at(-1),
    );
  expect(value('database_up')).toBe(1);
  expect(value('outbox_age_seconds')).toBeGreaterThanOrEqual(100);
  expect(value('jobs_overdue_lane_seconds{lane="market"}')).toBeGreaterThanOrEqual(200);
  expect(value('quarantine')).toBe(1);
  expect(value('backup_age_seconds')).toBeGreaterThanOrEqual(300);
  expect(value('pool_connections{what="all"}')).toBeGreaterThan(0);
});
