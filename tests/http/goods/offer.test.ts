import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { codes } from '#contract/codes.ts';
import type { Input } from '#contract/endpoint.ts';
import { bargaining, bargainingList, sellerAgreedBargain } from '#subjects/offers/contract/offers.ts';
import * as c from '#subjects/goods/contract/goods.ts';
import { placeOrder, quoteOrder } from '#subjects/orders/contract/order.ts';
import { reviewItem, reviewQueue } from '#subjects/goods/server/service.ts';
import { type TestApp, testApp, type TestUser } from '#tests/support/servers/build.ts';
import {
  accountBody,
  accountOffer,
  type OfferFixture,
  offerFixture,
  pictureFile,
  sendPicture,
} from '#tests/support/goods/offers.ts';

let t: TestApp;
let offers: OfferFixture;
let seller: TestUser;

beforeAll(async () => {
  t = await testApp({ env: { DATABASE_POOL: '20' } });
  offers = await offerFixture(t);
});
afterAll(async () => await t.close());
// A person may publish sixty times a minute.
beforeEach(async () => {
  seller = await offers.sellerWith(5);
});

describe('services', () => {
  test.each([
    ['60', 'is_booster', '代练套餐'],
    ['61', 'is_accompanyer', '陪玩套餐'],
  ] as const)('type %s is published as a package, and never as a listing', async (goodsTypeId, column, word) => {
    const conf = { gameId: '2', goodsTypeId };
    await sql`update app_user set ${sql.ref(column)} = true where id = ${seller.id}`.execute(t.ctx.db);
    const { accountNo: _, ...offer } = accountOffer({ ...conf, bigTitle: '上分服务 稳定靠谱', stock: 20 });
    for (const rejected of [
      await seller.client.call(c.getGoodsUpperConf, conf),
      await seller.client.call(c.releaseGoods, offer),
    ])
      expect([rejected.code, rejected.msg]).toEqual([codes.GOODS_TYPE_UNSUPPORTED[0], expect.stringContaining(word)]);
  });
});

test('D2: sending a listing again under its key returns the same one, even at the seller’s limit', async () => {
  const key = { idempotencyKey: `publish-again-${seller.id}` };
  const offer = accountOffer({ accountNo: 'sent-twice' });
  const first = await seller.client.ok(c.releaseGoods, offer, key);
  await sql`update real_name set status = 3 where user_id = ${seller.id}`.execute(t.ctx.db);
  await sql`update app_user set auth_status = 0 where id = ${seller.id}`.execute(t.ctx.db);
  expect(await seller.client.ok(c.releaseGoods, offer, key)).toEqual(first);
  expect((await seller.client.call(c.releaseGoods, offer)).code).toBe(codes.REAL_NAME_REQUIRED[0]);
  const other = await seller.client.call(c.releaseGoods, { ...offer, price: '1.00' }, key);
  expect(other.code).toBe(codes.IDEMPOTENCY_MISMATCH[0]);
});

test('bargain-for-other-goods: an agreed price ends when its listing is changed into something else', async () => {
  const goodsSn = await offers.onSale(seller);
  await sql`update goods set bargain_ok = true where sn = ${goodsSn}`.execute(t.ctx.db);
  const buyer = await t.newUser({ balanceFen: 500_000 });
  const { bargainId } = await buyer.client.ok(bargaining, { goodsSn, price: '1000.00' });
  await seller.client.ok(sellerAgreedBargain, { bargainId });
  // Changing only the terms keeps it: the goods are the same.
  await seller.client.ok(c.onlySetupGoodsPrice, { goodsSn, price: '1300.00' });
  await t.relay();
  const quoted = async () => await buyer.client.ok(quoteOrder, { goodsSn, bargainId });
  expect((await quoted()).totalPrice).toBe('1010.00');
  const body = accountBody({ price: '9000.00', bigTitle: '荣耀王者 全英雄 贵族十级 稀有皮肤' });
  await seller.client.ok(c.updatetGoods, { goodsSn, ...body, bargainOpen: '1' } as never);
  await t.relay();
  await offers.approve(goodsSn);
  const { list } = await buyer.client.ok(bargainingList, { belong: '0' });
  expect(list.map(({ status, statusText }) => [status, statusText])).toEqual([
    [6, '卖家修改了商品，谈过的价格不再有效，可按新内容重新出价'],
  ]);
  const rejected = await buyer.client.call(placeOrder, { goodsSn, bargainId });
  expect(rejected.code).toBe(codes.BARGAIN_STATE[0]);
});

