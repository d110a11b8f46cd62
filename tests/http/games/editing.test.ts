/** Games in the back office: a new one up to its first sale, drafts, what a change does to listings, versions, showing and hiding. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as c from '#subjects/games/contract/staff-games.ts';
import { codes } from '#contract/codes.ts';
import { crossList, gameList } from '#subjects/games/contract/games.ts';
import type { GameDoc } from '#subjects/games/contract/game-doc.ts';
import { getGoodsList, getGoodsUpperConf, releaseGoods } from '#subjects/goods/contract/goods.ts';
import {
  confirmRecGoods,
  handoverDone,
  offlineTranSub,
  orderDetail,
  placeOrder,
} from '#subjects/orders/contract/order.ts';
import { balancePay } from '#subjects/payments/contract/pay.ts';
import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { approveGoods, reviewItem } from '#subjects/goods/server/service.ts';
import type { TestStaff } from '#tests/support/servers/build.ts';
import { type ListingMarket, openListingMarket } from '#tests/support/goods/listings.ts';
import { complete, type GameEditor, gameEditor, meet } from '#tests/support/goods/games.ts';
import { userPicture } from '#tests/support/orders/orders.ts';

/** A document that may hold anything. */
type Loose = Record<string, unknown> & { fields: Record<string, unknown>[] };

let m: ListingMarket;
let editor: TestStaff;
let other: TestStaff;
let game: GameEditor;

beforeAll(async () => {
  m = await openListingMarket();
  editor = await m.t.newStaff({ role: 'content' });
  game = gameEditor(editor);
  other = await m.t.newStaff({ role: 'admin' });
});
afterAll(async () => await m.t.close());

test('a game missing in the catalogue is created, published, listed and sold by calls of the pages only', async () => {
  const { t } = m;
  const created = await editor.client.ok(c.createGame, { name: '山海新游', code: 'shanhai', gameType: '2' });
  const { gameId } = created;
  const { doc, state, problems } = await game.info(gameId);
  expect([state, doc.pinyin, doc.initials, doc.initial, problems]).toEqual(['new', 'shanhaixinyou', 'shxy', 'S', []]);
  await game.save((d) => {
    d.goodsTypes = [
      { id: 1, name: '账号' },
      { id: 27, name: '道具' },
    ];
    d.areas = [{ name: '一区', servers: [{ name: '青丘' }, { name: '昆仑' }] }];
    d.fields = [
      {
        key: 'kind',
        label: '道具类型',
        kind: 'single',
        options: [
          { v: 1, label: '坐骑' },
          { v: 2, label: '法宝' },
        ],
        required: true,
        inCard: true,
        filterable: true,
        goodsTypes: [27],
      },
    ];
  }, gameId);
  const unfinished = await game.publish(gameId);
  expect([unfinished.code, unfinished.field]).toEqual([codes.GAME_INVALID[0], 'doc.handover.deliveries']);
  expect((await t.client().ok(gameList, { keyWord: '山海新游' })).list, 'nobody sees a draft').toEqual([]);
  const saved = await game.save((d) => {
    const like = (key: string, actor: 'seller' | 'buyer', beforeShip: boolean) => ({
      key,
      title: key,
      actor,
      minutes: 30,
      evidence: key === 'deliver',
      required: true,
      beforeShip,
      explain: '按说明操作',
    });
    d.handover.deliveries = [
      { goodsTypes: [27], steps: [like('deliver', 'seller', true), like('count', 'buyer', false)] },
    ];
  }, gameId);
  expect(saved.data.problems).toEqual([]);
  expect((await game.publish(gameId)).data).toEqual({ gameId, version: 1 });

  const [listed] = (await t.client().ok(gameList, { keyWord: 'shxy' })).list;
  expect(listed).toMatchObject({ id: gameId, name: '山海新游', goodsTypeAndNameMap: { 27: '道具' } });
  const [area] = (await t.client().ok(crossList, { gameId })).list;
  const seller = await t.newUser({ soldCount: 9 });
  const form = await seller.client.ok(getGoodsUpperConf, { gameId, goodsTypeId: 27 });
  expect(form.fields.map(({ label }) => label)).toEqual(['道具类型']);
  const offer = {
    gameId,
    goodsTypeId: 27,
    bigTitle: '九尾坐骑 可直接交易',
    price: '100.00',
    areaId: area?.specialId,
    serverId: area?.secondOptions[0]?.twoSpecialId,
    stock: 1,
  };
  const wrong = await seller.client.call(releaseGoods, { ...offer, details: {} });
  expect([wrong.status, wrong.field]).toEqual([422, 'details.kind']);
  const { goodsSn } = await seller.client.ok(releaseGoods, { ...offer, details: { kind: 1 } });
  const { version } = await reviewItem(t.ctx, goodsSn, null);
  await approveGoods(t.ctx, { goodsSn, version, distId: null, staffId: other.id });
  await meet(t);
  const found = await t.client().ok(getGoodsList, { gameId, details: JSON.stringify({ kind: 1 }) } as never);
  expect(found.list.map((card) => card.goodsSn)).toEqual([goodsSn]);
  const buyer = await t.newUser({ balanceFen: 30_000 });
  const { orderId, orderSn } = await buyer.client.ok(placeOrder, { goodsSn });
  await buyer.client.ok(balancePay, { orderId });
  const { handover } = await buyer.client.ok(orderDetail, { orderSn });
  expect(handover.map(({ title }) => title)).toEqual(['deliver', 'count']);
  await seller.client.ok(handoverDone, { orderId, step: 1, pictures: [await userPicture(seller)] } as never);
  await seller.client.ok(offlineTranSub, { orderId });
  await buyer.client.ok(confirmRecGoods, { orderId });
  expect((await buyer.client.ok(orderDetail, { orderSn })).status).toBe(OrderStatus.Completed);
  const { rows: acts } = await sql<{ act: string }>`
    select act from audit_log where target = ${`game:${gameId}`} order by id`.execute(t.ctx.db);
  expect(acts.map(({ act }) => act)).toEqual(['game.create', 'game.publish']);
});

