/** The open interface: who is authenticated, what a key may do, and what a person who finds one cannot do. */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { codes, type ErrorName } from '#contract/codes.ts';
import { noticeList } from '#subjects/notices/contract/inbox.ts';
import { pushOrPullGoods, releaseGoods } from '#subjects/goods/contract/goods.ts';
import * as open from '#subjects/open-api/contract/open-api.ts';
import {
  apiKeyCalls,
  apiKeyCreate,
  apiKeyList,
  apiKeyRevoke,
  apiKeyRotate,
} from '#subjects/open-api/contract/open-keys.ts';
import { placeOrder } from '#subjects/orders/contract/order.ts';
import { userInfo } from '#subjects/accounts/contract/user.ts';
import { SIGNING_EXAMPLE } from '#subjects/open-api/rules/api-example.ts';
import { GoodsStatus } from '#contract/rules/statuses.ts';
import { signatureOf } from '#server/access/signed.ts';
import { proveOwner } from '#tests/support/market/proofs.ts';
import { passTime } from '#tests/support/time/clock.ts';
import { type TestApp, testApp, type TestUser } from '#tests/support/servers/build.ts';
import { accountOffer, coinOffer, type OfferFixture, offerFixture } from '#tests/support/goods/offers.ts';
import { newKey, signedCall, type Tampering, type TestKey } from '#tests/support/market/open-api.ts';

let t: TestApp;
let offers: OfferFixture;
let seller: TestUser;
let key: TestKey;

beforeAll(async () => {
  t = await testApp();
  offers = await offerFixture(t);
});
afterAll(async () => await t.close());
beforeEach(async () => {
  seller = await offers.sellerWith(5);
  await proved(seller);
  key = await newKey(seller);
});

const code = (name: ErrorName): number => codes[name][0];
const proved = async (user: TestUser): Promise<void> => {
  await proveOwner(t.ctx.db, user.id);
};
const self = (tampering?: Tampering, by = key) => signedCall(t, by, open.openSelf, {}, tampering);

describe('a signature', () => {
  test('authenticates its seller; the documentation’s example equals the server’s computation', async () => {
    const e = SIGNING_EXAMPLE;
    expect(createHash('sha256').update(e.body).digest('hex')).toBe(e.bodyHash);
    expect(signatureOf(e.secret, e.text)).toBe(e.signature);
    expect(await self()).toMatchObject({
      status: 200,
      code: 0,
      data: { sellerId: String(seller.id), maxDropPercent: 30 },
    });
  });

  test.each<[string, ErrorName, () => Tampering]>([
    ['forged', 'KEY_INVALID', () => ({ signature: 'a'.repeat(64) })],
    ['no signature at all', 'KEY_INVALID', () => ({ signature: 'nonsense' })],
    ['over another address', 'KEY_INVALID', () => ({ signedTarget: '/api/open/goods/list' })],
    ['over another query', 'KEY_INVALID', () => ({ signedTarget: '/api/open/self?a=1' })],
    ['over another body', 'KEY_INVALID', () => ({ signedBody: '{"price":"1.00"}' })],
    ['six minutes old', 'KEY_TIME', () => ({ timestamp: Math.floor(Date.now() / 1000) - 360 })],
    ['six minutes ahead', 'KEY_TIME', () => ({ timestamp: Math.floor(Date.now() / 1000) + 360 })],
    ['with a short number', 'KEY_INVALID', () => ({ nonce: 'short' })],
  ])('is rejected when it is %s', async (_, error, tampering) => {
    expect(await self(tampering())).toMatchObject({ status: 401, code: code(error), data: null });
  });

  test('is valid once, also for concurrent requests', async () => {
    const nonce = 'a-number-used-by-many';
    const replies = await Promise.all(Array.from({ length: 8 }, () => self({ nonce })));
    expect(replies.filter((reply) => reply.code === 0)).toHaveLength(1);
    expect(replies.filter((reply) => reply.code === code('KEY_REPLAY'))).toHaveLength(7);
    expect((await self({ nonce }, await newKey(seller))).code).toBe(0);
  });

  test('gets the same error for an unknown key as for a wrong one', async () => {
    const [unknown, wrong] = [
      await self({}, { ...key, publicId: `yk_${'z'.repeat(20)}` }),
      await self({}, { ...key, secret: 'another secret' }),
    ];
    expect(unknown.code).not.toBe(0);
    expect([unknown.code, unknown.msg]).toEqual([wrong.code, wrong.msg]);
  });

  test('is accepted by the open interface only, which accepts nothing else', async () => {
    const headers = { 'x-api-key': key.publicId, authorization: key.secret };
    const response = await t.client().raw({ method: 'GET', url: userInfo.path, headers });
    expect(response.json().code).toBe(code('LOGIN_REQUIRED'));
    expect((await seller.client.call(open.openSelf, {})).code).toBe(code('KEY_INVALID'));
    const paths = Object.values(open).flatMap((one) => ('path' in one ? [one.path] : []));
    expect(paths.filter((path) => /pay|wallet|withdraw|seal|reveal|refund|ship|confirm/i.test(path))).toEqual([]);
  });
});

