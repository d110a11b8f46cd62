/** Events for sellers' own programs: what is sent to whom, how often it is tried, and which addresses are never called. */
import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { codes } from '#contract/codes.ts';
import { noticeList } from '#subjects/notices/contract/inbox.ts';
import { pushOrPullGoods } from '#subjects/goods/contract/goods.ts';
import * as order from '#subjects/orders/contract/order.ts';
import { WEBHOOK_EXAMPLE } from '#subjects/open-api/rules/api-example.ts';
import { CIRCUIT_FAILS, RETRY_SECONDS, webhookEvents } from '#subjects/open-api/rules/webhooks.ts';
import * as c from '#subjects/open-api/contract/webhooks.ts';
import { publicLookup } from '#server/adapters/public-lookup.ts';
import { httpsWebhooks, retryAfterOf } from '#server/adapters/webhooks/https.ts';
import { listingEvent, orderEvent } from '#server/http/openapi/openapi-webhooks.ts';
import { isLoopback, isPublicAddress } from '#server/kernel/network.ts';
import { webhookSignature } from '#subjects/open-api/server/webhook-send.ts';
import { proveOwner } from '#tests/support/market/proofs.ts';
import { makeDue } from '#tests/support/time/clock.ts';
import { type TestApp, testApp, type TestUser } from '#tests/support/servers/build.ts';
import { type OfferFixture, offerFixture } from '#tests/support/goods/offers.ts';
import { openReceiver, type Receiver } from '#tests/support/servers/receiver.ts';

let t: TestApp;
let offers: OfferFixture;
let seller: TestUser;
let receiver: Receiver;

beforeAll(async () => {
  t = await testApp({ overrides: { webhooks: httpsWebhooks({ isLocalAllowed: true }) } });
  offers = await offerFixture(t);
});
afterAll(async () => await t.close());
beforeEach(async () => {
  seller = await offers.sellerWith(5);
  await proveOwner(t.ctx.db, seller.id);
  receiver = await openReceiver();
});
afterEach(async () => await receiver.close());

const listen = async (events = [...webhookEvents]) =>
  await seller.client.ok(c.webhookCreate, { url: receiver.url, events });
/** Lets every event that is due leave. */
async function pump(): Promise<void> {
  await t.relay();
  await t.timers();
}
const deliveries = async () => (await seller.client.ok(c.webhookDeliveries, {})).list;
const types = (): string[] => receiver.received.map(({ body }) => (JSON.parse(body) as { type: string }).type);
/** Everything that waits is due now. */
const due = () => makeDue(t.ctx.db, 'webhook.send');

test('the documentation’s example is signed like the server’s requests', () => {
  const { secret, id, timestamp, body, signature } = WEBHOOK_EXAMPLE;
  expect(webhookSignature(secret, id, timestamp, body)).toBe(signature);
});

describe('events', () => {
  test('are sent only to the seller of their listing or order, signed, and once', async () => {
    const { secret } = await listen();
    const other = await offers.sellerWith(5);
    await offers.onSale(other);
    const goodsSn = await offers.onSale(seller, { price: '100.00' });
    const buyer = await t.newUser({ balanceFen: 1_000_000 });
    const { orderId } = await buyer.client.ok(order.placeOrder, { goodsSn });
    await buyer.client.ok(order.cancelOrder, { orderId });
    await seller.client.ok(pushOrPullGoods, { goodsSn, act: 'pull' });
    await pump();
    expect(types().toSorted()).toEqual(['goods.approved', 'goods.off', 'order.cancelled']);
    const { headers, body } = receiver.received[0] ?? { headers: {}, body: '' };
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
    expect(body).toContain(goodsSn);
    // Events agree with the document of the open interface.
    for (const one of receiver.received) {
      const { type, data } = JSON.parse(one.body) as { type: string; data: unknown };
      const schema = type.startsWith('goods.') ? listingEvent : orderEvent;
      expect(schema.strict().safeParse(data).error?.issues ?? [], type).toEqual([]);
    }
    for (const own of [buyer.phone, buyer.nickName, buyer.realName])
      expect(receiver.received.map((one) => one.body).join()).not.toContain(own);
    await sql`insert into outbox (topic, payload) values ('order.cancelled', ${JSON.stringify({ orderId })}::jsonb)`.execute(
      t.ctx.db,
    );
    await pump();
    expect(receiver.received).toHaveLength(3);
  });

  test('are not sent when they were not selected', async () => {
    await listen(['order.paid']);
    await offers.onSale(seller);
    await pump();
    expect(await deliveries()).toEqual([]);
  });
});