describe('P1: an account whose credentials were opened', () => {
  /** Listed, then back off sale after an order in which its credentials were opened (order_step does it; tests/http/orders/guards.test.ts). */
  async function seenAccount(accountNo: string): Promise<string> {
    const goodsSn = await offers.onSale(seller, { accountNo });
    await sql`update goods set status = 3, password_due_at = now() where sn = ${goodsSn}`.execute(t.ctx.db);
    return goodsSn;
  }
  const publish = async (more: object) => await seller.client.call(c.releaseGoods, accountOffer(more));
  const dueOf = async (sn: string): Promise<boolean | undefined> =>
    (
      await sql<{ due: boolean }>`select password_due_at is not null as due from goods where sn = ${sn}`.execute(
        t.ctx.db,
      )
    ).rows[0]?.due;

  test('cannot be published again after removing the listing, until the seller declares a new password', async () => {
    const accountNo = 'seen-removed';
    const goodsSn = await seenAccount(accountNo);
    await seller.client.ok(c.pushOrPullGoods, { goodsSn, act: 'remove' });
    expect((await publish({ accountNo })).code).toBe(codes.GOODS_PASSWORD_DUE[0]);
    const again = await publish({ accountNo, passwordChanged: true });
    expect(again.code).toBe(0);
    expect(await dueOf(goodsSn)).toBe(false);
    const textMessage = await sql`select from goods_event e join goods g on g.id = e.goods_id
      where g.sn = ${again.data?.goodsSn ?? ''} and e.detail->>'passwordChanged' = 'true'`.execute(t.ctx.db);
    expect(textMessage.rows).toHaveLength(1);
  });

  test('cannot be published again by editing another listing into it, or by editing its own listing away and back', async () => {
    const accountNo = 'seen-edited';
    const goodsSn = await seenAccount(accountNo);
    const edit = async (more: object) =>
      await seller.client.call(c.updatetGoods, { goodsSn, ...accountBody(), ...more });
    expect((await edit({ accountNo: 'another-account' })).code).toBe(codes.GOODS_PASSWORD_DUE[0]);
    expect(await dueOf(goodsSn)).toBe(true);
    await seller.client.ok(c.pushOrPullGoods, { goodsSn, act: 'remove' });
    const other = await offers.onSale(seller, { accountNo: 'quite-another' });
    const into = await seller.client.call(c.updatetGoods, { goodsSn: other, ...accountBody(), accountNo });
    expect(into.code).toBe(codes.GOODS_PASSWORD_DUE[0]);
  });
});