describe('a key', () => {
  test('is created by a verified owner who may sell, shown once, stored encrypted, and announced to the owner', async () => {
    const input = { name: '同步', scopes: ['goods.read' as const], days: 30, maxDropPercent: 0 };
    const fresh = await t.newUser();
    expect((await fresh.client.call(apiKeyCreate, input)).code).toBe(code('STEP_UP_REQUIRED'));
    const nobody = await t.newUser({ verified: false, stepUp: true });
    expect((await nobody.client.call(apiKeyCreate, input)).code).toBe(code('REAL_NAME_REQUIRED'));
    const { list } = await seller.client.ok(apiKeyList, {});
    expect(list).toMatchObject([{ name: '库存同步', status: 'active', lastUseTime: null }]);
    expect(JSON.stringify(list)).not.toContain(key.secret);
    const { rows } = await sql<{
      secret: Buffer;
    }>`select secret_enc as secret from api_key where id = ${key.keyId}`.execute(t.ctx.db);
    expect(rows[0]?.secret.includes(Buffer.from(key.secret))).toBe(false);
    await t.relay();
    const titles = (await seller.client.ok(noticeList, {})).list.map(({ title }) => title);
    expect(titles).toContain('新建了开放接口密钥');
  });

  test('names the invalid field in its error', async () => {
    const input = { name: '同步', scopes: ['goods.read' as const], days: 30, maxDropPercent: 30 };
    const fields = await Promise.all(
      [
        { ...input, name: '' },
        { ...input, scopes: [] },
        { ...input, days: 31 },
        { ...input, maxDropPercent: 100 },
        { ...input, networks: ['1.2.3'] },
        { ...input, networks: ['10.0.0.0/8'] },
        { ...input, networks: ['0.0.0.0/0'] },
        { ...input, networks: ['::/0'] },
      ].map(async (one) => (await seller.client.call(apiKeyCreate, one)).field),
    );
    expect(fields).toEqual([
      'name',
      'scopes',
      'days',
      'maxDropPercent',
      ...Array.from({ length: 4 }, () => 'networks.0'),
    ]);
  });

  test('is one of ten at most, also with concurrent requests', async () => {
    const make = () =>
      seller.client.call(apiKeyCreate, { name: '多', scopes: ['goods.read'], days: 30, maxDropPercent: 0 });
    const replies = await Promise.all(Array.from({ length: 12 }, make));
    expect(replies.filter((reply) => reply.code === 0)).toHaveLength(9);
    expect(replies.filter((reply) => reply.code === code('KEY_COUNT'))).toHaveLength(3);
  });

  test('is rotated with an overlap, and ends immediately', async () => {
    await proved(seller);
    const { secret } = await seller.client.ok(apiKeyRotate, { keyId: key.keyId, overlapHours: 24 });
    const next = { ...key, secret };
    expect([(await self()).code, (await self({}, next)).code]).toEqual([0, 0]);
    await passTime(t.ctx.db, 'api_key', { id: key.keyId }, { until: 'previous_until' });
    expect([(await self()).code, (await self({}, next)).code]).toEqual([code('KEY_INVALID'), 0]);
    const { secret: last } = await seller.client.ok(apiKeyRotate, { keyId: key.keyId, overlapHours: 0 });
    expect([(await self({}, next)).code, (await self({}, { ...key, secret: last })).code]).toEqual([
      code('KEY_INVALID'),
      0,
    ]);
    await seller.client.ok(apiKeyRevoke, { keyId: key.keyId });
    expect((await self({}, { ...key, secret: last })).code).toBe(code('KEY_ENDED'));
    expect((await seller.client.call(apiKeyRotate, { keyId: key.keyId, overlapHours: 0 })).code).toBe(
      code('KEY_ENDED'),
    );
  });

  test('expires, and is invalid for a closed or restricted account', async () => {
    const other = await newKey(seller);
    await passTime(t.ctx.db, 'api_key', { id: other.keyId }, { until: 'expires_at' });
    expect((await self({}, other)).code).toBe(code('KEY_ENDED'));
    const goodsSn = await offers.onSale(seller);
    const write = () => signedCall(t, key, open.openUpdate, { goodsSn, price: '1300.00' });
    await sql`update app_user set status = 2 where id = ${seller.id}`.execute(t.ctx.db);
    expect((await write()).code).toBe(code('USER_BANNED'));
    await sql`update app_user set status = 3, closed_at = now(), erase_at = now() where id = ${seller.id}`.execute(
      t.ctx.db,
    );
    expect((await write()).code).toBe(code('KEY_INVALID'));
  });

  test('works from its addresses only', async () => {
    const bound = await newKey(seller, { networks: ['203.0.113.0/24', '2001:db8:1::/48'] });
    const from = async (ip: string) => (await self({ ip }, bound)).code;
    expect([await from('203.0.113.9'), await from('::ffff:203.0.113.9'), await from('2001:db8:1::5')]).toEqual([
      0, 0, 0,
    ]);
    expect([await from('203.0.114.9'), await from('2001:db8:2::5')]).toEqual([
      code('KEY_NETWORK'),
      code('KEY_NETWORK'),
    ]);
  });

  test('is logged for its owner only, including rejections', async () => {
    await self();
    await self({ signature: 'b'.repeat(64) });
    await signedCall(t, key, open.openGoods, { goodsSn: 'ZZ0000000' });
    const { list } = await seller.client.ok(apiKeyCalls, { keyId: key.keyId });
    expect(list.map((row) => [row.summary, row.code])).toEqual([
      ['我的一件商品', code('GOODS_NOT_FOUND')],
      ['密钥自检', code('KEY_INVALID')],
      ['密钥自检', 0],
    ]);
    expect((await seller.client.ok(apiKeyList, {})).list[0]?.lastUseTime).not.toBeNull();
    const other = await t.newUser({ stepUp: true });
    for (const ask of [
      other.client.call(apiKeyCalls, { keyId: key.keyId }),
      other.client.call(apiKeyRevoke, { keyId: key.keyId }),
      other.client.call(apiKeyRotate, { keyId: key.keyId, overlapHours: 0 }),
    ])
      expect((await ask).code).toBe(code('NOT_FOUND'));
  });

  test('has its own rate limit, separate from other keys', async () => {
    const mark = (by: TestKey) => signedCall(t, by, open.openSoldElsewhere, { goodsSn: 'ZZ0000000' });
    const limit = 120;
    // In groups that fit the pool of connections: a call that waits too long for one is answered as overload.
    const replies: number[] = [];
    while (replies.length < limit + 3) {
      const group = Array.from({ length: Math.min(10, limit + 3 - replies.length) }, () => mark(key));
      replies.push(...(await Promise.all(group)).map((reply) => reply.code));
    }
    const counts = Map.groupBy(replies, (reply) => reply);
    expect(Object.fromEntries([...counts].map(([reply, list]) => [reply, list.length]))).toEqual({
      [code('GOODS_NOT_FOUND')]: limit,
      [code('RATE_LIMITED')]: 3,
    });
    expect((await mark(await newKey(seller))).code).toBe(code('GOODS_NOT_FOUND'));
  });
});

