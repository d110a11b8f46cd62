/**
 * Every served call under input that no honest caller sends: an envelope with a Chinese sentence, never a fault, and what is
 * refused changes nothing. The calls come from the contract, the values from each call's own schema (tests/support/calls/hostile.ts).
 */
import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Endpoint } from '#contract/endpoint.ts';
import { getImGroupIdMap } from '#subjects/chat/contract/im.ts';
import { placeOrder } from '#subjects/orders/contract/order.ts';
import { balancePay, recPay } from '#subjects/payments/contract/pay.ts';
import { endpoints } from '#contract/registry.ts';
import { brokenInvariants } from '#subjects/ledger/server/service.ts';
import { BACKSTAGE_HOST, type TestApp, testApp, type TestUser } from '#tests/support/servers/build.ts';
import { type ChangeWatch, watchChanges } from '#tests/support/database/row-changes.ts';
import type { TestClient } from '#tests/support/servers/client.ts';
import { addGame, addGoods } from '#tests/support/goods/goods.ts';
import { type Good, goodInput, type Probe, probesOf } from '#tests/support/calls/hostile.ts';
import { wrongWith } from '#tests/support/calls/wrong-answer.ts';

const unserved = new Set(readFileSync('tests/support/calls/unserved.txt', 'utf8').split('\n'));
const name = (e: Endpoint): string => `${e.method} ${e.path}`;
const calls = endpoints.filter((e) => !unserved.has(name(e))).map((e, turn) => [name(e), e, turn] as const);

/**
 * Budgets and counted tries are spent by a refusal as well, and hits of blocked words and
 * keywords without result are counted in the background: that is their purpose.
 */
const SPENT_BY_REJECTION = / (limit_counter|sms_code|blocked_word|search_miss|search_miss_visitor)$/;

let t: TestApp;
let watch: ChangeWatch;
let skippedMs = 0;

beforeAll(async () => {
  t = await testApp();
  await addGame(t.ctx, { handover: true });
  await addDistributor();
  watch = await watchChanges(t.ctx);
  // The budgets of one process run on the monotonic clock: an hour passes before each request, so that none answers in a handler's place.
  const real = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => real() + skippedMs);
});
afterAll(async () => {
  vi.restoreAllMocks();
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
});

async function addDistributor(): Promise<void> {
  await sql`insert into distributor (code, name, conf, theme)
    select 'moon', '月光', conf, theme from distributor where id = 1`.execute(t.ctx.db);
  await sql`insert into dist_host (host, dist_id) values ('moon.example', 2)`.execute(t.ctx.db);
  await t.ctx.dir.reload();
}

const FORM = 'application/x-www-form-urlencoded';

interface Person {
  user: TestUser;
  /** Their own rows, by field name. */
  owns: Good;
}

/** Somebody with money, goods on sale, an order to pay, a paid one with its group, and a payment under way. */
async function person(seller: TestUser, host?: string): Promise<Person> {
  const user = await t.newUser({
    balanceFen: 500_000,
    stepUp: true,
    ...(host && { host }),
  });
  const own = await addGoods(t.ctx, { sellerId: user.id });
  const [first, second] = [
    await addGoods(t.ctx, { sellerId: seller.id }),
    await addGoods(t.ctx, { sellerId: seller.id }),
  ];
  const order = await user.client.ok(placeOrder, { goodsSn: first.sn });
  const paid = await user.client.ok(placeOrder, { goodsSn: second.sn });
  await user.client.ok(balancePay, { orderId: paid.orderId });
  const payment = await user.client.ok(recPay, { amount: '12.00' });
  await t.relay();
  const groups = unserved.has(name(getImGroupIdMap))
    ? {}
    : await user.client.ok(getImGroupIdMap, { orderSnList: paid.orderSn });
  return {
    user,
    owns: {
      goodsSn: own.sn,
      orderId: String(order.orderId),
      orderSn: order.orderSn,
      orderSnList: paid.orderSn,
      payRand: payment.payRand,
      payInterSn: payment.payInterSn,
      groupId: groups[paid.orderSn]?.[0]?.groupId ?? '1',
      userId: String(user.id),
      sellerId: String(user.id),
    },
  };
}

/** Fills the fields that name things, for asking which calls have such fields. */
const NOBODY: { owns: Good } = {
  owns: { goodsSn: '', orderId: '', orderSn: '', orderSnList: '', payRand: '', payInterSn: '', groupId: '' },
};

