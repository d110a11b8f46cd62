import { OrderType } from '#subjects/orders/rules/order-types.ts';
import { describe, expect, test } from 'vitest';
import { GAMES } from '#db/catalogue/index.ts';
import type { FieldSeed, GameSeed } from '#db/catalogue/types.ts';
import type { AttrValue } from './attrs.ts';
import { type GoodsSeed, generateGoods } from './goods.ts';
import { generatePeople } from './people.ts';
import { mixSeed } from './random.ts';
import { generateReview } from './reviews.ts';
import { compile } from './sentences.ts';
import { GAME_TERMS } from './texts-games.ts';

const COUNT = 20_000;
const goods = Array.from({ length: COUNT }, (_, index) => generateGoods({ seed: 1, index }));
const games = new Map(GAMES.map((g) => [g.id, g]));

function gameOf(g: GoodsSeed): GameSeed {
  const game = games.get(g.gameId);
  if (game === undefined) throw new Error(`no game ${g.gameId}`);
  return game;
}

/** Why a value does not belong to its field; undefined when it does. */
function fault(field: FieldSeed, value: AttrValue): string | undefined {
  const known = (v: string | number) => field.options?.some((o) => String(o.v) === String(v)) === true;
  const within = (n: number) =>
    Number.isInteger(n) && n >= (field.min ?? 0) && n <= (field.max ?? Number.MAX_SAFE_INTEGER);
  switch (field.kind) {
    case 'single':
      return (typeof value === 'string' || typeof value === 'number') && known(value) ? undefined : 'unknown option';
    case 'multi':
      return Array.isArray(value) && value.length > 0 && new Set(value).size === value.length && value.every(known)
        ? undefined
        : 'wrong options';
    case 'range':
      return typeof value === 'number' && within(value) ? undefined : 'out of range';
    case 'bool':
      return typeof value === 'boolean' ? undefined : 'not yes or no';
    case 'item_count': {
      if (typeof value !== 'object' || Array.isArray(value)) return 'not counted';
      const entries = Object.entries(value);
      return entries.length > 0 && entries.every(([v, n]) => known(v) && within(n)) ? undefined : 'wrong items';
    }
    case 'text':
      return typeof value === 'string' && value !== '' ? undefined : 'no text';
  }
}