describe('from the form to search', () => {
  test('published goods are pending, then approved, and immediately found by text, code and filter', async () => {
    const picture = await sendPicture(seller.client, await pictureFile('jpeg'), { type: 'image/jpeg' });
    const { goodsSn, status } = await seller.client.ok(
      c.releaseGoods,
      accountOffer({ bigTitle: '国服貂蝉 绝版皮肤', pictures: JSON.stringify([picture.data.key]) }),
    );
    expect(status).toBe(1);
    const visitor = t.client();
    expect((await visitor.call(c.goodsInfo, { goodsSn })).code).not.toBe(0);
    expect((await visitor.ok(c.getGoodsList, { keyWord: '貂蝉' })).list).toEqual([]);
    const { list } = await reviewQueue(t.ctx, { distId: null, limit: 20 });
    const item = list.find((i) => i.goodsSn === goodsSn);
    expect(item).toMatchObject({
      title: '国服貂蝉 绝版皮肤',
      gameName: '王者荣耀',
      areaName: '安卓QQ',
      serverName: '1区',
      priceFen: 128_800,
      again: false,
      lastReason: null,
      sameAccount: 0,
    });
    expect(item?.attrs).toContainEqual({ key: 'skin_count', label: '皮肤数量', value: '320款' });
    expect(item?.pictures).toHaveLength(1);
    await offers.approve(goodsSn);
    for (const query of [
      { keyWord: '貂蝉' },
      { keyWord: goodsSn },
      {
        gameId: '2',
        goodsTypeId: '1',
        areaId: '2001',
        serverId: '201001',
        details: '{"skin_count":{"min":320,"max":320}}',
      },
    ]) {
      const found = await visitor.ok(c.getGoodsList, query);
      expect(found.list.map((g) => g.goodsSn)).toContain(goodsSn);
    }
    const view = await visitor.ok(c.goodsInfo, { goodsSn });
    expect(view).toMatchObject({ price: '1288.00', allInPrice: '1300.88', source: '自己注册' });
    // The drawn cover comes after the seller's pictures.
    expect(view.pictures).toMatchObject([
      { width: 900, height: 500 },
      { width: 560, height: 315 },
    ]);
    expect(await offers.events(goodsSn)).toEqual(['published', 'approved']);
    expect(await offers.own(seller, goodsSn)).toMatchObject({
      status: 2,
      statusName: '出售中',
      net: '1223.60',
      areaText: '安卓QQ / 1区',
    });
  });

  test('P18: a sentence with contact data is removed, HTML stays text, invisible characters are removed', async () => {
    const goodsSn = await offers.published(seller, {
      bigTitle: '<b>满级</b> 加V\u200b信:abc123456 联系',
      description: '自用号。电话 138\u200b00001111 更便宜\n<script>alert(1)</script>',
    });
    const mine = await seller.client.ok(c.selfGoods, { goodsSn });
    expect(mine.bigTitle).toBe('<b>满级</b>');
    expect(mine.description).toBe('自用号。<script>alert(1)</script>');
  });

  test('the same key returns the same goods; another offer under it is rejected', async () => {
    const offer = accountOffer();
    const idempotencyKey = 'release-1';
    const twice = await Promise.all([
      seller.client.ok(c.releaseGoods, offer, { idempotencyKey }),
      seller.client.ok(c.releaseGoods, offer, { idempotencyKey }),
    ]);
    expect(twice[0]).toEqual(twice[1]);
    const other = await seller.client.call(c.releaseGoods, { ...offer, price: '9.00' }, { idempotencyKey });
    expect(other.code).toBe(codes.IDEMPOTENCY_MISMATCH[0]);
  });

  test("the game's form comes with the price bounds of this seller", async () => {
    const form = await seller.client.ok(c.getGoodsUpperConf, { gameId: 1, goodsTypeId: 2 });
    expect(form.fields.map((f) => f.key)).toEqual(['amount', 'delivery', 'min_lot']);
    expect(form).toMatchObject({
      gameName: '地下城与勇士',
      minPrice: '1.00',
      maxPrice: '999999.00',
      newSellerText: null,
    });
    const newcomer = await t.newUser();
    const limited = await newcomer.client.ok(c.getGoodsUpperConf, { gameId: 2, goodsTypeId: 1 });
    expect(limited).toMatchObject({ maxPrice: '3000.00' });
    expect(limited.newSellerText).toContain('还可发布 10 件');
  });
});

test('the form has no reference where too few accounts were sold', async () => {
  const form = await seller.client.ok(c.getGoodsUpperConf, {
    gameId: 2,
    goodsTypeId: 1,
    details: { skin_count: '320' },
  });
  expect([form.gameId, form.band]).toEqual([2, null]);
});

describe('who may publish', () => {
  test('no one without a session, a verified name or under eighteen', async () => {
    expect((await t.client().call(c.releaseGoods, accountOffer())).code).toBe(codes.LOGIN_REQUIRED[0]);
    const unnamed = await t.newUser({ verified: false });
    const rejected = await unnamed.client.call(c.releaseGoods, accountOffer());
    expect(rejected.code).toBe(codes.REAL_NAME_REQUIRED[0]);
    const minor = await t.newUser({ birthDate: '20200101' });
    expect((await minor.client.call(c.releaseGoods, accountOffer())).code).toBe(codes.REAL_NAME_MINOR[0]);
  });

  test('a new seller may publish ten goods of at most 3000 yuan, also of twenty concurrent requests', async () => {
    const newcomer = await t.newUser();
    const dear = await newcomer.client.call(c.releaseGoods, accountOffer({ price: '3000.01' }));
    expect(dear.code).toBe(codes.GOODS_NEW_SELLER_PRICE[0]);
    const sent = await Promise.all(
      Array.from({ length: 20 }, () => newcomer.client.call(c.releaseGoods, accountOffer({ price: '3000.00' }))),
    );
    expect(sent.filter((r) => r.code === 0)).toHaveLength(10);
    expect(sent.filter((r) => r.code === codes.GOODS_NEW_SELLER_COUNT[0])).toHaveLength(10);
    const [mine] = (await newcomer.client.ok(c.selfPublishGoodsList, {})).list;
    const raised = await newcomer.client.call(c.onlySetupGoodsPrice, { goodsSn: mine?.goodsSn ?? '', price: '3001' });
    expect(raised.code).toBe(codes.GOODS_NEW_SELLER_PRICE[0]);
  });

  test('one account is listed once, also by two concurrent sellers, and again after removal', async () => {
    const other = await offers.sellerWith(5);
    const offer = accountOffer({ accountNo: 'Wx 12345' });
    const same = { ...offer, accountNo: 'ｗｘ１２３４５' };
    const both = await Promise.all([
      seller.client.call(c.releaseGoods, offer),
      other.client.call(c.releaseGoods, same),
    ]);
    expect(both.map((r) => r.code).toSorted((a, b) => a - b)).toEqual([0, codes.GOODS_DUPLICATE[0]]);
    const winner = both[0]?.code === 0 ? seller : other;
    const goodsSn = both.find((r) => r.code === 0)?.data.goodsSn ?? '';
    await winner.client.ok(c.pushOrPullGoods, { goodsSn, act: 'remove' });
    const again = await other.client.ok(c.releaseGoods, same);
    expect((await reviewItem(t.ctx, again.goodsSn, null)).sameAccount).toBe(1);
  });
});

