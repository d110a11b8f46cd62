/** Values that an existing listing keeps when staff change the form of its game. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { gamefilter } from '#subjects/games/contract/games.ts';
import { getGoodsList, goodsInfo } from '#subjects/goods/contract/goods.ts';
import { checkAttrs } from '#subjects/games/rules/attrs.ts';
import { exportGames, importGames, readCatalogue } from '#subjects/games/server/service.ts';
import { type ListingMarket, openListingMarket } from '#tests/support/goods/listings.ts';
import { account, meet } from '#tests/support/goods/games.ts';

let m: ListingMarket;
interface File {
  games: {
    fields: { key: string; kind: string; options?: { v: number; label: string }[] }[];
    areas: { name: string; servers: { id?: number; name: string }[] }[];
  }[];
}

beforeAll(async () => {
  m = await openListingMarket();
});
afterAll(async () => await m.t.close());

async function change(edit: (game: File['games'][number]) => void) {
  const file = JSON.parse(await exportGames(m.t.ctx, ['wzry'])) as File;
  const [game] = file.games;
  if (!game) throw new Error('no game');
  Object.assign(game, account, { goodsTypes: [{ id: 1, name: '账号' }] });
  edit(game);
  const report = await importGames(
    m.t.ctx,
    { file: JSON.stringify(file) },
    { apply: true, staffId: null, reason: '测试' },
  );
  await m.t.relay();
  await m.t.relay();
  return report;
}

test('a retired option and field stay readable and searchable on listings that have them, and leave the filters', async () => {
  const { sn } = await m.add({ attrs: { rank: 1, skin_num: 7, rebind: true } });
  await m.t.relay();
  const report = await change((game) => {
    game.fields = game.fields.filter(({ key }) => key !== 'rebind');
    const rank = game.fields.find(({ key }) => key === 'rank');
    if (rank) rank.options = rank.options?.filter(({ v }) => v !== 1) ?? [];
  });
  expect(report.errors).toEqual([]);
  const { attrs } = await m.t.client().ok(goodsInfo, { goodsSn: sn });
  expect(attrs.map(({ label, value }) => `${label} ${value}`)).toEqual(['段位 钻石', '皮肤数量 7款', '可换绑 是']);
  const { fields } = await m.t.client().ok(gamefilter, { gameId: 1, goodsTypeId: 1 });
  expect(fields.map(({ key }) => key)).toEqual(['rank', 'skins', 'skin_num']);
  expect(fields[0]?.options?.map(({ label }) => label)).toEqual(['王者']);
  const found = await m.t
    .client()
    .ok(getGoodsList, { gameId: 1, details: JSON.stringify({ rank: 1, rebind: true }), pageSize: 50 } as never);
  expect(found.list.map(({ goodsSn }) => goodsSn)).toContain(sn);
});

test('an edit keeps a retired option of the listing; a new listing cannot choose it', async () => {
  const rank = (await readCatalogue(m.t.ctx.db)).openFieldsOf(1).filter(({ key }) => key === 'rank');
  expect(checkAttrs(rank, { rank: 1 }, { rank: 1 })).toEqual({ values: { rank: 1 }, errors: new Map() });
  expect([...checkAttrs(rank, { rank: 1 }).errors.keys()]).toEqual(['rank']);
});

test('the kind of a field cannot change while a listing has it', async () => {
  const report = await change((game) => {
    const field = game.fields.find(({ key }) => key === 'skin_num') as Record<string, unknown>;
    field.kind = 'text';
    field.filterable = false;
    delete field.min;
    delete field.max;
  });
  expect(report.applied).toBe(false);
  expect(report.errors[0]?.text).toMatch(/^已有 \d+ 件商品填了「皮肤数量」，类型不能从数字改为文字/);
});

test('listings on a merged server move to its successor and are found there', async () => {
  const { sn } = await m.add({ title: '合服前的商品' });
  await m.t.relay();
  await change((game) => game.areas[0]?.servers.push({ name: '87区' }));
  const fresh = (await readCatalogue(m.t.ctx.db)).game(1)?.areas[0]?.servers.find(({ name }) => name === '87区');
  const merged = await change((game) => {
    Object.assign(game.areas[0]?.servers[0] ?? {}, { off: true, mergedInto: fresh?.id });
  });
  expect(merged.errors).toEqual([]);
  expect(merged.games[0]?.changes.map(({ text }) => text)).toEqual(['安卓QQ 的「86区」并入「87区」']);
  await meet(m.t);
  const found = await m.t.client().ok(getGoodsList, { gameId: 1, serverId: fresh?.id, pageSize: 50 } as never);
  expect(found.list.map(({ goodsSn }) => goodsSn)).toContain(sn);
});
