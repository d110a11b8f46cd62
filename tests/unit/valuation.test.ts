import { describe, expect, it } from 'vitest';
import type { Field } from '#contract/common.ts';
import { GAMES } from '#db/catalogue/index.ts';
import { generateGoods } from '#db/seed/generate/goods.ts';
import { mixSeed, random } from '#db/seed/generate/random.ts';
import { floorOf } from '#server/slices/valuation/floor.ts';
import { addScores, backTest, NO_SCORE, type Score } from '#server/slices/valuation/model/backtest.ts';
import type { Sale } from '#server/slices/valuation/model/features.ts';
import { fitModel, MIN_SALES, priceAt, valueOf } from '#server/slices/valuation/model/model.ts';
import { bandOf } from '#server/slices/valuation/value.ts';

const SEED = 20_261_121;
const DAYS = 180;
const ACCOUNTS = new Set<number>([1, 50]);

/** Sales of the demo market's generator over six months, by game: what the nightly job would read. */
function seededSales(sales: number): Map<number, Sale[]> {
  const byGame = new Map<number, Sale[]>();
  for (let index = 0; index < sales; index++) {
    const goods = generateGoods({ seed: SEED, index: 1_000_000_000 + index });
    if (!ACCOUNTS.has(goods.goodsTypeId)) continue;
    const next = random(mixSeed(SEED, index, 31));
    const sale = {
      orderId: index,
      attrs: goods.attrs,
      areaId: goods.areaId,
      priceFen: goods.priceFen,
      daysAgo: DAYS * next(),
      hours: null,
    };
    byGame.set(goods.gameId, [...(byGame.get(goods.gameId) ?? []), sale]);
  }
  return byGame;
}

const fieldsOf = (gameId: number): readonly Field[] =>
  (GAMES.find((g) => g.id === gameId)?.fields ?? []).filter(
    ({ kind }) => kind !== 'text',
  ) as unknown as readonly Field[];

describe('the model of prices', () => {
  const sales = seededSales(9000);

  it('contains 80 % of each next month in its band and beats plain quartiles by 15 %, rolling over three months', () => {
    for (const month of [3, 2, 1]) {
      const time = { fromDaysAgo: month * 30, toDaysAgo: (month - 1) * 30 };
      const score = [...sales].reduce<Score>(
        (sum, [gameId, all]) => addScores(sum, backTest(fieldsOf(gameId), all, time)),
        NO_SCORE,
      );
      const hitRate = score.hits / score.sales;
      expect(score.sales).toBeGreaterThan(700);
      expect(hitRate).toBeGreaterThanOrEqual(0.76);
      expect(hitRate).toBeLessThanOrEqual(0.84);
      expect(score.loss).toBeLessThanOrEqual(0.85 * score.plainLoss);
    }
  });

  it('returns nothing below 30 sales', () => {
    const [gameId, all] = [...sales][0] ?? [0, []];
    expect(fitModel(fieldsOf(gameId), all.slice(0, MIN_SALES - 1))).toBeUndefined();
    expect(fitModel(fieldsOf(gameId), all.slice(0, MIN_SALES))).toBeDefined();
    expect(backTest(fieldsOf(gameId), all.slice(0, MIN_SALES - 1), { fromDaysAgo: 0, toDaysAgo: -1 }).sales).toBe(0);
  });

  it('makes arranged sales at ten times the price cost more in fees than they raise the price of an account', () => {
    const gameId = GAMES.find((g) => g.code === 'wzry')?.id ?? 0;
    const all = (sales.get(gameId) ?? []).slice(0, 300);
    const plain = fitModel(fieldsOf(gameId), all);
    if (!plain) throw new Error('no model');
    for (const target of [7, 20, 50, 90, 130].flatMap((i) => all[i] ?? [])) {
      const arranged = Array.from({ length: 4 }, () => ({ ...target, priceFen: target.priceFen * 10, daysAgo: 1 }));
      const pumped = fitModel(fieldsOf(gameId), [...all, ...arranged]);
      if (!pumped) throw new Error('no model');
      const before = priceAt(plain, valueOf(plain, target), 0.5);
      const after = priceAt(pumped, valueOf(pumped, target), 0.5);
      // Commission 5 % and service fee 1 % of each arranged sale.
      const feesFen = arranged.reduce((sum, sale) => sum + 0.06 * sale.priceFen, 0);
      expect(after / before).toBeLessThan(1.8);
      expect(after - before).toBeLessThan(feesFen);
    }
  });

  it('values a richer account higher, and keeps low, typical and high in order', () => {
    const gameId = GAMES.find((g) => g.code === 'wzry')?.id ?? 0;
    const body = fitModel(fieldsOf(gameId), sales.get(gameId) ?? []);
    if (!body) throw new Error('no model');
    const of = (skins: number) => bandOf(body, { attrs: { skin_count: skins }, areaId: null });
    expect(of(500).typicalFen).toBeGreaterThan(of(50).typicalFen);
    for (const band of [of(50), of(500)]) {
      expect(band.lowFen).toBeLessThan(band.typicalFen);
      expect(band.typicalFen).toBeLessThan(band.highFen);
    }
  });
});

describe('the floor', () => {
  const band = { value: 0, lowFen: 100_000, typicalFen: 140_000, highFen: 180_000 };
  const setting = { handlingBp: 800, recoveryBp: 500, capitalBpPerDay: 20, errorBp: 2500, floorMaxFen: 500_000 };
  const facts = { trend: -0.02, days: 6, recoveryBp: null };

  it('is the typical price minus named amounts that add up', () => {
    const floor = floorOf(band, facts, setting);
    expect(floor?.floorFen).toBe(140_000 + (floor?.lines ?? []).reduce((sum, l) => sum + l.fen, 0));
    expect(floor?.lines.every(({ fen }) => fen <= 0)).toBe(true);
    // 140000 less 2 %, a quarter of 40000, 5 %, 8 % and 6 days at 0.2 %.
    expect(floor?.floorFen).toBe(Math.floor((140_000 - 2800 - 10_000 - 7000 - 11_200 - 1680) / 100) * 100);
  });

  it('never rises with the market, and promises nothing above its limit', () => {
    expect(floorOf(band, { ...facts, trend: 0.5 }, setting)?.floorFen).toBe(
      floorOf(band, { ...facts, trend: 0 }, setting)?.floorFen,
    );
    expect(floorOf(band, facts, { ...setting, floorMaxFen: 50_000 })).toBeNull();
  });
});
