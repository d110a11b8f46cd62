import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { evaluation, evaluationForm, evaluationInfo } from '#subjects/valuation/contract/evaluation.ts';
import { dropModels } from '#subjects/valuation/server/models.ts';
import { refitModels } from '#subjects/valuation/server/nightly.ts';
import { type TestApp, testApp } from '#tests/support/servers/build.ts';
import { codes } from '#contract/codes.ts';
import { addCollection, addSales, addValuedGame } from '#tests/support/orders/sales.ts';
import { fenOf } from '#web/lib/format/format.ts';

let t: TestApp;

beforeAll(async () => {
  t = await testApp();
  await addValuedGame(t.ctx);
});
afterAll(async () => await t.close());

const value = async (details: object) => await t.client().ok(evaluation, { gameId: 1, details: details as never });

test('below 30 sales it reports that, lists them, and keeps the input', async () => {
  await addSales(t.ctx, 12);
  await refitModels(t.ctx);
  const result = await value({ skins: '100' });
  expect(result).toMatchObject({
    enough: false,
    low: null,
    typical: null,
    high: null,
    samples: 12,
    recycleFloor: null,
    chart: null,
  });
  expect(result.comparables).toHaveLength(12);
  const again = await t.client().ok(evaluationInfo, { evaluationSn: result.evaluationSn });
  expect(again.details).toEqual({ skins: 100 });
});

test('is based on sales: lines add up, the band is in order, a number finds it again', async () => {
  await addSales(t.ctx, 228);
  await refitModels(t.ctx);
  const poor = await value({ skins: 50 });
  const rich = await value({ skins: 350, clean: true });
  expect(fenOf(rich.typical ?? '0')).toBeGreaterThan(2 * fenOf(poor.typical ?? '0'));
  // 350 skins and clean: about 800 yuan and up to 40 of noise.
  expect(fenOf(rich.typical ?? '0') / 82_000).toBeGreaterThan(0.85);
  expect(fenOf(rich.typical ?? '0') / 82_000).toBeLessThan(1.15);
  expect(rich.samples).toBe(240);
  const sum = rich.lines.reduce((fen, l) => fen + fenOf(l.amount), fenOf(rich.base ?? '0'));
  expect(sum).toBe(fenOf(rich.typical ?? '0'));
  expect(rich.lines[0]).toMatchObject({ key: 'skins', label: '皮肤数量', value: '350款' });
  for (const r of [poor, rich])
    expect([r.low, r.typical, r.high].map((x) => fenOf(x ?? '0'))).toEqual(
      [r.low, r.typical, r.high].map((x) => fenOf(x ?? '0')).toSorted((a, b) => a - b),
    );
  expect(rich.offers.map((o) => o.key)).toEqual(['fast', 'typical', 'slow']);
  // Seller's commission of 5 %.
  expect(fenOf(rich.offers[1]?.net ?? '0')).toBe(Math.round(fenOf(rich.typical ?? '0') * 0.95));
  expect(fenOf(rich.recycleFloor ?? '0')).toBeLessThan(fenOf(rich.typical ?? '0'));
  expect(rich.comparables).toHaveLength(5);
  expect(rich.stale).toBe(false);
  const again = await t.client().ok(evaluationInfo, { evaluationSn: rich.evaluationSn });
  expect(again).toMatchObject({ typical: rich.typical, details: { skins: 350, clean: true } });
});

test('more than two sales between the same people do not count', async () => {
  await addSales(t.ctx, 10, { samePair: true });
  await refitModels(t.ctx);
  expect((await value({})).samples).toBe(242);
});

test('the month is tested on a model that knew only earlier sales', async () => {
  const { rows } = await sql<{ hits: number; sales: number; better: boolean }>`
    select sum(hits)::int as hits, sum(sales)::int as sales, sum(loss_fen) < sum(plain_loss_fen) as better from valuation_month where game_id = 1`.execute(
    t.ctx.db,
  );
  expect(rows[0]?.sales).toBeGreaterThan(30);
  expect((rows[0]?.hits ?? 0) / (rows[0]?.sales ?? 1)).toBeGreaterThan(0.6);
  expect(rows[0]?.better).toBe(true);
});

test('a preview is not stored; invalid input gets a field error', async () => {
  const before = await sql<{ n: number }>`select count(*)::int as n from valuation`.execute(t.ctx.db);
  const preview = await t.client().ok(evaluation, { gameId: 1, details: { skins: 10 }, preview: 1 });
  expect(preview.evaluationSn).toBe('');
  const after = await sql<{ n: number }>`select count(*)::int as n from valuation`.execute(t.ctx.db);
  expect(after.rows).toEqual(before.rows);
  const many = await t.client().call(evaluation, { gameId: 1, details: { skins: 99_999 } });
  expect(many).toMatchObject({ status: 422, field: 'details.skins', msg: '皮肤数量不能大于 900款' });
  expect((await t.client().call(evaluation, { gameId: 1, areaId: 77, details: {} })).field).toBe('areaId');
  expect((await t.client().call(evaluation, { gameId: 999, details: {} })).status).toBe(404);
  expect((await t.client().call(evaluationInfo, { evaluationSn: 'GJNONE' })).status).toBe(404);
  const form = await t.client().ok(evaluationForm, { gameId: 1 });
  expect(form.fields.map((f) => f.key)).toEqual(['skins', 'clean']);
});

test('an old model is marked as old', async () => {
  await sql`update valuation_model set made_at = now() - interval '37 hours'`.execute(t.ctx.db);
  dropModels(t.ctx);
  expect((await value({ skins: 100 })).stale).toBe(true);
});

test('a collection of other games is not valued: its listings say nothing about one game', async () => {
  await addCollection(t.ctx);
  for (const preview of [{}, { preview: 1 }]) {
    const asked = { gameId: 15, details: { skins: 100 } as never, ...preview };
    expect((await t.client().call(evaluation, asked as never)).code).toBe(codes.NOT_FOUND[0]);
  }
});
