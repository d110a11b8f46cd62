/** Games in the back office: what a change does to listings, versions, showing and hiding, icons, files, two nodes. */
import { uploadGameIcon } from '#subjects/media/contract/staff-uploads.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as c from '#subjects/games/contract/staff-games.ts';
import { codes } from '#contract/codes.ts';
import { crossList, gamefilter, gameList } from '#subjects/games/contract/games.ts';
import { getGoodsList, goodsInfo } from '#subjects/goods/contract/goods.ts';
import { orderDetail, placeOrder } from '#subjects/orders/contract/order.ts';
import { balancePay } from '#subjects/payments/contract/pay.ts';
import { createApp } from '#server/app.ts';
import { createContext } from '#server/context.ts';
import { exportGames } from '#subjects/games/server/service.ts';
import { BACKSTAGE_HOST, type TestStaff } from '#tests/support/servers/build.ts';
import { TestClient } from '#tests/support/servers/client.ts';
import { type ListingMarket, openListingMarket } from '#tests/support/goods/listings.ts';
import { complete, type GameEditor, gameEditor, meet } from '#tests/support/goods/games.ts';
import { pictureFile, sendPicture } from '#tests/support/goods/offers.ts';

/** Until a message of the bus has arrived: sooner than a cached response ends by itself. */
const ANNOUNCED = { timeout: 20_000, interval: 20 };

let m: ListingMarket;
let editor: TestStaff;
let other: TestStaff;
let game: GameEditor;

beforeAll(async () => {
  m = await openListingMarket();
  editor = await m.t.newStaff({ role: 'content' });
  game = gameEditor(editor);
  other = await m.t.newStaff({ role: 'admin' });
  // The fixture's game becomes a whole one, with a first version.
  await game.save(complete);
  await game.publish();
});
afterAll(async () => await m.t.close());

describe('the effect of a change on listings', () => {
  test('is shown before publishing, and is the same afterwards', async () => {
    await game.dropDraft();
    const { sn } = await m.add({ attrs: { rank: 1, skin_num: 1500 } });
    await meet(m.t);
    await game.save((doc) => {
      complete(doc);
      const [rank, skins, num] = doc.fields;
      Object.assign(rank?.options?.[0] ?? {}, { retired: true });
      if (skins) skins.retired = true;
      if (num) num.max = 1000;
      const field = { kind: 'bool', filterable: true, inCard: false } as const;
      doc.fields.push({ ...field, goodsTypes: [1], key: 'mail', label: '绑定邮箱', required: true });
      if (doc.areas[0]) doc.areas[0].servers.push({ name: '88区' });
      Object.assign(doc.areas[0]?.servers[0] ?? {}, { off: true });
    });
    const effects = await editor.client.ok(c.gameEffects, { gameId: 1 });
    const texts = effects.effects.map(({ tone, text }) => `${tone} ${text.replaceAll(/\d+ 件/g, 'N 件')}`);
    expect(texts).toEqual([
      'ok N 件在售商品照样显示，不会下架',
      'warn 服务器「86区」停用：N 件在售留在原处，仍可购买；新商品不能再选',
      'ok 「段位」的「钻石」停用：N 件已选的照样显示',
      'ok 「限定皮肤」停用：N 件已填的照样显示，不再让人填，也不再做成筛选',
      'warn 「绑定邮箱」必填：N 件在售还没有填，不会下架，卖家下次编辑时要补上',
      'warn 「皮肤数量」：N 件在售超出新的范围，照样显示，卖家下次编辑时要改',
    ]);
    expect(effects.tried).toHaveLength(3);
    expect(effects.tried.find(({ goodsSn }) => goodsSn === sn)?.text).toMatch(/^照样在售；下次编辑时：/);
    const before = (await game.info()).version;
    expect((await game.publish()).data.version).toBe(before + 1);
    await meet(m.t);
    const { attrs } = await m.t.client().ok(goodsInfo, { goodsSn: sn });
    expect(attrs.map(({ label, value }) => `${label} ${value}`)).toEqual(['段位 钻石', '皮肤数量 1500款']);
    const { fields } = await m.t.client().ok(gamefilter, { gameId: 1, goodsTypeId: 1 });
    expect(fields.map(({ key }) => key)).toEqual(['rank', 'skin_num', 'rebind', 'mail']);
  });
});

