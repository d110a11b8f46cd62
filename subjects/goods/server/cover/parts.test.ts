import { describe, expect, test } from 'vitest';
import type { Field } from '#subjects/games/contract/games.ts';
import { drawCover, type CoverSize, COVER_SIZES } from '#server/art/cover.ts';
import { GAMES } from '#db/catalogue/index.ts';
import { accountParts, shortLabel, shortNumber } from './account.ts';
import { coverOf, type CoverSource, recyclingCover, type ServiceParts } from './parts.ts';
import { type Scale, scaleFrom, shareBelow } from './scale.ts';

const wzry = GAMES.find(({ code }) => code === 'wzry');
if (!wzry) throw new Error('wzry is missing from the catalogue');
const fieldsOf = (typeId: number): Field[] =>
  wzry.fields.filter(({ goodsTypes }) => (goodsTypes as number[]).includes(typeId)) as Field[];

/** A hundred accounts with 0 to 99 skins and twice as many heroes; one in ten has 凤求凰's options. */
const scale: Scale = scaleFrom(
  Array.from({ length: 100 }, (_, i) => ({
    skin_count: i,
    hero_count: i * 2,
    limited_skins: i % 10 === 0 ? [1, 2] : [2],
  })),
);

const source = (over: Partial<CoverSource> = {}): CoverSource => ({
  typeId: 1,
  priceFen: 10_000,
  stock: 1,
  attrs: {},
  inspectedDay: null,
  region: '安卓QQ',
  game: { name: '王者荣耀', char: '王', hue: 42, scene: 'ridge' },
  fields: fieldsOf(over.typeId ?? 1),
  gameFields: wzry.fields as Field[],
  scale,
  service: null,
  ...over,
});

const option = (key: string, label: string) =>
  wzry.fields.find((f) => f.key === key)?.options?.find((o) => o.label === label)?.v;

const service: ServiceParts = {
  rankFrom: Number(option('rank', '永恒钻石')),
  rankTo: Number(option('rank', '荣耀王者')),
  minutes: 960,
  parts: 3,
  safetyFen: 50_000,
  together: false,
  userId: 7,
  name: '小满',
  doneCount: 1_286,
  onTimeRate: 98.6,
  voiceSeconds: 14,
};

describe('an account', () => {
  test('shows its rank, three figures with their places, its rarest names and its inspection', () => {
    const attrs = {
      rank: option('rank', '荣耀王者'),
      noble: option('noble', 'V9'),
      skin_count: 90,
      hero_count: 100,
      mythic_count: 5,
      limited_skins: [2, 1],
    };
    const cover = coverOf(source({ attrs, inspectedDay: '11-18' }));
    expect(cover).toMatchObject({
      title: '荣耀王者 · V9',
      region: '安卓QQ',
      tier: 3,
      badge: { text: '已验号 11-18', brief: '11-18', isTicked: true },
      note: '五虎将 · 情人节限定',
    });
    expect(cover.figures[0]).toEqual({ value: '90', label: '皮肤', note: '超过 90%' });
    expect(cover.figures[1]).toEqual({ value: '100', label: '英雄', note: '超过 50%' });
    // No other listing has this figure: it has a ring, but no percentile is stated.
    expect(cover.figures[2]).toEqual({ value: '5', label: '荣耀典藏' });
    expect(cover.emblem).toMatchObject({ kind: 'rings', char: '王', shares: [90, 50, expect.any(Number)] });
  });

  test('does not show the price, so that a new price keeps the picture', () => {
    const attrs = { skin_count: 90 };
    expect(coverOf(source({ attrs, priceFen: 99_900 }))).toEqual(coverOf(source({ attrs, priceFen: 10_000 })));
  });

  test('has a ring for each figure that it has, and for no other', () => {
    expect(coverOf(source()).emblem).toEqual({ kind: 'rings', shares: [], char: '王' });
    expect(coverOf(source({ attrs: { skin_count: 40, hero_count: 0 } })).figures).toHaveLength(1);
  });

  test('an outstanding figure leads before those that the catalogue names first', () => {
    const many = scaleFrom(Array.from({ length: 100 }, (_, i) => ({ skin_count: i, hero_count: i, legend_count: i })));
    const { figures } = accountParts(fieldsOf(1), { skin_count: 50, hero_count: 40, legend_count: 99 }, many);
    expect(figures.map(({ label }) => label)).toEqual(['传说限定', '皮肤', '英雄']);
  });

  test('says nothing about places among fewer than 30 listings', () => {
    const few = scaleFrom(Array.from({ length: 29 }, (_, i) => ({ skin_count: i })));
    expect(shareBelow(few, 'skin_count', 28)).toBeUndefined();
    expect(accountParts(fieldsOf(1), { skin_count: 28 }, few).figures).toEqual([{ value: '28', label: '皮肤' }]);
  });
});