describe('invalid input is rejected with its own message and stores nothing', () => {
  const details = accountOffer().details as Record<string, unknown>;
  const bad: [string, Partial<Input<typeof c.releaseGoods>>, RegExp][] = [
    ['no title', { bigTitle: '   ' }, /标题/],
    ['title of three', { bigTitle: '三个字' }, /标题至少 4 个字/],
    ['title of invisible signs', { bigTitle: '\u200b\u200b\u200b\u200b号' }, /标题至少 4 个字/],
    ['long title', { bigTitle: '长'.repeat(121) }, /标题不能超过 120 个字/],
    ['price zero', { price: '0' }, /价格不能低于 1\.00 元/],
    ['negative price', { price: '-5' }, /价格应为正数/],
    ['three decimals', { price: '1.005' }, /最多两位小数/],
    ['price as text', { price: '面议' }, /价格应为正数/],
    ['broken groups in the price', { price: '1,00' }, /价格应为正数/],
    ['price beyond all', { price: '1000000' }, /价格不能超过/],
    ['two of an account', { stock: 2 }, /账号只有一件/],
    ['no area', { areaId: '' }, /请选择大区/],
    ['no server', { serverId: '' }, /请选择服务器/],
    ["another game's area", { areaId: 1001 }, /该游戏没有这个大区/],
    ["another area's server", { serverId: 202001 }, /该大区没有这个服务器/],
    ['a required field left out', { details: { ...details, rank: '' } }, /请选择段位/],
    ['an unknown option', { details: { ...details, rank: 99 } }, /段位的选项不存在/],
    ['beyond the bounds', { details: { ...details, skin_count: 901 } }, /皮肤数量不能大于 900款/],
    ['a fraction', { details: { ...details, skin_count: 1.5 } }, /皮肤数量应为整数/],
    ['yes and no', { details: { ...details, second_realname: 'maybe' } }, /可二次实名请选择是或否/],
    ['a field of no form', { details: { ...details, nonsense: 1 } }, /发布表单已更新/],
    ['details as a list', { details: '[1]' as never }, /./],
    ['details that are no JSON', { details: '{' as never }, /商品属性格式不正确/],
    ['no account number', { accountNo: '' }, /请填写游戏账号/],
    [
      'too many pictures',
      { pictures: JSON.stringify(Array.from({ length: 21 }, (_, i) => `k${i}`)) },
      /图片最多 20 张/,
    ],
    ['a picture that never was', { pictures: JSON.stringify([`${'a'.repeat(26)}-10x10`]) }, /图片不存在/],
    ['a picture key with NUL', { pictures: '["a\\u0000b"]' }, /图片不存在/],
    ['a picture key that is a path', { pictures: '["../../etc/passwd"]' }, /图片不存在/],
    ['no such game', { gameId: 999 }, /游戏不存在/],
    ['no such type', { goodsTypeId: 22 }, /该游戏不支持此商品类型/],
    ['boosting', { goodsTypeId: 60 }, /代练套餐/],
  ];

  test.each(bad)('rejects %s', async (_, overrides, sentence) => {
    const before = await sql<{ n: number }>`select count(*)::int as n from goods`.execute(t.ctx.db);
    const result = await seller.client.call(c.releaseGoods, accountOffer(overrides));
    expect([400, 403, 404, 422]).toContain(result.status);
    expect(result.msg).toMatch(sentence);
    const after = await sql<{ n: number }>`select count(*)::int as n from goods`.execute(t.ctx.db);
    expect(after.rows).toEqual(before.rows);
  });

  test('rejects a picture of another user, and one uploaded for chat', async () => {
    const other = await t.newUser();
    const theirs = await sendPicture(other.client, await pictureFile('png'));
    const chat = await sendPicture(seller.client, await pictureFile('png'), { purpose: 'chat' });
    for (const key of [theirs.data.key, chat.data.key]) {
      const result = await seller.client.call(c.releaseGoods, accountOffer({ pictures: JSON.stringify([key]) }));
      expect(result.code).toBe(codes.PICTURE_BROKEN[0]);
    }
  });
});