describe('versions', () => {
  test('an older one is restored as a new one; both are recorded with their reasons', async () => {
    await game.dropDraft();
    const { version } = await game.info();
    await game.save((doc) => {
      complete(doc);
      doc.name = '王者荣耀（新）';
    });
    await game.publish();
    const nameOf = async () => (await m.t.client().ok(gameList, { keyWord: 'wzry' })).list[0]?.name;
    expect(await nameOf()).toBe('王者荣耀（新）');
    const back = await editor.client.ok(c.staffGameVersion, { gameId: 1, version });
    expect(back.changes.map(({ text }) => text)).toEqual(['名称：王者荣耀（新） → 王者荣耀']);
    const at = { gameId: 1, version, reason: '改回原名' };
    expect((await editor.client.call(c.rollbackGame, { ...at, live: version })).code).toBe(codes.GAME_CHANGED[0]);
    expect(await editor.client.ok(c.rollbackGame, { ...at, live: version + 1 })).toEqual({ version: version + 2 });
    expect(await nameOf()).toBe('王者荣耀');
    expect((await game.info()).versions.slice(0, 2)).toMatchObject([
      { version: version + 2, source: 'rollback', reason: '改回原名' },
      { version: version + 1, source: 'staff', reason: '测试发布' },
    ]);
    const { rows } = await sql<{ act: string }>`
      select act from audit_log where target = 'game:1' and staff_id = ${editor.id} order by id desc limit 2`.execute(
      m.t.ctx.db,
    );
    expect(rows.map(({ act }) => act)).toEqual(['game.rollback', 'game.publish']);
  });

  test('a draft of an older version reports that the game has changed', async () => {
    const { version: named } = await game.info();
    await game.save((doc) => {
      complete(doc);
      doc.hot = 55;
    });
    await game.publish();
    await game.save((doc) => void (doc.hot = 66));
    const { draft, version } = await game.info();
    await other.client.ok(c.rollbackGame, { gameId: 1, version: named, live: version, reason: '先退一版' });
    const stale = await editor.client.call(c.publishGame, {
      gameId: 1,
      rev: draft?.rev ?? 0,
      version: version + 1,
      reason: '测试发布',
    });
    expect([stale.code, stale.field]).toEqual([codes.GAME_CHANGED[0], 'version']);
    await game.dropDraft();
  });
});

test('a hidden game leaves the sites with its listings, its orders continue, and it can be shown again', async () => {
  const { t } = m;
  const { sn, id } = await m.add({ title: '隐藏前的商品', by: await t.newUser({ soldCount: 9 }) });
  await meet(t);
  const set = async (open: boolean) => {
    const result = await editor.client.call(c.setGameStatus, { gameId: 1, open, reason: '版号暂停' });
    await meet(t);
    return result.code;
  };
  const onSale = async () =>
    (await t.client().ok(getGoodsList, { gameId: 1, pageSize: 50 })).list.map((g) => g.goodsSn);
  const buyer = await t.newUser({ balanceFen: 100_000 });
  const second = await m.add({ title: '下单后隐藏', by: await t.newUser({ soldCount: 9 }) });
  const { orderId, orderSn } = await buyer.client.ok(placeOrder, { goodsSn: second.sn });
  expect(await onSale()).toContain(sn);
  expect(await set(false)).toBe(0);
  expect((await t.client().ok(gameList, {})).list.map((g) => g.id)).not.toContain(1);
  expect(await onSale()).toEqual([]);
  expect((await t.client().call(goodsInfo, { goodsSn: sn })).code).toBe(codes.GOODS_NOT_FOUND[0]);
  expect((await buyer.client.call(placeOrder, { goodsSn: sn })).code).toBe(codes.GOODS_NOT_ON_SALE[0]);
  await buyer.client.ok(balancePay, { orderId });
  await meet(t);
  const detail = await buyer.client.ok(orderDetail, { orderSn });
  expect([detail.gameName, detail.handover.length]).toEqual(['王者荣耀', 2]);
  expect(await set(false), 'twice').toBe(codes.BAD_INPUT[0]);
  expect((await editor.client.ok(c.staffGameList, { state: 'hidden' })).list.map((g) => g.gameId)).toEqual([1]);
  expect(await set(true)).toBe(0);
  expect(await onSale()).toContain(sn);
  expect(id).toBeGreaterThan(0);
});

test('an uploaded icon is shown everywhere, and the generated one again without it', async () => {
  await game.dropDraft();
  const send = async (width: number, height: number) =>
    (await sendPicture(editor.client, await pictureFile('png', width, height), { path: uploadGameIcon.path })).data.key;
  const wide = await send(400, 200);
  const rejected = await game.save((doc) => {
    complete(doc);
    doc.icon = wide;
  });
  expect(rejected.data.problems).toEqual([{ path: 'icon', text: '图标应为正方形，边长至少 96；这张是 400 × 200' }]);
  const key = await send(256, 256);
  await game.save((doc) => void (doc.icon = key));
  expect((await game.publish()).code).toBe(0);
  const iconOf = async () => (await m.t.client().ok(gameList, { keyWord: 'wzry' })).list[0]?.icon ?? '';
  expect(await iconOf()).toBe(`/img/${key}?w=160`);
  const byCode = await m.t.client().raw({ method: 'GET', url: '/art/game/wzry.svg' });
  expect([byCode.statusCode, byCode.headers.location]).toEqual([302, `/img/${key}?w=160`]);
  await game.save((doc) => void (doc.icon = null));
  await game.publish();
  const drawn = await m.t.client().raw({ method: 'GET', url: await iconOf() });
  expect([drawn.statusCode, drawn.headers['content-type']]).toEqual([200, 'image/svg+xml; charset=utf-8']);
});