describe('calls with a key', () => {
  test('publish once per number, and read, edit, price and count listings without one', async () => {
    const offer = accountOffer();
    const publish = () => signedCall(t, key, open.openPublish, offer, { idempotencyKey: 'publish-1' });
    const [first, again] = [await publish(), await publish()];
    expect([first.code, again.data]).toEqual([0, first.data]);
    const { goodsSn } = first.data;
    expect(await offers.events(goodsSn)).toEqual(['published']);
    expect((await signedCall(t, key, open.openGoodsList, { status: GoodsStatus.Reviewing })).data.list).toMatchObject([
      { goodsSn },
    ]);
    await offers.approve(goodsSn);
    const detail = (await signedCall(t, key, open.openGoods, { goodsSn })).data;
    const edited = await signedCall(t, key, open.openEdit, {
      goodsSn,
      bigTitle: '改过的标题 全英雄',
      description: detail.description,
      price: detail.price,
      areaId: 2001,
      serverId: 201001,
      details: detail.details,
      ensureOpen: detail.ensureOpen,
    });
    expect(edited).toMatchObject({ code: 0, data: { status: GoodsStatus.Reviewing } });
    const coin = await offers.onSale(seller, coinOffer());
    expect((await signedCall(t, key, open.openUpdate, { goodsSn: coin, price: '30.00', stock: 7 })).data).toEqual({
      goodsSn: coin,
      price: '30.00',
      stock: 7,
      status: GoodsStatus.OnSale,
    });
    expect(await signedCall(t, key, open.openUpdate, { goodsSn, stock: 2 })).toMatchObject({
      code: code('BAD_INPUT'),
      field: 'stock',
    });
    const many = await signedCall(t, key, open.openUpdateMany, {
      list: [
        { goodsSn: coin, stock: 9 },
        { goodsSn: 'ZZ0000000', price: '9.00' },
        { goodsSn: coin, act: 'pull' },
      ],
    });
    expect(many.data).toMatchObject({
      done: 1,
      list: [
        { ok: true, stock: 9, status: GoodsStatus.OffSale },
        { ok: false, code: code('GOODS_NOT_FOUND') },
      ],
    });
  });

  test('do only what its scopes name', async () => {
    const goodsSn = await offers.onSale(seller);
    const calls = {
      'goods.read': () => signedCall(t, reader, open.openGoodsList, {}),
      'goods.write': () => signedCall(t, reader, open.openPublish, accountOffer()),
      'stock.write': () => signedCall(t, reader, open.openUpdate, { goodsSn, price: '1290.00' }),
      'orders.read': () => signedCall(t, reader, open.openOrderList, {}),
    };
    let reader = key;
    const results: Record<string, number[]> = {};
    for (const scope of ['goods.read', 'goods.write', 'stock.write', 'orders.read'] as const) {
      reader = await newKey(seller, { scopes: [scope] });
      results[scope] = [];
      for (const ask of Object.values(calls)) results[scope].push((await ask()).code);
    }
    const no = code('KEY_SCOPE');
    expect(results).toEqual({
      'goods.read': [0, no, no, no],
      'goods.write': [no, 0, no, no],
      'stock.write': [no, no, 0, no],
      'orders.read': [no, no, no, 0],
    });
    expect(
      Object.values(open).filter((one) => 'auth' in one && (one.auth !== 'key' || one.scope === undefined)),
    ).toEqual([]);
  });

  test('do not find goods and orders of another seller', async () => {
    const other = await offers.sellerWith(5);
    const goodsSn = await offers.onSale(other);
    const buyer = await t.newUser({ balanceFen: 1_000_000 });
    const before = await offers.own(other, goodsSn);
    const replies = [
      await signedCall(t, key, open.openGoods, { goodsSn }),
      await signedCall(t, key, open.openUpdate, { goodsSn, price: '1000.00' }),
      await signedCall(t, key, open.openSoldElsewhere, { goodsSn }),
      await signedCall(t, key, open.openEdit, { goodsSn, bigTitle: '别人的商品', price: '1000.00' }),
    ];
    expect(replies.map((reply) => reply.code)).toEqual(replies.map(() => code('GOODS_NOT_FOUND')));
    expect(await offers.own(other, goodsSn)).toEqual(before);
    const { orderSn } = await buyer.client.ok(placeOrder, { goodsSn });
    expect((await signedCall(t, key, open.openOrderDetail, { orderSn })).code).toBe(code('ORDER_NOT_FOUND'));
    expect((await signedCall(t, key, open.openOrderList, {})).data.list).toEqual([]);
    const theirs = await newKeyOf(other);
    const { data } = await signedCall(t, theirs, open.openOrderDetail, { orderSn });
    expect(data).toMatchObject({ orderSn, goodsSn, status: 0, netPrice: expect.stringMatching(/^\d+\.\d\d$/) });
    for (const secret of [buyer.nickName, buyer.phone, buyer.realName])
      expect(JSON.stringify(data)).not.toContain(secret);
  });

  test('limit price cuts by a thief: directly, in steps, and by an edit', async () => {
    const goodsSn = await offers.onSale(seller, { price: '1000.00' });
    const price = async (to: string) => await signedCall(t, key, open.openUpdate, { goodsSn, price: to });
    expect(await price('1.00')).toMatchObject({ code: code('KEY_DROP'), field: 'price' });
    expect((await price('700.00')).code).toBe(0);
    expect((await price('690.00')).code).toBe(code('KEY_DROP'));
    const { bigTitle: _, ...body } = accountOffer();
    const edit = { ...body, goodsSn, bigTitle: '改过的标题 全英雄', price: '5.00', accountNo: undefined };
    expect((await signedCall(t, key, open.openEdit, edit)).code).toBe(code('KEY_DROP'));
    const many = await signedCall(t, key, open.openUpdateMany, { list: [{ goodsSn, price: '1.00' }] });
    expect(many.data.list).toMatchObject([{ ok: false, code: code('KEY_DROP') }]);
    const strict = await newKey(seller, { maxDropPercent: 0 });
    expect((await signedCall(t, strict, open.openUpdate, { goodsSn, price: '699.00' })).code).toBe(code('KEY_DROP'));
    expect((await signedCall(t, strict, open.openUpdate, { goodsSn, price: '2000.00' })).code).toBe(0);
    expect((await seller.client.call(pushOrPullGoods, { goodsSn, act: 'pull' })).code).toBe(0);
    expect((await seller.client.call(releaseGoods, accountOffer({ price: '1.00' }))).code).toBe(0);
  });
});