/** Valid input values besides the caller's own numbers. */
const PLAIN: Good = {
  gameId: '1',
  goodsTypeId: '1',
  amount: '10.00',
  price: '10.00',
  pageSize: '5',
  keyWord: '账号',
  nickName: '小游',
  realName: '张三丰',
  smsCode: '123456',
  clientMsgId: 'm-1',
  content: '你好',
  bigTitle: '王者荣耀 全皮肤账号',
  payPassword: '835274',
  code: '123456',
  token: 'a'.repeat(43),
  login: 'xiaoming',
  newPassword: 'Lantern-River-58',
};

/** A signature by a passkey in the form that browsers send. */
const ASSERTION = JSON.stringify({
  id: 'a'.repeat(22),
  rawId: 'a'.repeat(22),
  type: 'public-key',
  response: { clientDataJSON: 'e30', authenticatorData: 'AAAA', signature: 'AAAA' },
});

async function send(client: TestClient, probe: Probe) {
  skippedMs += 3_600_001;
  return await client.raw({
    method: probe.method,
    url: probe.url,
    headers: { ...(probe.type && { 'content-type': probe.type }) },
    ...(probe.payload !== undefined && { payload: probe.payload }),
  });
}

/**
 * Tables that may change during a read: rate limits, view counts, last activity, chat groups created on first use, logged searches and checks,
 * and the hits of blocked words of an earlier write, which are counted in the background.
 */
const READ_NOTES =
  / (limit_counter|goods_view|goods_stat|session|app_user|chat_ticket|chat_group|chat_member|chat_message|audit_(log|seal|head)|verify_query|blocked_word|search_miss|search_miss_visitor)$/;

/** How many of the responses by the schema or the parser are examined together. */
const BATCH = 25;

/** Sends probes one after another; returns what was wrong with any of them. `mayPass` false: not one may be accepted. */
async function sweep(client: TestClient, probes: Iterable<Probe>, mayPass = true): Promise<string[]> {
  const faults: string[] = [];
  let rejected: string[] = [];
  const settle = async (): Promise<void> => {
    const stored = (await watch.take()).filter((what) => !SPENT_BY_REJECTION.test(what));
    if (stored.length > 0) faults.push(`refused, and yet ${stored.join(', ')}: ${rejected.join('; ')}`);
    rejected = [];
  };
  await watch.take();
  for (const probe of probes) {
    const mayReach = probe.isTurnedAway === false;
    if (mayReach && rejected.length > 0) await settle();
    const response = await send(client, probe);
    const wrong = wrongWith(response);
    if (wrong !== undefined) faults.push(`${probe.name}: ${wrong}`);
    if (response.statusCode !== 200) {
      rejected.push(probe.name);
      if (mayReach || rejected.length >= BATCH) await settle();
      continue;
    }
    if (!mayPass || probe.isTurnedAway === true) faults.push(`${probe.name}: accepted ${response.body.slice(0, 100)}`);
    const changed = await watch.take();
    if (probe.method === 'GET' && changed.some((what) => !READ_NOTES.test(what)))
      faults.push(`${probe.name}: a read changed ${changed.join(', ')}`);
  }
  await settle();
  return faults;
}

/** Calls that name another user's goods where the field takes goods. */
const OTHERS_GOODS = /\/(placeOrder|quote|goodsUserFollow|goodsInfo|getAvGoodsList|bargaining)$/;

const good = (endpoint: Endpoint, who: { owns: Good }, other: { owns: Good }): Good =>
  goodInput(endpoint, {
    ...PLAIN,
    ...who.owns,
    ...(/\/passkey\/(login|stepUp)$/.test(endpoint.path) && { response: ASSERTION }),
    ...(OTHERS_GOODS.test(endpoint.path) && { goodsSn: other.owns.goodsSn ?? '' }),
  });

const isStaffCall = (endpoint: Endpoint): boolean =>
  endpoint.auth === 'staff' || endpoint.path.startsWith('/api/backstage/');

/** One request with fields that are all as they should be. */
const honest = (endpoint: Endpoint, input: Good): Probe => {
  const body = new URLSearchParams(input).toString();
  return endpoint.method === 'GET'
    ? { name: JSON.stringify(input), method: 'GET', url: `${endpoint.path}?${body}` }
    : { name: JSON.stringify(input), method: 'POST', url: endpoint.path, payload: body, type: FORM };
};

