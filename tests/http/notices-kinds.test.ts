/** Nothing that happens is forgotten: each event has a listener or a reason to have none, each kind of notice a text and a teller. */
import { globSync, readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { QUIET } from '#server/jobs/quiet.ts';
import { type TestApp, testApp } from '#tests/support/build.ts';

/** Places that write an event whose name the text does not hold, with the names that they write. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  'server/slices/accounts/third-party.ts': ['account.thirdPartyBound', 'account.thirdPartyUnbound'],
  'server/slices/disputes/case.ts': [
    'dispute.opened',
    'dispute.looked',
    'dispute.asked',
    'dispute.answered',
    'dispute.evidence',
    'dispute.late',
    'dispute.ruled',
    'dispute.appealed',
    'dispute.closed',
  ],
  'server/slices/goods/edit.ts': ['goods.on', 'goods.off'],
  'server/slices/goods/review.ts': ['goods.approved', 'goods.rejected'],
  'server/slices/guarantees/clock.ts': [
    'claim.opened',
    'claim.chasing',
    'claim.escalated',
    'claim.paid',
    'claim.withdrawn',
    'claim.refused',
    'claim.recovered',
  ],
  'server/slices/offers/alert-matching.ts': ['alert.search', 'alert.price_drop', 'alert.back_on_sale'],
  'server/slices/orders/service.ts': ['order.cancelAsked', 'order.cancelDeclined'],
  'server/slices/payments/payout.ts': ['withdraw.paid', 'withdraw.back'],
  'server/slices/payments/refunds.ts': ['refund.paid', 'refund.back'],
  'server/slices/verification/black-staff.ts': ['black.decided', 'black.appealDecided', 'fakeService.decided'],
  // The steps of an order: the transition table names them.
  'db/schema.sql': ['order.paid', 'order.shipped', 'order.completed', 'order.cancelled'],
};

const sources = globSync('server/**/*.ts', { exclude: (name) => String(name).endsWith('.test.ts') }).concat(
  'db/schema.sql',
);
const textOf = new Map(sources.map((file) => [file, readFileSync(file, 'utf8')]));
const WRITES = /insert into outbox \(topic, payload\)\s*(?:values \(|select )\s*(?:'([A-Za-z_.]+)')?/gi;

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(async () => await t.close());

describe('events', () => {
  const found = [...textOf].flatMap(([file, text]) => [...text.matchAll(WRITES)].map(([, topic]) => ({ file, topic })));

  test('are found where they are written', () => {
    const all = [...textOf.values()].join('').match(/insert into outbox/gi) ?? [];
    expect(found.length).toBe(all.length);
  });

  test('whose name is made of parts are named here', () => {
    const dynamic = [...new Set(found.filter((w) => w.topic === undefined).map((w) => w.file))];
    expect(dynamic.toSorted()).toEqual(Object.keys(NAMED).toSorted());
  });

  test('have a listener each, or a reason to have none', () => {
    const topics = new Set([...found.flatMap((w) => w.topic ?? []), ...Object.values(NAMED).flat()]);
    const deaf = [...topics].filter((topic) => !t.app.effects.events.has(topic) && !(topic in QUIET));
    expect(deaf).toEqual([]);
    // A reason that is no longer needed goes.
    expect(Object.keys(QUIET).filter((topic) => t.app.effects.events.has(topic) || !topics.has(topic))).toEqual([]);
  });
});

describe('kinds of notice', () => {
  test('have a text each, and somebody who tells it', async () => {
    const { rows } = await sql<{ code: string; texts: number }>`
      select k.code, (select count(*)::int from notice_template t where t.kind = k.code and t.channel = 'site') as texts from notice_kind k`.execute(
      t.ctx.db,
    );
    expect(rows.filter((k) => k.texts === 0)).toEqual([]);
    const code = sources
      .filter((f) => f.endsWith('.ts'))
      .map((f) => textOf.get(f) ?? '')
      .join('\n');
    expect(rows.map((k) => k.code).filter((kind) => !code.includes(`'${kind}'`))).toEqual([]);
  });

  test('that are told exist', async () => {
    const { rows } = await sql<{ code: string }>`select code from notice_kind`.execute(t.ctx.db);
    const known = new Set(rows.map((k) => k.code));
    const told = [...textOf]
      .filter(([file]) => file.startsWith('server/slices/'))
      .flatMap(([, text]) => [...text.matchAll(/\bkind['"]?[:,] '([a-z]+\.[a-z_]+)'/g)].map(([, kind]) => kind ?? ''));
    expect(told.length).toBeGreaterThan(10);
    expect([...new Set(told)].filter((kind) => !known.has(kind))).toEqual([]);
  });
});
