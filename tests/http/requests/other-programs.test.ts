/** Behaviour for a program written from the published document: its tokens, its uploads, and errors that name everything at once. */
import type { AddressInfo } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codes } from '#contract/codes.ts';
import type { Envelope } from '#contract/endpoint.ts';
import { getGoodsUpperConf, releaseGoods } from '#subjects/goods/contract/goods.ts';
import { placeOrder } from '#subjects/orders/contract/order.ts';
import { login, userInfo } from '#subjects/accounts/contract/user.ts';
import { lostToken } from '#server/access/session.ts';
import { type TestApp, testApp } from '#tests/support/servers/build.ts';
import { accountOffer, type OfferFixture, offerFixture, pictureFile } from '#tests/support/goods/offers.ts';

const PASSWORD = 'long-enough-7';

let t: TestApp;
let offers: OfferFixture;
let origin: string;

beforeAll(async () => {
  t = await testApp();
  offers = await offerFixture(t);
  await t.app.http.listen({ port: 0, host: '127.0.0.1' });
  origin = `http://localhost:${(t.app.http.server.address() as AddressInfo).port}`;
});
afterAll(async () => await t.close());

/** The token of a log-in by a program, which works alone. */
async function appToken(): Promise<string> {
  const user = await t.newUser({ password: PASSWORD });
  const { token } = await t.client().ok(login, { username: user.phone, password: PASSWORD, client: 'app' });
  return token;
}

async function send(path: string, init: RequestInit): Promise<{ status: number } & Envelope<Record<string, unknown>>> {
  const response = await fetch(`${origin}${path}`, init);
  return { status: response.status, ...((await response.json()) as Envelope<Record<string, unknown>>) };
}

describe('a token', () => {
  test('is accepted with and without the word Bearer, and by a client that sends it by every scheme', async () => {
    const token = await appToken();
    for (const headers of [
      { authorization: token },
      { authorization: `Bearer ${token}` },
      { authorization: `bearer ${token}` },
      { authorization: `Bearer ${token}`, cookie: `sid=${token}` },
    ] as Record<string, string>[])
      expect((await send(userInfo.path, { headers })).code, JSON.stringify(Object.keys(headers))).toBe(0);
    for (const headers of [
      { authorization: `Basic ${token}` },
      { authorization: `Bearer ${token}x` },
      { cookie: `sid=${token}` },
    ] as Record<string, string>[])
      expect((await send(userInfo.path, { headers })).status).toBe(401);
  });

  test('does not work alone if it is from a browser session, and the message names the missing part', async () => {
    const user = await t.newUser();
    const alone = t.client();
    alone.token = user.client.token;
    const { status, code, msg } = await alone.call(userInfo, {});
    expect([status, code]).toEqual([401, codes.LOGIN_REQUIRED[0]]);
    // The specified client reacts to this text.
    expect(msg).toContain('登录已过期');
    expect(msg).toContain('client=app');
    expect((await t.client().call(userInfo, {})).msg).toBe(codes.LOGIN_REQUIRED[2]);
  });
});

test('a session whose browser lost its readable cookie gets that one again, and no other', async () => {
  const user = await t.newUser();
  const sid = user.client.jar.get('sid');
  const caller = { user: null, staff: null, sid };
  const request = (cookies: Record<string, string>) => ({ cookies }) as unknown as FastifyRequest;
  const lost = lostToken(t.ctx, request({}), caller);
  expect(lost?.value).toBe(user.client.token);
  expect(lostToken(t.ctx, request({ token: 'of another session' }), caller)?.value).toBe(user.client.token);
  expect(lostToken(t.ctx, request({ token: user.client.token ?? '' }), caller)).toBeUndefined();
  expect(lostToken(t.ctx, request({}), { ...caller, sid: undefined })).toBeUndefined();
});

test('a visitor gets 401 whatever the input lacks', async () => {
  const visitor = t.client();
  expect((await visitor.call(placeOrder, {} as never)).status).toBe(401);
  expect((await visitor.call(releaseGoods, {} as never)).status).toBe(401);
});