let seller: TestUser;
let other: Person;
let reader: Person;

beforeAll(async () => {
  seller = await t.newUser();
  other = await person(seller);
  reader = await person(seller);
});

test.each(calls)('%s under bad input', async (_, endpoint, turn) => {
  // Reads change nothing, so they may share one person.
  const me = endpoint.method === 'GET' ? reader : await person(seller);
  const client = isStaffCall(endpoint) ? (await t.newStaff({ role: 'admin' })).client : me.user.client;
  expect(await sweep(client, probesOf(endpoint, good(endpoint, me, other), turn))).toEqual([]);
});

describe('a visitor', () => {
  test('gets an error from calls that need a log-in, on any host', async () => {
    const closed = calls.map(([, e]) => e).filter((e) => e.auth !== 'public');
    expect(closed.length).toBeGreaterThan(30);
    for (const host of ['localhost', 'moon.example', BACKSTAGE_HOST]) {
      const probes = closed.map((e) => honest(e, good(e, other, other)));
      expect(await sweep(t.client({ host }), probes, false)).toEqual([]);
    }
  });

  test('cannot reach calls of staff on a public host, with or without a session', async () => {
    const support = calls.map(([, e]) => e).filter(isStaffCall);
    expect(support.length).toBeGreaterThan(3);
    for (const client of [t.client(), other.user.client, (await t.newStaff()).client]) {
      client.host = 'localhost';
      for (const e of support)
        expect([e.path, (await send(client, honest(e, good(e, other, other)))).json().code]).toEqual([e.path, 4040]);
    }
  });
});

/** Fields that name one thing of one person. */
const OWNED = ['orderId', 'orderSn', 'payRand', 'payInterSn', 'groupId', 'goodsSn', 'orderSnList'];
/** Where another user's number is no error: goods on sale are public (also for questions), and the chat's entry then names no group. */
const OPEN =
  /\/(placeOrder|quote|goodsUserFollow|goodsInfo|getAvGoodsList|bargaining|getImCenterToken|openService|inspection\/again|ask|report\/reasons|goods\/report)$/;

const touching = calls
  .map(([, e]) => e)
  .filter((e) => e.auth === 'login' && !OPEN.test(e.path) && OWNED.some((field) => field in good(e, NOBODY, NOBODY)));

/** Everything that a response lists: rows under whatever name, or the entries of a map. */
function rowsOf(data: Record<string, unknown>): unknown[] {
  const lists = Object.values(data).filter((value) => Array.isArray(value));
  return lists.length > 0 ? lists.flat() : Object.keys(data);
}

describe('ids of other users', () => {
  test.each(touching.map((e) => [name(e), e] as const))('%s', async (_, endpoint) => {
    const [me, abroad] = [await person(seller), await person(seller, 'moon.example')];
    const mine = good(endpoint, me, me);
    const foreign = Object.fromEntries(
      Object.entries(mine).map(([field, value]) => [field, OWNED.includes(field) ? (other.owns[field] ?? '') : value]),
    );
    for (const { user } of [me, abroad]) {
      await watch.take();
      const response = await send(user.client, honest(endpoint, foreign));
      expect(wrongWith(response)).toBeUndefined();
      // A list answers for what is the asker's own: for none.
      if (response.statusCode === 200) expect(rowsOf(response.json().data)).toEqual([]);
      expect((await watch.take()).filter((what) => !SPENT_BY_REJECTION.test(what))).toEqual([]);
    }
  });

  test('staff of one distributor neither see nor change data of another', async () => {
    const operator = await t.newStaff({ role: 'operator', distId: 2 });
    const secrets = [other.user.nickName, other.owns.goodsSn, other.owns.orderSn, other.owns.payRand];
    const support = calls.map(([, e]) => e).filter((e) => e.auth === 'staff' && !/staff(Logout|Info)$/.test(e.path));
    for (const e of support) {
      await watch.take();
      const response = await send(operator.client, honest(e, good(e, other, other)));
      expect([e.path, wrongWith(response)]).toEqual([e.path, undefined]);
      for (const secret of secrets) expect(response.body).not.toContain(secret);
      // Created rows belong to their own site: a team for its leagues.
      const changed = (await watch.take()).filter(
        (what) => !/ (limit_counter|staff_passkey_challenge|audit_(log|seal|head)|league_team)$/.test(what),
      );
      expect([e.path, changed]).toEqual([e.path, []]);
    }
  });
});