describe('drafts', () => {
  test('a code or a name of another game gets a field error', async () => {
    const create = async (input: object) => {
      const { msg, field } = await editor.client.call(c.createGame, {
        name: '又一个',
        code: 'another',
        gameType: '1',
        ...input,
      });
      return `${field}: ${msg}`;
    };
    expect(await create({ code: 'wzry' })).toBe('code: 这个编码已有别的游戏在用');
    expect(await create({ name: '王者荣耀' })).toBe('name: 已有同名的游戏');
    expect(await create({ code: 'Ab' })).toMatch(/^code: 编码应为 2 到 20 位小写字母或数字/);
    expect(await create({ name: ' ' })).toBe('name: 游戏名称不能为空');
  });

  test('a discarded new game is deleted, and its code is available', async () => {
    const input = { name: '写错的游戏', code: 'wrong1', gameType: '1' };
    const { gameId } = await editor.client.ok(c.createGame, input);
    expect((await editor.client.ok(c.staffGameList, { state: 'new' })).list.map(({ code }) => code)).toEqual([
      'wrong1',
    ]);
    expect(await editor.client.ok(c.dropGameDraft, { gameId, rev: 1 })).toEqual({ isGone: true });
    expect((await editor.client.call(c.staffGameInfo, { gameId })).code).toBe(codes.NOT_FOUND[0]);
    const again = await editor.client.ok(c.createGame, input);
    await editor.client.ok(c.dropGameDraft, { gameId: again.gameId, rev: 1 });
  });

  test.each<[string, (doc: GameDoc) => void, string]>([
    ['a key twice', (d) => d.fields.push(structuredClone(d.fields[0] as never)), 'fields.4.key'],
    ['an empty name', (d) => void ((d.fields[1] as { label: string }).label = ''), 'fields.1.label'],
    ['an area twice', (d) => d.areas.push({ name: d.areas[0]?.name ?? '', servers: [] }), 'areas.1.name'],
    [
      'servers merged in a circle',
      (d) => {
        const [server] = d.areas[0]?.servers ?? [];
        Object.assign(server ?? {}, { off: true, mergedInto: server?.id });
      },
      'areas.0.servers.0.mergedInto',
    ],
    [
      'options without a name',
      (d) => void Object.assign(d.fields[0]?.options?.[1] ?? {}, { label: '' }),
      'fields.0.options.1.label',
    ],
    ['bounds in the wrong order', (d) => void Object.assign(d.fields[2] ?? {}, { min: 9, max: 1 }), 'fields.2.max'],
    ['a code that changes', (d) => void (d.code = 'other'), 'code'],
    ['steps without an end', (d) => void d.handover.accounts.pop(), 'handover.accounts.0.actor'],
    ['an icon that was not uploaded', (d) => void (d.icon = `${'b'.repeat(26)}-128x128`), 'icon'],
  ])('%s gets a field error, may be saved and cannot be published', async (_, edit, path) => {
    await game.dropDraft();
    const { version } = await game.info();
    const saved = await game.save((doc) => {
      complete(doc);
      edit(doc);
    });
    expect(saved.data.problems.map((p) => p.path)).toContain(path);
    const rejected = await game.publish();
    expect([rejected.status, rejected.code]).toEqual([422, codes.GAME_INVALID[0]]);
    expect((await game.info()).version).toBe(version);
    await game.dropDraft();
  });

  test.each<[string, (doc: Loose) => void, string]>([
    ['a field of an unknown kind', (d) => void ((d.fields[0] ?? {}).kind = 'colour'), 'doc.fields.0.kind'],
    ['a hue off the wheel', (d) => void (d.hue = 400), 'doc.hue'],
    ['an unknown unit', (d) => void (d.coinUnit = '大洋'), 'doc.coinUnit'],
    ['a number that is none', (d) => void ((d.fields[2] ?? {}).max = 'viel'), 'doc.fields.2.max'],
    ['a part that there is not', (d) => void (d.price = 1), 'doc'],
  ])('%s is an invalid document and is not stored', async (_, edit, field) => {
    const result = await game.save(edit as never);
    expect([result.status, result.field]).toEqual([422, field]);
    expect((await game.info()).draft).toBeNull();
  });

  test('are stored for one of two concurrent saves; the other gets the editor’s name, and nothing is overwritten', async () => {
    await game.save(complete);
    const { draft, version } = await game.info();
    const people = [editor, other];
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, n) => {
        const doc = { ...structuredClone(draft?.doc as GameDoc), hot: 100 + n };
        const staff = people[n % 2] as TestStaff;
        return staff.client.call(c.saveGameDraft, { gameId: 1, rev: draft?.rev ?? 0, base: version, doc });
      }),
    );
    const won = results.findIndex(({ code }) => code === 0);
    expect(results.filter(({ code }) => code === 0)).toHaveLength(1);
    const lost = results.filter(({ code }) => code !== 0);
    expect(new Set(lost.map(({ code, field }) => `${code} ${field}`))).toEqual(
      new Set([`${codes.GAME_CHANGED[0]} rev`]),
    );
    const { rows } = await sql<{ name: string }>`select name from staff where id = ${people[won % 2]?.id ?? 0}`.execute(
      m.t.ctx.db,
    );
    expect(lost[0]?.msg).toBe(`${rows[0]?.name}刚改过这份草稿，您的改动还没有保存`);
    expect((await game.info()).draft).toMatchObject({ rev: (draft?.rev ?? 0) + 1, doc: { hot: 100 + won } });
    await game.dropDraft();
  });

  test('a draft of an older version, or one that has changed since, is not published', async () => {
    await game.save(complete);
    await game.save((doc) => void (doc.hot = 7));
    const { draft, version } = await game.info();
    const at = { gameId: 1, rev: draft?.rev ?? 0, version, reason: '测试发布' };
    expect((await editor.client.call(c.publishGame, { ...at, rev: at.rev - 1 })).code).toBe(codes.GAME_CHANGED[0]);
    expect((await editor.client.call(c.publishGame, { ...at, version: version + 1 })).code).toBe(codes.GAME_CHANGED[0]);
    const all = await Promise.all([editor, other, editor, other].map((s) => s.client.call(c.publishGame, at)));
    expect(all.filter(({ code }) => code === 0)).toHaveLength(1);
    expect(new Set(all.filter(({ code }) => code !== 0).map(({ code }) => code))).toEqual(
      new Set([codes.GAME_CHANGED[0]]),
    );
    expect(await game.info()).toMatchObject({ version: version + 1 + (version === 0 ? 1 : 0), draft: null });
  });
});