describe('other goods', () => {
  const dnf = GAMES.find(({ code }) => code === 'dnf');
  const coinFields = (dnf?.fields.filter(({ goodsTypes }) => goodsTypes.includes(2)) ?? []) as Field[];

  test('coin: how much a yuan buys leads, and the price itself is not shown', () => {
    const cover = coverOf(
      source({ typeId: 2, fields: coinFields, attrs: { amount: 6_000, delivery: 1 }, priceFen: 12_000, stock: 38 }),
    );
    expect(cover).toMatchObject({
      title: '6000万金币 / 份',
      badge: { text: '邮寄交货' },
      emblem: { kind: 'pile', discs: 4 },
    });
    expect(cover.figures).toEqual([
      { value: '50万', label: '金币 / 元' },
      { value: '38', label: '库存 份', note: '共 22.8亿金币' },
    ]);
  });

  test('items: the kind, the limit of trade and the stock', () => {
    const attrs = { item_kind: option('item_kind', '皮肤赠送'), item_trade: 2, item_spec: '<b>永久</b>' };
    const cover = coverOf(source({ typeId: 27, attrs, stock: 3 }));
    expect(cover).toMatchObject({ title: '皮肤赠送', note: '需好友亲密度', emblem: { kind: 'icon', icon: 'gift' } });
    expect(drawCover(cover, '320x240')).toContain('&lt;b&gt;永久&lt;/b&gt;');
  });

  test('boosting: from rank to rank, promised hours, punctuality, parts and deposit', () => {
    const cover = coverOf(source({ typeId: 60, attrs: { boost_kind: 1 }, service }));
    expect(cover).toMatchObject({
      title: '永恒钻石 → 荣耀王者',
      note: '排位上星',
      badge: { text: '保证金 ¥500' },
      emblem: { kind: 'stairs', steps: 7 },
    });
    expect(cover.figures.map(({ value }) => value)).toEqual(['16 时', '98.6%', '3 段']);
  });

  test('companions: a mask with a headset for those with a voice, which stays the same for the person', () => {
    const cover = coverOf(source({ typeId: 61, attrs: { play_kind: 1 }, service }));
    expect(cover).toMatchObject({ title: '小满', emblem: { kind: 'mask', mask: { hasVoice: true } } });
    expect(cover.figures.map(({ value }) => value)).toEqual(['14″', '1,286', '98.6%']);
    expect(coverOf(source({ typeId: 61, service })).emblem).toEqual(cover.emblem);
    const quiet = coverOf(source({ typeId: 61, service: { ...service, voiceSeconds: null } }));
    expect(quiet.emblem).toMatchObject({ mask: { hasVoice: false } });
  });

  test.each(wzry.goodsTypes.map(({ id }) => id))(
    'type %s without any attribute names the game on every canvas',
    (typeId) => {
      const cover = coverOf(source({ typeId, fields: fieldsOf(typeId) }));
      for (const size of Object.keys(COVER_SIZES) as CoverSize[]) expect(drawCover(cover, size)).toContain('王者荣耀');
    },
  );
});

test('numbers are short, and labels have at most four characters', () => {
  expect([0.53, 8_420, 62_033, 999_999, 186_000_000, 26_550_000].map(shortNumber)).toEqual([
    '0.53',
    '8,420',
    '6.2万',
    '100万',
    '1.86亿',
    '2655万',
  ]);
  for (const { fields } of GAMES)
    for (const { label } of fields) expect([...shortLabel(label)].length).toBeLessThanOrEqual(4);
  expect(['皮肤数量', '荣耀典藏皮肤', '五星角色数', '总V数(去期限)', '成就点数'].map(shortLabel)).toEqual([
    '皮肤',
    '荣耀典藏',
    '五星角色',
    '总V',
    '成就',
  ]);
});

test('an account in recycling shows what it has, and nothing about prices or bids', () => {
  const cover = recyclingCover(source({ attrs: { skin_count: 90 }, priceFen: 99_900 }));
  expect(cover).toMatchObject({ badge: { text: '回收' }, figures: [{ value: '90', label: '皮肤' }] });
  expect(drawCover(cover, '560x315')).not.toMatch(/[¥￥]|保底|出价/);
});