describe('drafts', () => {
  const draftKey = 'sell:2:1';

  test('are stored as typed, private to their author, and deleted when the goods are published', async () => {
    const body = { bigTitle: ' 没写完', price: '12.', details: { rank: 3 }, pictures: [] };
    await seller.client.ok(c.saveDraft, { draftKey, body });
    expect((await seller.client.ok(c.getDraft, { draftKey })).body).toEqual(body);
    const other = await t.newUser();
    expect(await other.client.ok(c.getDraft, { draftKey })).toEqual({ body: null, updateTime: null });
    await offers.published(seller);
    expect((await seller.client.ok(c.getDraft, { draftKey })).body).toBeNull();
  });

  test('an empty one is deleted, and a user has at most forty', async () => {
    const user = await t.newUser();
    for (let i = 0; i < 42; i++) await user.client.ok(c.saveDraft, { draftKey: `sell:${i}:1`, body: { n: i } });
    expect((await user.client.ok(c.getDraft, { draftKey: 'sell:1:1' })).body).toBeNull();
    expect((await user.client.ok(c.getDraft, { draftKey: 'sell:2:1' })).body).toEqual({ n: 2 });
    await user.client.ok(c.saveDraft, { draftKey: 'sell:2:1', body: {} });
    expect((await user.client.ok(c.getDraft, { draftKey: 'sell:2:1' })).body).toBeNull();
  });

  test.each([
    ['NUL', '{"a":"\\u0000"}'],
    ['half a character', '{"a":"\\ud800"}'],
    ['bottomless', `${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}`],
    ['no JSON', '{"a"'],
    ['a list', '[]'],
  ])('%s is rejected', async (_, body) => {
    const result = await seller.client.call(c.saveDraft, { draftKey: 'sell:9:9', body: body as never });
    expect(result.code).toBe(codes.BAD_INPUT[0]);
  });
});

describe('pictures', () => {
  test.each(['png', 'jpeg'] as const)(
    'a valid %s is accepted, re-encoded and served in several widths',
    async (kind) => {
      const sent = await sendPicture(seller.client, await pictureFile(kind), { type: `image/${kind}` });
      expect(sent).toMatchObject({ code: 0, data: { width: 900, height: 500 } });
      for (const url of [sent.data.imageUri, `${sent.data.imageUri}?w=320`]) {
        const response = await t.client().raw({ method: 'GET', url });
        expect(response.statusCode).toBe(200);
        expect(response.headers['content-type']).toBe('image/webp');
        expect(response.rawPayload.subarray(8, 12).toString()).toBe('WEBP');
      }
    },
  );

  test('other formats are rejected, whatever the file name', async () => {
    const cases: [Buffer, string, number][] = [
      [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/png', codes.PICTURE_TYPE[0]],
      [Buffer.from('GIF89a'), 'image/gif', codes.PICTURE_TYPE[0]],
      [(await pictureFile('png')).subarray(0, 60), 'image/png', codes.PICTURE_BROKEN[0]],
      [Buffer.alloc(10_001 * 1024), 'image/png', codes.PICTURE_TOO_LARGE[0]],
    ];
    for (const [file, type, code] of cases) expect((await sendPicture(seller.client, file, { type })).code).toBe(code);
    expect((await sendPicture(t.client(), await pictureFile('png'))).code).not.toBe(0);
  });
});