describe('files', () => {
  const file = async (text: string, query = '') => {
    const line = '----file';
    const head = `--${line}\r\ncontent-disposition: form-data; name="file"; filename="games.json"\r\ncontent-type: application/json\r\n\r\n`;
    const response = await editor.client.raw({
      method: 'POST',
      url: `${c.importGameFile.path}?${query}`,
      headers: { 'content-type': `multipart/form-data; boundary=${line}` },
      payload: `${head}${text}\r\n--${line}--\r\n`,
    });
    return response.json<{ code: number; data: c.GameImportReport }>();
  };

  test('an exported file is checked, then applied as checked; with an error nothing is, and each has its line', async () => {
    const { file: text } = await editor.client.ok(c.exportGameFile, { codes: JSON.stringify(['wzry']) as never });
    expect(text).toBe(await exportGames(m.t.ctx, ['wzry']));
    expect((await file(text)).data).toMatchObject({ applied: false, errors: [], games: [{ state: 'same' }] });
    const lines = text.split('\n');
    const at = lines.findIndex((line) => line.includes('"name": "王者荣耀"'));
    const broken = text.replace('"name": "王者荣耀"', '"name": ""');
    const wrong = (await file(broken, 'apply=1')).data;
    expect([wrong.applied, wrong.errors]).toEqual([
      false,
      [{ line: at + 1, path: 'games.0.name', text: '请填写游戏名称' }],
    ]);
    const renamed = text.replace('"name": "王者荣耀"', '"name": "王者荣耀手游"');
    const trial = (await file(renamed)).data;
    expect(trial.games[0]?.changes.map((x) => x.text)).toEqual(['名称：王者荣耀 → 王者荣耀手游']);
    const done = await file(renamed, `apply=1&digest=${trial.digest}&reason=${encodeURIComponent('改名')}`);
    expect(done.data.applied).toBe(true);
    expect((await game.info()).versions[0]).toMatchObject({ source: 'file', reason: '改名' });
    const late = await file(text, `apply=1&digest=${trial.digest}`);
    expect(late.code).toBe(codes.GAME_CHANGED[0]);
  });

  test('shipped games are added from the page', async () => {
    const list = async () => (await editor.client.ok(c.shippedGames, {})).list.find(({ code }) => code === 'ys');
    expect(await list()).toMatchObject({ name: '原神', isLoaded: false });
    const at = { codes: JSON.stringify(['ys']) as never };
    const { digest } = await editor.client.ok(c.loadShippedGames, at);
    expect(await editor.client.ok(c.loadShippedGames, { ...at, apply: '1', digest })).toMatchObject({ applied: true });
    expect((await m.t.client().ok(gameList, { keyWord: '原神' })).list).toHaveLength(1);
    expect(await list()).toMatchObject({ isLoaded: true });
  });
});

test('a game published on one node is announced to another', async () => {
  const { t } = m;
  const nodes = await Promise.all(
    [1, 2].map(async () => {
      const ctx = await createContext(t.ctx.config, t.ctx.config.databaseUrl ?? '', { log: t.ctx.log });
      const { http } = await createApp(ctx);
      await http.ready();
      return { ctx, http };
    }),
  );
  try {
    const [one, two] = nodes;
    if (!one || !two) throw new Error('two nodes');
    const client = new TestClient(one.http, { host: BACKSTAGE_HOST });
    for (const [name, value] of editor.client.jar) client.jar.set(name, value);
    client.token = editor.client.token;
    const near = gameEditor({ ...editor, client });
    const seen = async () => {
      const [area] = (await new TestClient(two.http).ok(crossList, { gameId: 1 })).list;
      return area?.secondOptions.map((s) => s.twoSpecialName) ?? [];
    };
    expect(await seen()).not.toContain('新开的服');
    await near.save((doc) => doc.areas[0]?.servers.push({ name: '新开的服' }));
    expect((await near.publish()).code).toBe(0);
    await expect.poll(seen, ANNOUNCED).toContain('新开的服');
  } finally {
    for (const { ctx, http } of nodes) {
      await http.close();
      await ctx.close();
    }
  }
});