describe('an event that is not accepted', () => {
  test('is sent again under its own number, later each time, until it is accepted', async () => {
    await listen(['goods.approved']);
    receiver.answer = 500;
    await offers.onSale(seller);
    await pump();
    expect(await deliveries()).toMatchObject([
      { status: 'waiting', attempts: 1, lastStatus: 500, lastFailure: '返回了 HTTP 500' },
    ]);
    await due();
    await pump();
    receiver.answer = 204;
    await due();
    await pump();
    const [delivery] = await deliveries();
    expect(delivery).toMatchObject({ status: 'sent', attempts: 3, lastStatus: 204, nextTime: null });
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(
      new Set([delivery?.publicId]),
    );
    const { tries, body } = await seller.client.ok(c.webhookDelivery, { deliveryId: delivery?.deliveryId ?? 0 });
    expect(tries.map(({ status }) => status)).toEqual([204, 500, 500]);
    expect(tries[1]?.responseHead).toContain('thanks');
    expect(tries[1]?.requestHead).toContain('webhook-signature: v1,');
    expect(JSON.parse(body)).toMatchObject({ type: 'goods.approved', data: { status: 2 } });
  });

  test.each([
    [302, '返回了跳转（HTTP 302），请填写最终地址'],
    [0, '连接被中断'],
  ])('is reported with the response %i', async (answer, failure) => {
    await listen(['goods.approved']);
    receiver.answer = answer;
    await offers.onSale(seller);
    await pump();
    expect(await deliveries()).toMatchObject([{ status: 'waiting', lastFailure: failure }]);
  });

  test('is abandoned after its last attempt, and sent again when its owner requests it', async () => {
    await listen(['goods.approved']);
    receiver.answer = 500;
    await offers.onSale(seller);
    await t.relay();
    for (let attempt = 0; attempt <= RETRY_SECONDS.length; attempt++) {
      await sql`update webhook_endpoint set paused_until = null`.execute(t.ctx.db);
      await due();
      await t.timers();
    }
    const [delivery] = await deliveries();
    expect(delivery).toMatchObject({ status: 'failed', attempts: RETRY_SECONDS.length + 1, nextTime: null });
    receiver.answer = 200;
    const deliveryId = delivery?.deliveryId ?? 0;
    await seller.client.ok(c.webhookReplay, { deliveryId });
    await pump();
    expect(await deliveries()).toMatchObject([{ status: 'sent', publicId: delivery?.publicId }]);
    const other = await t.newUser();
    expect((await other.client.call(c.webhookReplay, { deliveryId })).code).toBe(codes.NOT_FOUND[0]);
    expect((await other.client.call(c.webhookDelivery, { deliveryId })).code).toBe(codes.NOT_FOUND[0]);
  });
});