/** A key of another seller. */
async function newKeyOf(other: TestUser): Promise<TestKey> {
  await proved(other);
  return await newKey(other);
}

describe('a listing sold elsewhere', () => {
  const sold = (goodsSn: string) => signedCall(t, key, open.openSoldElsewhere, { goodsSn });

  test('leaves the search, and a repeated call changes nothing', async () => {
    const goodsSn = await offers.onSale(seller);
    expect((await offers.searched(seller)).has(goodsSn)).toBe(true);
    expect(await sold(goodsSn)).toMatchObject({ code: 0, data: { status: GoodsStatus.OffSale } });
    expect((await offers.searched(seller)).has(goodsSn)).toBe(false);
    expect((await sold(goodsSn)).code).toBe(0);
    expect(await offers.events(goodsSn)).toEqual(['published', 'approved', 'off']);
  });

  test('is rejected when an order holds it, with a message what to do', async () => {
    const goodsSn = await offers.onSale(seller);
    const buyer = await t.newUser({ balanceFen: 1_000_000 });
    const { orderSn } = await buyer.client.ok(placeOrder, { goodsSn });
    expect(await sold(goodsSn)).toMatchObject({
      status: 409,
      code: code('GOODS_HELD'),
      msg: expect.stringContaining(orderSn),
    });
    expect((await offers.own(seller, goodsSn)).status).toBe(GoodsStatus.Locked);
  });

  test('concurrent with an order: exactly one succeeds', async () => {
    for (let round = 0; round < 6; round++) {
      const goodsSn = await offers.onSale(seller);
      const buyers = await Promise.all([0, 1].map(() => t.newUser({ balanceFen: 1_000_000 })));
      const [mark, ...orders] = await Promise.all([
        sold(goodsSn),
        ...buyers.map((buyer) => buyer.client.call(placeOrder, { goodsSn })),
      ]);
      const placed = orders.filter((one) => one.code === 0).length;
      expect(placed + (mark?.code === 0 ? 1 : 0)).toBe(1);
      expect((await offers.own(seller, goodsSn)).status).toBe(placed === 1 ? GoodsStatus.Locked : GoodsStatus.OffSale);
    }
  });
});
