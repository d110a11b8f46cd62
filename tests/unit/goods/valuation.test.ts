import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Field } from '#subjects/games/contract/games.ts';
import { GAMES } from '#db/catalogue/index.ts';
import { generateGoods } from '#db/seed/generate/goods.ts';
import { mixSeed, random } from '#db/seed/generate/random.ts';
import { floorOf } from '#subjects/valuation/server/floor.ts';
import { addScores, backTest, NO_SCORE, type Score } from '#subjects/valuation/server/model/backtest.ts';
import type { Account, Sale } from '#subjects/valuation/server/model/features.ts';
import {
  cautiousValue,
  fitModel,
  LEVELS,
  MIN_SALES,
  type ModelBody,
  type PastModel,
  type PriceModel,
  priceAt,
  valueOf,
} from '#subjects/valuation/server/model/model.ts';
import { inDirectionOf, pastOf } from '#subjects/valuation/server/nightly.ts';
import { bandAt, bandOf, usualDays } from '#subjects/valuation/server/value.ts';

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

  it('has no price that falls with the value, also where a part of the range has lower residuals than the one below', () => {
    const flat = (residual: number) => LEVELS.map(() => residual);
    const body = {
      spreads: [
        { below: 10, at: flat(0.3) },
        { below: 11, at: flat(-0.2) },
        { below: null, at: flat(0.1) },
      ],
    } as unknown as ModelBody;
    const prices = Array.from({ length: 60 }, (_, i) => priceAt(body, 9 + i / 20, 0.5));
    expect(prices).toEqual(prices.toSorted((a, b) => a - b));
    expect(priceAt(body, 9, 0.5)).toBeCloseTo(Math.exp(9.3), 3);
    expect(priceAt(body, 10.2, 0.5)).toBeCloseTo(Math.exp(10.3), 3);
    expect(priceAt(body, 11.5, 0.5)).toBeCloseTo(Math.exp(11.6), 3);
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

  it('never rises with the market, and promises its limit at most', () => {
    expect(floorOf(band, { ...facts, trend: 0.5 }, setting)?.floorFen).toBe(
      floorOf(band, { ...facts, trend: 0 }, setting)?.floorFen,
    );
    const most = floorOf(band, facts, { ...setting, floorMaxFen: 50_000 });
    expect(most?.floorFen).toBe(50_000);
    expect(most?.floorFen).toBe(140_000 + (most?.lines ?? []).reduce((sum, l) => sum + l.fen, 0));
  });

  it('counts at most fifteen percent above the model of a month ago, with the lines adding up', () => {
    const past = { ...band, lowFen: 80_000, typicalFen: 100_000 };
    const before = floorOf(past, facts, setting);
    const floor = floorOf(band, { ...facts, past }, setting);
    expect(floor?.floorFen).toBeLessThanOrEqual(Math.round((before?.floorFen ?? 0) * 1.15));
    expect(floor?.floorFen).toBe(140_000 + (floor?.lines ?? []).reduce((sum, l) => sum + l.fen, 0));
    expect(floor?.lines[0]).toEqual({ label: '涨得过快的部分', reason: '一个月里最多按涨 15% 计', fen: -25_000 });
    // Nothing is added when prices fell, or rose by less.
    for (const typicalFen of [200_000, 130_000])
      expect(floorOf(band, { ...facts, past: { ...band, typicalFen } }, setting)).toEqual(
        floorOf(band, facts, setting),
      );
  });

  it('is compared with a model that is one to two months old, in a young market with its first', () => {
    const day = (n: number): Date => new Date(Date.UTC(2026, 0, 1 + n));
    const dayOf = (madeAt: string | undefined): number => (Date.parse(madeAt ?? '') - day(0).getTime()) / 86_400_000;
    let body = {
      columns: [],
      linear: { intercept: 0, means: [], weights: [] },
      spreads: [],
      kept: [],
      days: [],
      trend: 0,
    } as ModelBody;
    for (let night = 1; night <= 200; night++) {
      body = { ...body, past: pastOf({ body, madeAt: day(night - 1) }, day(night)) };
      expect(body.past?.length).toBeLessThanOrEqual(3);
      const age = night - dayOf(body.past?.[0]?.madeAt);
      expect(age).toBeLessThanOrEqual(60);
      expect(age).toBeGreaterThanOrEqual(Math.min(night, 30));
    }
  });

  it('takes no direction from the earlier model that the newer one does not have', () => {
    const score = (field: string) => ({ field, kind: 'score' }) as PriceModel['columns'][number];
    const model = (weights: number[]): PastModel => ({
      columns: [score('skins'), score('heroes'), score('gone')],
      linear: { intercept: 1, means: [0, 0, 0], weights },
      spreads: [],
      madeAt: '',
    });
    const newer = { ...model([0.5, 0.5, 0]), columns: [score('heroes'), score('skins')] };
    expect(inDirectionOf(newer, model([-0.2, 0.3, -0.1])).linear.weights).toEqual([0, 0.3, -0.1]);
  });

  describe('of an account', () => {
    const sales = seededSales(9000);
    const models = ['wzry', 'hpjy', 'sjz', 'dnf', 'lol']
      .flatMap((code) => GAMES.find((g) => g.code === code)?.id ?? [])
      .flatMap((gameId) => {
        const all = sales.get(gameId) ?? [];
        const body = fitModel(fieldsOf(gameId), all);
        const required = new Set(fieldsOf(gameId).flatMap((f) => (f.required ? [f.key] : [])));
        // A model of cheaper sales, which limits the floors of many accounts.
        const cheaper = all
          .filter(({ daysAgo }) => daysAgo > 60)
          .map((sale) => ({ ...sale, priceFen: Math.round(sale.priceFen * 0.85) }));
        return body ? [{ gameId, all, body, past: fitModel(fieldsOf(gameId), cheaper), required }] : [];
      });
    const settings = { handlingBp: 800, recoveryBp: 180, capitalBpPerDay: 20, errorBp: 2500, floorMaxFen: 200_000 };
    const floorFen = ({ body, past: earlier, required }: (typeof models)[number], account: Account): number => {
      const band = bandOf(body, account);
      const cautious = bandAt(body, cautiousValue(body, account, required));
      const past = earlier && bandAt(earlier, cautiousValue(earlier, account, required));
      const facts2 = { trend: body.trend, days: usualDays(body), recoveryBp: 180, typicalFen: band.typicalFen, past };
      return floorOf(cautious, facts2, settings)?.floorFen ?? 0;
    };
    const pickOf = (model: (typeof models)[number]) =>
      fc.record({
        sale: fc.constantFrom(...model.all),
        kept: fc.array(fc.boolean(), { minLength: 60, maxLength: 60 }),
        field: fc.nat(59),
        more: fc.double({ min: 0, max: 4, noNaN: true }),
      });

    it('never falls when an answer is added', () => {
      expect(models.length).toBeGreaterThanOrEqual(4);
      let raised = 0;
      for (const model of models)
        fc.assert(
          fc.property(pickOf(model), ({ sale, kept, field }) => {
            const known = Object.entries(sale.attrs).filter((_, i) => kept[i] === true);
            const missing = Object.entries(sale.attrs).filter((_, i) => kept[i] !== true);
            const added = missing[field % Math.max(1, missing.length)];
            if (!added) return;
            const before = floorFen(model, { attrs: Object.fromEntries(known), areaId: null });
            const after = floorFen(model, { attrs: Object.fromEntries([...known, added]), areaId: null });
            const withArea = floorFen(model, { attrs: Object.fromEntries(known), areaId: sale.areaId });
            if (after > before) raised++;
            expect(after).toBeGreaterThanOrEqual(before);
            expect(withArea).toBeGreaterThanOrEqual(before);
          }),
          { numRuns: 300 },
        );
      // The accounts are not all below the least floor or above the highest.
      expect(raised).toBeGreaterThan(100);
    });

    it('never falls when a number grows or a piece is added, for what the sales show to be worth more', () => {
      let raised = 0;
      for (const model of models) {
        const worthMore = new Set(
          model.body.columns.flatMap((c, j) =>
            c.kind === 'score' && (model.body.linear.weights[j] ?? 0) > 0 ? [c.field] : [],
          ),
        );
        const fields = fieldsOf(model.gameId).filter(
          (f) => worthMore.has(f.key) && ['range', 'multi', 'item_count'].includes(f.kind),
        );
        expect(fields.length).toBeGreaterThan(0);
        fc.assert(
          fc.property(pickOf(model), ({ sale, field, more }) => {
            const { key, kind, options } = fields[field % fields.length] ?? { key: '', kind: '', options: [] };
            const value = sale.attrs[key];
            const piece = options?.[Math.floor(more * 97) % Math.max(1, options.length)]?.v;
            const better =
              kind === 'range'
                ? Math.ceil(Number(value ?? 0) * (1 + more))
                : kind === 'multi'
                  ? [...new Set([...((value as unknown[] | undefined) ?? []), piece])]
                  : { ...(value as Record<string, number> | undefined), [String(piece)]: 9 };
            const before = floorFen(model, sale);
            const after = floorFen(model, { ...sale, attrs: { ...sale.attrs, [key]: better } });
            if (after > before) raised++;
            expect(after).toBeGreaterThanOrEqual(before);
          }),
          { numRuns: 300 },
        );
      }
      expect(raised).toBeGreaterThan(100);
    });
  });
});