describe('goods', () => {
  test('are the same for the same numbers, in any order', () => {
    for (const index of [19_999, 0, 7, 4_321]) expect(generateGoods({ seed: 1, index })).toEqual(goods[index]);
    expect(generateGoods({ seed: 2, index: 7 })).not.toEqual(goods[7]);
  });

  test('have attributes that their fields allow, all required ones, and no others', () => {
    for (const g of goods) {
      const fields = new Map(
        gameOf(g)
          .fields.filter((f) => f.goodsTypes.includes(g.goodsTypeId))
          .map((f) => [f.key, f]),
      );
      for (const [key, value] of Object.entries(g.attrs)) {
        const field = fields.get(key);
        expect(field, `${g.index} ${key}`).toBeDefined();
        if (field) expect(fault(field, value), `${g.index} ${key} ${JSON.stringify(value)}`).toBeUndefined();
      }
      const missing = [...fields.values()].filter((f) => f.required && g.attrs[f.key] === undefined);
      expect(missing.map((f) => `${g.index} ${f.key}`)).toEqual([]);
    }
  });

  test('have areas, servers and goods types that their game has', () => {
    for (const g of goods) {
      const game = gameOf(g);
      expect(game.goodsTypes.map((t) => t.id)).toContain(g.goodsTypeId);
      const area = game.areas.find((a) => a.id === g.areaId);
      expect(area, String(g.index)).toBeDefined();
      if (g.serverId !== null) expect(area?.servers.map((s) => s.id)).toContain(g.serverId);
    }
  });

  test('have prices within bounds', () => {
    for (const g of goods) {
      const { minYuan, maxYuan } = gameOf(g).price;
      expect(Number.isSafeInteger(g.priceFen)).toBe(true);
      const account = g.goodsTypeId === OrderType.Account || g.goodsTypeId === OrderType.Consigned;
      expect(g.priceFen).toBeGreaterThanOrEqual(account ? minYuan * 100 : 100);
      expect(g.priceFen).toBeLessThanOrEqual(account ? maxYuan * 100 : 2_000_000);
    }
  });

  test('have usual prices of their game, and higher ones with richer attributes', () => {
    const wzry = goods.filter(
      (g) => g.gameId === 2 && (g.goodsTypeId === OrderType.Account || g.goodsTypeId === OrderType.Consigned),
    );
    const median = (list: readonly GoodsSeed[]) =>
      list.map((g) => g.priceFen).toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;
    expect(median(wzry)).toBeGreaterThan(45_000);
    expect(median(wzry)).toBeLessThan(75_000);
    const skins = (g: GoodsSeed) => Number(g.attrs.skin_count);
    expect(median(wzry.filter((g) => skins(g) > 250))).toBeGreaterThan(3 * median(wzry.filter((g) => skins(g) < 100)));
  });

  test('have titles of 20 to 60 characters and descriptions of 2 to 6 sentences, without holes or contacts', () => {
    for (const g of goods) {
      expect(g.title.length, g.title).toBeGreaterThanOrEqual(20);
      expect(g.title.length, g.title).toBeLessThanOrEqual(60);
      const sentences = g.description.split('。').length - 1;
      expect(sentences, g.description).toBeGreaterThanOrEqual(2);
      expect(sentences, g.description).toBeLessThanOrEqual(6);
      for (const text of [g.title, g.description]) {
        expect(text).not.toMatch(/undefined|NaN|[{}]|【】| {2}|1\d{10}|^\s|\s$/);
        expect(text).not.toMatch(/(微信|QQ|VX|wx)[号:：]?\s*[a-z_]*\d{5,}/i);
      }
    }
  });

  test('do not contradict their attributes', () => {
    for (const g of goods) {
      const words = g.title + g.description;
      if (/可二次实名|二次实名可/.test(words)) expect(g.attrs.second_realname, words).toBe(true);
      if (/无违规|没有封号|没有任何处罚/.test(words)) expect(g.attrs.penalty, words).toBe(1);
      if (/一手号|自用多年/.test(words)) expect(g.attrs.account_source, words).toBe(1);
      if (/支持包赔|找回包赔|可包赔/.test(words)) expect(g.guaranteeOk, words).toBe(true);
      if (/寄售/.test(words)) expect(g.goodsTypeId, words).toBe(50);
      if (/刚验号|已验号/.test(words)) expect(g.inspected, words).toBe(true);
      if (g.goodsTypeId === OrderType.Account || g.goodsTypeId === OrderType.Consigned) {
        if (/价格可谈|可小刀|可议价/.test(words)) expect(g.bargainOk, words).toBe(true);
        if (/一口价|勿刀/.test(words)) expect(g.bargainOk, words).toBe(false);
      }
      const skins = /皮肤(\d+)款/.exec(g.title)?.[1];
      if (skins !== undefined && g.gameId === 2) expect(Number(skins)).toBe(g.attrs.skin_count);
    }
  });

  test('are varied: titles, games, goods types, flags', () => {
    expect(new Set(goods.map((g) => g.title)).size).toBeGreaterThan(COUNT * 0.98);
    const perGame = GAMES.map((game) => goods.filter((g) => g.gameId === game.id).length);
    expect(Math.min(...perGame)).toBeGreaterThan(100);
    expect(perGame[1]).toBe(Math.max(...perGame));
    const share = (of: (g: GoodsSeed) => boolean) => goods.filter(of).length / COUNT;
    expect(share((g) => g.goodsTypeId === OrderType.Account || g.goodsTypeId === OrderType.Consigned)).toBeGreaterThan(
      0.75,
    );
    for (const type of [1, 50, 2, 8, 22, 27]) expect(share((g) => g.goodsTypeId === type)).toBeGreaterThan(0.001);
    expect(share((g) => g.title.includes('急出'))).toBeGreaterThan(0.02);
    for (const flag of ['inspected', 'guaranteeOk', 'bargainOk'] as const) {
      expect(share((g) => g[flag])).toBeGreaterThan(0.25);
      expect(share((g) => g[flag])).toBeLessThan(0.85);
    }
  });

  test('have at most 12 screenshots, about half of the accounts none, and stock, age and views', () => {
    const accounts = goods.filter((g) => g.goodsTypeId === OrderType.Account || g.goodsTypeId === OrderType.Consigned);
    const bare = accounts.filter((g) => g.pictureCount === 0).length / accounts.length;
    expect(bare).toBeGreaterThan(0.45);
    expect(bare).toBeLessThan(0.55);
    for (const g of goods) {
      expect(g.pictureCount).toBeLessThanOrEqual(12);
      if (g.goodsTypeId !== OrderType.Account && g.goodsTypeId !== OrderType.Consigned) expect(g.pictureCount).toBe(0);
      expect(g.stock).toBeGreaterThanOrEqual(1);
      if (g.goodsTypeId === OrderType.Account || g.goodsTypeId === OrderType.Consigned) expect(g.stock).toBe(1);
      expect(g.createdAgoMinutes).toBeGreaterThanOrEqual(0);
      expect(g.followCount).toBeLessThanOrEqual(g.viewCount);
    }
    const days = goods.map((g) => g.createdAgoMinutes / 1440).toSorted((a, b) => a - b);
    // Exponential with a mean of 18 days: the median is ln 2 of it.
    expect(days[COUNT / 2]).toBeGreaterThan(11);
    expect(days[COUNT / 2]).toBeLessThan(14);
  });
});

