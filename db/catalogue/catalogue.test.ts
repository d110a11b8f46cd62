import { OrderType } from '#subjects/orders/rules/order-types.ts';
import { describe, expect, test } from 'vitest';
import { findGame, findRegion, GOODS_TYPE_ALIASES } from './aliases.ts';
import { GAMES, gameByCode } from './index.ts';
import { ACCOUNT_TYPES, GOODS_TYPE_NAMES, type StepSeed } from './types.ts';

/** The specification's twenty codes, in its order (product.md 3). */
const SPECIFIED =
  'dnf wzry lol cf jxqys yys mygwzd yhzt tymyd xtlbb wow lzhx yqlzy wowhj zyq lscs qqsg hpjy dwrg qzwz'.split(' ');

function expectUnique(values: readonly (string | number)[]) {
  expect(values.filter((v, i) => values.indexOf(v) !== i)).toEqual([]);
}

describe('games', () => {
  test('cover the specified codes and four of today', () => {
    const codes = GAMES.map((g) => g.code);
    expect(codes).toHaveLength(24);
    expect(codes).toEqual(expect.arrayContaining([...SPECIFIED, 'ys', 'mc', 'sjz', 'wwqy']));
  });

  test('have ids 1 to 24 in order, and unique names and icons', () => {
    expect(GAMES.map((g) => g.id)).toEqual(Array.from({ length: 24 }, (_, i) => i + 1));
    expectUnique(GAMES.map((g) => g.name));
    expectUnique(GAMES.map((g) => g.char));
  });

  test('game 18 alone starts its search with first-charge accounts', () => {
    const others = GAMES.filter((g) => g.defaultGoodsTypeId !== OrderType.Account);
    expect(others.map((g) => [g.id, g.defaultGoodsTypeId])).toEqual([[18, 8]]);
  });

  test('have hot ranks without a gap, at least eight', () => {
    const ranks = GAMES.map((g) => g.hot).filter((hot) => hot > 0);
    expect(ranks.length).toBeGreaterThanOrEqual(8);
    expect(ranks.toSorted((a, b) => a - b)).toEqual(ranks.map((_, i) => i + 1));
  });

  test.each(GAMES.map((g) => [g.code, g] as const))('%s is complete', (_, game) => {
    expect(game.pinyin).toMatch(/^[a-z]+$/);
    expect(game.initials).toMatch(/^[a-z]+$/);
    expect(game.initial).toBe(game.pinyin.charAt(0).toUpperCase());
    expect(game.pinyin.startsWith(game.initials.charAt(0))).toBe(true);
    expect(game.goodsTypes.map((t) => t.id)).toContain(1);
    expect(game.goodsTypes.map((t) => t.id)).toContain(game.defaultGoodsTypeId);
    for (const type of game.goodsTypes) expect(type.name).toBe(GOODS_TYPE_NAMES[type.id]);
    expect(game.areas.length).toBeGreaterThan(0);
    const hasCoin = game.goodsTypes.some((t) => t.id === 2);
    expect(game.coinUnit !== undefined).toBe(hasCoin);
    expect(game.coinRatio !== undefined).toBe(hasCoin);
    expect(game.price.minYuan).toBeLessThan(game.price.medianYuan);
    expect(game.price.medianYuan).toBeLessThan(game.price.maxYuan);
  });
});