describe('a receiver', () => {
  test('gets nothing before the time that it names, neither this event nor another', async () => {
    await listen(['goods.approved']);
    receiver.answer = 503;
    receiver.retryAfter = '3600';
    await offers.onSale(seller);
    await pump();
    const [delivery] = await deliveries();
    const waitMs = Date.parse(delivery?.nextTime ?? '') - Date.now();
    expect(waitMs).toBeGreaterThan(3_500_000);
    expect(waitMs).toBeLessThan(3_700_000);
    await offers.onSale(seller);
    await pump();
    expect(receiver.received).toHaveLength(1);
    expect((await seller.client.ok(c.webhookList, {})).list).toMatchObject([{ pausedUntil: expect.any(String) }]);
  });

  test.each([
    ['120', 120],
    ['Sun, 29 Nov 2026 01:00:30 GMT', 30],
    ['Sun, 29 Nov 2026 00:00:00 GMT', 0],
    ['soon', undefined],
    ['-5', undefined],
    ['2026-11-29', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('sets the delay with Retry-After: %j is %j seconds', (header, seconds) => {
    expect(retryAfterOf(header, Date.parse('2026-11-29T01:00:00Z'))).toBe(seconds);
  });

  test('ends its subscription with status 410, and its owner is notified once', async () => {
    await listen(['goods.approved']);
    receiver.answer = 410;
    await offers.onSale(seller);
    await offers.onSale(seller);
    await pump();
    await due();
    await pump();
    expect(receiver.received).toHaveLength(1);
    const [endpoint] = (await seller.client.ok(c.webhookList, {})).list;
    expect(endpoint).toMatchObject({ status: 'disabled', isGone: true });
    expect((await deliveries()).map(({ status }) => status).toSorted()).toEqual(['failed', 'stopped']);
    const notices = (await seller.client.ok(noticeList, {})).list.filter(({ title }) => title === '事件推送已停用');
    expect(notices).toHaveLength(1);
    expect(notices[0]?.body).toContain('返回了 410，表示不再接收推送');
    receiver.answer = 200;
    const on = await seller.client.ok(c.webhookUpdate, { endpointId: endpoint?.endpointId ?? 0, on: true });
    expect(on).toMatchObject({ status: 'on', isGone: false, fails: 0 });
    await offers.onSale(seller);
    await pump();
    expect(receiver.received).toHaveLength(2);
  });
});

describe('an address', () => {
  test('is paused after repeated failures, and works again after a test', async () => {
    const { endpoint } = await listen(['goods.approved']);
    receiver.answer = 503;
    for (let i = 0; i < CIRCUIT_FAILS; i++) await offers.onSale(seller);
    await pump();
    expect((await seller.client.ok(c.webhookList, {})).list).toMatchObject([
      { fails: CIRCUIT_FAILS, pausedUntil: expect.any(String) },
    ]);
    await due();
    await t.timers();
    expect(receiver.received).toHaveLength(CIRCUIT_FAILS);
    receiver.answer = 200;
    await seller.client.ok(c.webhookTest, { endpointId: endpoint.endpointId });
    await t.timers();
    expect(types().at(-1)).toBe('test');
    expect((await seller.client.ok(c.webhookList, {})).list).toMatchObject([
      { fails: 0, pausedUntil: null, failingSince: null },
    ]);
  });

  test('is switched off after days of failures, and its owner is notified', async () => {
    await listen(['goods.approved']);
    receiver.answer = 500;
    await offers.onSale(seller);
    await pump();
    await sql`update webhook_endpoint set failing_since = now() - interval '4 days', paused_until = null where user_id = ${seller.id}`.execute(
      t.ctx.db,
    );
    await due();
    await pump();
    const [endpoint] = (await seller.client.ok(c.webhookList, {})).list;
    expect(endpoint?.status).toBe('disabled');
    await due();
    await pump();
    expect(await deliveries()).toMatchObject([{ status: 'stopped' }]);
    expect((await seller.client.ok(noticeList, {})).list.map(({ title }) => title)).toContain('事件推送已停用');
    const on = await seller.client.ok(c.webhookUpdate, { endpointId: endpoint?.endpointId ?? 0, on: true });
    expect(on).toMatchObject({ status: 'on', fails: 0 });
  });

  test('is added by a verified owner, at most five, and changed and removed only by the owner', async () => {
    const fresh = await t.newUser();
    const input = { url: 'https://example.com/hook', events: ['order.paid' as const] };
    expect((await fresh.client.call(c.webhookCreate, input)).code).toBe(codes.STEP_UP_REQUIRED[0]);
    const { endpoint, secret } = await listen();
    const { rows } = await sql<{
      secret: Buffer;
    }>`select secret_enc as secret from webhook_endpoint where id = ${endpoint.endpointId}`.execute(t.ctx.db);
    expect(rows[0]?.secret.includes(Buffer.from(secret))).toBe(false);
    expect((await seller.client.call(c.webhookCreate, { ...input, url: receiver.url })).field).toBe('url');
    const replies = await Promise.all(
      Array.from({ length: 6 }, (_, i) =>
        seller.client.call(c.webhookCreate, { ...input, url: `https://example.com/${i}` }),
      ),
    );
    expect(replies.filter(({ code }) => code === 0)).toHaveLength(4);
    const { endpointId } = endpoint;
    for (const ask of [
      fresh.client.call(c.webhookUpdate, { endpointId, on: false }),
      fresh.client.call(c.webhookRemove, { endpointId }),
      fresh.client.call(c.webhookTest, { endpointId }),
    ])
      expect((await ask).code).toBe(codes.NOT_FOUND[0]);
    await offers.onSale(seller);
    await t.relay();
    await seller.client.ok(c.webhookRemove, { endpointId });
    await t.timers();
    expect(receiver.received).toEqual([]);
  });

  test.each([
    'http://example.com/',
    'https://user:secret@example.com/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://10.0.0.8/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://localhost/',
    'https://backstage.localhost/',
    'https://database.internal/',
    'https://intranet/',
    'https://example.com:5432/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'nonsense',
  ])('is rejected when it is in our own network: %s', async (url) => {
    expect(httpsWebhooks({ isLocalAllowed: false }).problemOf(url)).toBeDefined();
    expect(await httpsWebhooks({ isLocalAllowed: false }).send({ url, headers: {}, body: '{}' })).toMatchObject({
      status: undefined,
    });
  });

  test('D: of this machine is only called by a demo that listens only on this machine', async () => {
    expect(['127.0.0.1', '::1', 'localhost'].map(isLoopback)).toEqual([true, true, true]);
    expect(['0.0.0.0', '::', '192.168.1.5', 'market.example'].map(isLoopback)).toEqual([false, false, false, false]);
    for (const [host, isAllowed] of [
      [undefined, true],
      ['0.0.0.0', false],
    ] as const) {
      const other = await testApp({ env: { DEMO: '1', ...(host !== undefined && { HOST: host }) } });
      expect(other.ctx.webhooks.problemOf('http://localhost:9/') === undefined).toBe(isAllowed);
      await other.close();
    }
  });

  test('is not called when it resolves to our network, whatever was checked when it was added', async () => {
    expect(httpsWebhooks({ isLocalAllowed: false }).problemOf('https://example.com/')).toBeUndefined();
    const answer = await new Promise((done) => publicLookup('localhost', {}, (error) => done(error)));
    expect(answer).toBeInstanceOf(Error);
    for (const address of [
      '127.0.0.1',
      '10.1.2.3',
      '172.20.0.1',
      '192.168.1.1',
      '169.254.169.254',
      '0.0.0.0',
      '100.64.1.1',
      '::1',
      'fe80::1',
      'fd00::1',
      '::ffff:10.0.0.1',
      '::ffff:7f00:1',
      '64:ff9b::a00:1',
      '2002:a00:1::',
      '224.0.0.1',
    ])
      expect(isPublicAddress(address), address).toBe(false);
    for (const address of ['8.8.8.8', '114.114.114.114', '2400:3200::1'])
      expect(isPublicAddress(address), address).toBe(true);
  });
});