describe('texts of games', () => {
  test('exist for each game and name fields that it has', () => {
    for (const game of GAMES) {
      const words = GAME_TERMS[game.code];
      const keys = (words?.phrases ?? []).flatMap((phrase) => compile(phrase).keys.map((slot) => slot.key));
      expect(keys.length, game.code).toBeGreaterThan(3);
      const accountFields = game.fields.filter((f) => f.goodsTypes.includes(1)).map((f) => f.key);
      expect(
        keys.filter((key) => !accountFields.includes(key)),
        game.code,
      ).toEqual([]);
    }
  });
});

describe('people', () => {
  const people = generatePeople({ seed: 1, count: 5_000 });

  test('are the same for the same numbers, and a longer list starts with the shorter one', () => {
    expect(generatePeople({ seed: 1, count: 100 })).toEqual(people.slice(0, 100));
    expect(generatePeople({ seed: 2, count: 5 })).not.toEqual(people.slice(0, 5));
  });

  test('have unique phones and nicknames', () => {
    expect(new Set(people.map((p) => p.phone)).size).toBe(people.length);
    expect(new Set(people.map((p) => p.nickName)).size).toBe(people.length);
    for (const p of people) {
      expect(p.phone).toMatch(/^1(3|5|7|8)\d{9}$/);
      expect(p.nickName).toMatch(/^[\p{Script=Han}A-Za-z0-9]{2,12}$/u);
    }
  });

  test('have levels from 1 to 5 that follow their sales', () => {
    expect(new Set(people.map((p) => p.level))).toEqual(new Set([1, 2, 3, 4, 5]));
    for (const p of people) {
      expect(p.goodRatePermille).toBeLessThanOrEqual(1000);
      if (p.level === 5) expect(p.saleCount).toBeGreaterThanOrEqual(1_000);
    }
    const merchants = people.filter((p) => p.kind === 'merchant').length;
    expect(merchants / people.length).toBeCloseTo(0.18, 1);
  });
});

describe('reviews', () => {
  test('are the same for the same numbers and match their score', () => {
    const reviews = Array.from({ length: 2_000 }, (_, index) => generateReview({ seed: 1, index }));
    expect(generateReview({ seed: 1, index: 9 })).toEqual(reviews[9]);
    const good = reviews.filter((r) => r.score === 5);
    expect(good.length / reviews.length).toBeGreaterThan(0.75);
    const bad = generateReview({ seed: 1, index: 9, score: 1 });
    expect(bad.score).toBe(1);
    expect(good.map((r) => r.text)).not.toContain(bad.text);
    for (const r of reviews) expect(r.tags.length).toBeLessThanOrEqual(3);
  });
});

describe('seeds', () => {
  test('differ for neighbouring numbers', () => {
    const seeds = Array.from({ length: 50_000 }, (_, i) => mixSeed(1, i));
    expect(new Set(seeds).size).toBeGreaterThan(49_990);
    const low = seeds.filter((s) => s < 2 ** 31).length;
    expect(low / seeds.length).toBeCloseTo(0.5, 1);
  });
});