describe('areas and servers', () => {
  test('have ids that are unique over all games', () => {
    const ids = GAMES.flatMap((g) => g.areas.flatMap((a) => [a.id, ...a.servers.map((s) => s.id)]));
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('contain the id of the game', () => {
    for (const game of GAMES) {
      for (const area of game.areas) {
        expect(Math.floor(area.id / 1000)).toBe(game.id);
        for (const server of area.servers) expect(Math.floor(server.id / 100_000)).toBe(game.id);
      }
    }
  });

  test('names are unique within their parent', () => {
    for (const game of GAMES) {
      expectUnique(game.areas.map((a) => a.name));
      for (const area of game.areas) expectUnique(area.servers.map((s) => s.name));
    }
  });

  test('ids that databases already contain are unchanged', () => {
    expect(findRegion(gameByCode('dnf'), '跨一/广东1区')).toEqual({ areaId: 1001, serverId: 101_001 });
    expect(findRegion(gameByCode('lol'), '全网络/男爵领域')).toEqual({ areaId: 3003, serverId: 303_001 });
    expect(findRegion(gameByCode('wzry'), '苹果微信')).toEqual({ areaId: 2004, serverId: null });
  });
});

describe('fields', () => {
  test.each(GAMES.map((g) => [g.code, g] as const))('%s: keys, slots and options are sound', (_, game) => {
    expectUnique(game.fields.map((f) => f.key));
    const labels = game.fields.map((f) => f.label);
    expectUnique(labels);
    expectUnique(game.fields.map((f) => f.numericSlot).filter((slot) => slot !== undefined));
    const types = new Set(game.goodsTypes.map((t) => t.id));
    for (const field of game.fields) {
      expect(field.key).toMatch(/^[a-z][a-z0-9_]*$/);
      expect(field.goodsTypes.length).toBeGreaterThan(0);
      if (field.kind === 'range') {
        expect(field.numericSlot !== undefined).toBe(field.filterable);
        const { min = 0, max = 0, typical = [0, 0] } = field;
        expect(min).toBeLessThanOrEqual(typical[0]);
        expect(typical[0]).toBeLessThanOrEqual(typical[1]);
        expect(typical[1]).toBeLessThanOrEqual(max);
        expect(max).toBeLessThan(2 ** 31);
      } else expect(field.numericSlot).toBeUndefined();
      const listed = field.kind === 'single' || field.kind === 'multi' || field.kind === 'item_count';
      expect(field.options !== undefined).toBe(listed);
      if (field.options) {
        expectUnique(field.options.map((o) => o.v));
        expectUnique(field.options.map((o) => o.label));
      }
      if (field.multiModes) expect(['multi', 'item_count']).toContain(field.kind);
    }
    const used = game.fields.filter((f) => f.goodsTypes.some((t) => types.has(t)));
    expect(used.map((f) => f.sort)).toEqual(used.map((f) => f.sort).toSorted((a, b) => a - b));
  });

  test('every goods type of a game has a required field', () => {
    for (const game of GAMES) {
      for (const type of game.goodsTypes) {
        const required = game.fields.filter((f) => f.required && f.goodsTypes.includes(type.id));
        expect(required.length, `${game.code} ${type.id}`).toBeGreaterThan(0);
      }
    }
  });

  test('accounts have fields for their origin and for a change of the real name', () => {
    for (const game of GAMES) {
      for (const key of ['account_source', 'second_realname', 'anti_addiction', 'phone_bind', 'penalty']) {
        const field = game.fields.find((f) => f.key === key);
        expect(field?.goodsTypes, `${game.code} ${key}`).toEqual(expect.arrayContaining([1, 50]));
      }
    }
  });
});

describe('hand-over', () => {
  const shipped = (steps: readonly StepSeed[]) => steps.map((s) => s.beforeShip);

  test.each(GAMES.map((g) => [g.code, g] as const))('%s: starts before shipping, ends with the buyer', (_, game) => {
    const lists = [game.handover, ...game.deliveries.map((d) => d.steps)];
    for (const steps of lists) {
      expectUnique(steps.map((s) => s.key));
      expect(shipped(steps)).toEqual(shipped(steps).toSorted((a, b) => Number(b) - Number(a)));
      expect(shipped(steps)).toContain(true);
      expect(steps.at(-1)).toMatchObject({ actor: 'buyer', required: true, beforeShip: false });
    }
    expect(game.handover.filter((s) => s.secret).length).toBeGreaterThan(0);
  });

  test('every goods type of a game is handed over by exactly one list', () => {
    for (const game of GAMES) {
      const delivered = game.deliveries.flatMap((d) => d.goodsTypes);
      const rest = game.goodsTypes.map((t) => t.id).filter((id) => !ACCOUNT_TYPES.includes(id));
      expect(delivered.toSorted((a, b) => a - b)).toEqual(rest.toSorted((a, b) => a - b));
    }
  });
});

/** Places, attributes and values as sellers' stock lists write them. */
const STOCK_LISTS: Record<string, { places: string; fields: Record<string, string | [number, number]> }> = {
  王者荣耀: {
    places: '安卓微信 安卓QQ 苹果微信 苹果QQ',
    fields: {
      段位: '荣耀王者 永恒钻石 最强王者 至尊星耀 百星王者',
      贵族等级: 'V1 V2 V3 V4 V5 V6 V7 V8 V9 V10',
      皮肤数量: [23, 560],
      英雄数量: [60, 126],
      荣耀典藏皮肤: [0, 9],
    },
  },
  和平精英: {
    places: '安卓微信 安卓QQ 苹果微信 苹果QQ',
    fields: {
      段位: '超级王牌 荣耀皇冠 无敌战神',
      热力值: [879, 88_619],
      套装数量: [5, 160],
      枪皮数量: [3, 120],
      载具皮肤: [0, 40],
    },
  },
  地下城与勇士: {
    places: '跨八/山东5区 跨一/广东1区 跨三A/四川2区 跨二/湖北3区 跨五/上海2区 跨六/北京1区',
    fields: { 职业: '漫游 奶妈 红眼 魔道学者 召唤师 剑魂', 名望: [29_426, 97_959], 角色数: [1, 32] },
  },
  英雄联盟: {
    places: '电信/黑色玫瑰 网通/比尔吉沃特 网通/德玛西亚 电信/艾欧尼亚 全网络/男爵领域',
    fields: { 段位: '大师 翡翠 钻石 铂金 黄金', 皮肤数: [12, 700], 英雄数: [50, 168], 荣誉等级: '1 2 3 4 5' },
  },
  穿越火线: {
    places: '电信/广东一区 网通/山东一区 南方大区/上海一区',
    fields: { 英雄武器数: [0, 30], 王者武器数: [0, 6], '总V数(去期限)': [1, 40] },
  },
  阴阳师: {
    places: '中国区-iOS/夏之蝉 中国区-安卓/两心无间 双平台/遥远之忆',
    fields: { SSR数: [11, 70], SP数: [5, 60], 勾玉: [722, 59_859] },
  },
  第五人格: { places: '渠道服 官服', fields: { 操作系统: 'iOS 安卓', 时装数量: [8, 297], 可二次实名: '是 否' } },
};

describe("sellers' stock lists", () => {
  test.each(Object.keys(STOCK_LISTS))('%s: places, labels and values are known', (name) => {
    const game = findGame(GAMES, name);
    const list = STOCK_LISTS[name];
    if (game === undefined || list === undefined) throw new Error(`no game ${name}`);
    for (const region of list.places.split(' ')) expect(findRegion(game, region), region).toBeDefined();
    for (const [label, values] of Object.entries(list.fields)) {
      const field = game.fields.find((f) => f.label === label);
      expect(field, label).toBeDefined();
      if (typeof values === 'string') {
        if (field?.kind === 'bool') continue;
        expect(field?.options?.map((o) => o.label)).toEqual(expect.arrayContaining(values.split(' ')));
      } else {
        expect(field?.kind).toBe('range');
        expect(field?.min).toBeLessThanOrEqual(values[0]);
        expect(field?.max).toBeGreaterThanOrEqual(values[1]);
      }
    }
  });

  test('names of goods types', () => {
    expect(['成品号', '账号', '1', '道具'].map((word) => GOODS_TYPE_ALIASES[word])).toEqual([1, 1, 1, 27]);
  });

  test('values outside the catalogue are not guessed', () => {
    expect(findGame(GAMES, '第五大陆归来')).toBeUndefined();
    expect(findRegion(gameByCode('wzry'), '火星服')).toBeUndefined();
    expect(findRegion(gameByCode('dnf'), '跨一/火星区')).toBeUndefined();
  });
});