describe('an upload', () => {
  const file = async () => new Blob([new Uint8Array(await pictureFile('jpeg'))], { type: 'image/jpeg' });
  const purposeOf = async (key: unknown): Promise<string | undefined> => {
    const { rows } = await sql<{ purpose: string }>`select purpose from picture where key = ${String(key)}`.execute(
      t.ctx.db,
    );
    return rows[0]?.purpose;
  };

  test.each(['before', 'after'])('takes its fields from the multipart body, %s the file', async (place) => {
    const body = new FormData();
    if (place === 'before') body.append('purpose', 'evidence');
    body.append('file', await file(), 'a.jpg');
    if (place === 'after') body.append('purpose', 'evidence');
    const { code, data } = await send('/api/comm/upload', {
      method: 'POST',
      body,
      headers: { authorization: `Bearer ${await appToken()}` },
    });
    expect(code).toBe(0);
    expect(await purposeOf(data?.key)).toBe('evidence');
  });

  test('accepts a table in the documented form', async () => {
    const body = new FormData();
    body.append('kind', 'stock');
    body.append('file', new Blob(['编号,价格\nSJ1,10\n'], { type: 'text/csv' }), 'stock.csv');
    const { code, data } = await send('/api/goods/import/upload', {
      method: 'POST',
      body,
      headers: { authorization: await appToken() },
    });
    expect([code, data?.kind]).toEqual([0, 'stock']);
  });

  test('names a wrong field, the missing file, and a call that takes no files', async () => {
    const headers = { authorization: await appToken() };
    const wrong = new FormData();
    wrong.append('file', await file(), 'a.jpg');
    wrong.append('purpose', 'nonsense');
    expect((await send('/api/comm/upload', { method: 'POST', body: wrong, headers })).field).toBe('purpose');
    const empty = new FormData();
    empty.append('purpose', 'goods');
    expect((await send('/api/comm/upload', { method: 'POST', body: empty, headers })).field).toBe('file');
    const twice = new FormData();
    for (const purpose of ['goods', 'chat']) twice.append('purpose', purpose);
    expect((await send('/api/comm/upload', { method: 'POST', body: twice, headers })).status).toBe(400);
    const form = new FormData();
    form.append('goodsSn', 'SJ0000001');
    expect((await send('/api/order/placeOrder', { method: 'POST', body: form, headers })).status).toBe(415);
  });
});

describe('the publishing form', () => {
  test('names everything that a publication needs, and a publication made of it succeeds', async () => {
    const seller = await offers.sellerWith(5);
    const offer = accountOffer();
    const { gameId, goodsTypeId } = offer;
    const form = await seller.client.ok(getGoodsUpperConf, { gameId, goodsTypeId });
    const required = form.inputs.filter((input) => input.required).map(({ key }) => key);
    expect(required).toEqual(['bigTitle', 'price', 'areaId', 'serverId', 'accountNo']);
    const known = new Set<string>([...form.inputs.map(({ key }) => key), 'details', 'gameId', 'goodsTypeId']);
    expect(Object.keys(offer).filter((name) => !known.has(name) && !/^(bargain|ensure)Open$/.test(name))).toEqual([]);
    expect((await seller.client.call(releaseGoods, offer)).code).toBe(0);
  });

  test('errors come all at once, in the order of the form', async () => {
    const seller = await offers.sellerWith(5);
    const { gameId, goodsTypeId } = accountOffer();
    const form = await seller.client.ok(getGoodsUpperConf, { gameId, goodsTypeId });
    const bare = await seller.client.call(releaseGoods, { gameId, goodsTypeId } as never);
    expect(bare.errors?.map(({ field }) => field)).toEqual(['bigTitle', 'price']);
    const { field, msg, errors } = await seller.client.call(releaseGoods, {
      gameId,
      goodsTypeId,
      bigTitle: '荣耀王者 全英雄',
      price: '100',
      stock: '2',
    });
    const details = form.fields.filter((one) => one.required).map(({ key }) => `details.${key}`);
    expect(errors?.map((one) => one.field)).toEqual(['areaId', ...details, 'stock', 'accountNo']);
    expect({ field, msg }).toEqual(errors?.[0]);
  });
});
