/** Pictures of chats and evidence open by addresses that end, for the person in whose response they were written. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { staffDisputeDetail, staffDisputeRule } from '#subjects/disputes/contract/staff-disputes.ts';
import { codes } from '#contract/codes.ts';
import { addDisputeEvidence, answerDispute, disputeDetail, openDispute } from '#subjects/disputes/contract/dispute.ts';
import type { Envelope } from '#contract/endpoint.ts';
import { login, logout } from '#subjects/accounts/contract/user.ts';
import { endOfPeriod } from '#server/access/picture-address.ts';
import type { TestClient } from '#tests/support/servers/client.ts';
import { complaint, type Court, openCourt, ruling, type Trade } from '#tests/support/orders/disputes.ts';
import { pictureFile, sendPicture } from '#tests/support/goods/offers.ts';
import { type StoppedClock, stoppedClock } from '#tests/support/time/stopped-clock.ts';

let court: Court;
let clock: StoppedClock;

beforeAll(async () => {
  court = await openCourt();
  clock = await stoppedClock(court.t);
});
afterAll(async () => {
  await clock.run();
  await court.t.close();
});

/** Returns the browser's result for a URL: the kind of the picture, or the error's code. */
async function opened(client: TestClient, url: string): Promise<string | number | undefined> {
  const response = await client.raw({ method: 'GET', url });
  return response.statusCode === 200 ? response.headers['content-type'] : response.json<Envelope<null>>().code;
}

const PASSWORD = 'Quiet-river-58';
const PICTURE = 'image/webp';
const FOREIGN = codes.PICTURE_PRIVATE[0];
const ENDED = codes.PICTURE_ENDED[0];

/** A dispute whose first statement has a picture. */
async function disputed(): Promise<Trade & { disputeSn: string; key: string }> {
  const d = await court.trade('shipped');
  const { key } = (await sendPicture(d.buyer.client, await pictureFile('png'), { purpose: 'evidence' })).data;
  const { disputeSn } = await d.buyer.client.ok(openDispute, complaint(d.orderSn, { pictures: [key] }));
  return { ...d, disputeSn, key };
}

/** The addresses of the statement's picture as a party reads them. */
async function shownTo(client: TestClient, disputeSn: string): Promise<{ url: string; thumb: string }> {
  const { statements } = await client.ok(disputeDetail, { disputeSn });
  const picture = statements.flatMap(({ pictures }) => pictures)[0];
  if (!picture) throw new Error('the case shows no picture');
  return picture;
}

async function shownToStaff(disputeSn: string): Promise<string> {
  const { statements } = await court.service.client.ok(staffDisputeDetail, { disputeSn });
  return statements.flatMap(({ pictures }) => pictures)[0]?.url ?? '';
}

describe('an address of a case', () => {
  test('opens for each party and staff, in each width, and for no one else', async () => {
    const { buyer, seller, disputeSn, key } = await disputed();
    const [ofBuyer, ofSeller] = [await shownTo(buyer.client, disputeSn), await shownTo(seller.client, disputeSn)];
    const ofStaff = await shownToStaff(disputeSn);
    expect(new Set([ofBuyer.url, ofSeller.url, ofStaff]).size).toBe(3);
    expect(await opened(buyer.client, ofBuyer.url)).toBe(PICTURE);
    expect(await opened(buyer.client, ofBuyer.thumb)).toBe(PICTURE);
    expect(await opened(buyer.client, `${ofBuyer.url}?imageView2/2/w/640/q/75`)).toBe(PICTURE);
    expect(await opened(seller.client, ofSeller.url)).toBe(PICTURE);
    expect(await opened(court.service.client, ofStaff)).toBe(PICTURE);
    const stranger = await court.t.newUser();
    for (const client of [seller.client, stranger.client, court.t.client(), court.service.client])
      expect(await opened(client, ofBuyer.url)).toBe(FOREIGN);
    expect(await opened(court.other.client, ofStaff)).toBe(FOREIGN);
    expect(await opened(buyer.client, ofStaff)).toBe(FOREIGN);
    expect(await opened(buyer.client, `/img/${key}`)).toBe(FOREIGN);
    await buyer.client.ok(logout, {});
    expect(await opened(buyer.client, ofBuyer.url)).toBe(FOREIGN);
  });

  test('cannot be changed to another picture, a later end or another signature', async () => {
    const { buyer, disputeSn, key } = await disputed();
    const [, , end = '', signature = ''] =
      /^\/img\/([^.]+)\.(\w+)\.([\w-]+)$/.exec((await shownTo(buyer.client, disputeSn)).url) ?? [];
    const other = (await sendPicture(buyer.client, await pictureFile('png'), { purpose: 'evidence' })).data.key;
    const later = (Number.parseInt(end, 36) + 3600).toString(36);
    expect(await opened(buyer.client, `/img/${key}.${end}.${signature}`)).toBe(PICTURE);
    for (const url of [
      `/img/${other}.${end}.${signature}`,
      `/img/${key}.${later}.${signature}`,
      `/img/${key}.${end}.${'A'.repeat(22)}`,
    ])
      expect(await opened(buyer.client, url)).toBe(FOREIGN);
    for (const url of [
      `/img/${key}.${end}`,
      `/img/${key}.${end}.${signature}x`,
      `/img/${key.slice(0, -2)}.${end}.${signature}`,
    ])
      expect(await opened(buyer.client, url)).toBe(codes.NOT_FOUND[0]);
  });

  test.each([
    ['a second before its end', -1000, PICTURE],
    ['a millisecond before', -1, PICTURE],
    ['at its end', 0, ENDED],
    ['a second after', 1000, ENDED],
  ])('%s', async (_when, offsetMs, expected) => {
    const { buyer, seller, disputeSn } = await disputed();
    const writtenAt = Date.now();
    await clock.stopAt(writtenAt);
    const { url } = await shownTo(buyer.client, disputeSn);
    const endMs = endOfPeriod(writtenAt) * 1000;
    expect(endMs - writtenAt).toBeGreaterThan(3600_000);
    expect(endMs - writtenAt).toBeLessThanOrEqual(7200_000);
    await clock.stopAt(endMs + offsetMs);
    try {
      expect(await opened(buyer.client, url)).toBe(expected);
      expect(await opened(seller.client, url)).toBe(FOREIGN);
      // A page that is read again has an address that opens.
      expect(await opened(buyer.client, (await shownTo(buyer.client, disputeSn)).url)).toBe(PICTURE);
    } finally {
      await clock.run();
    }
  });

  test('is kept by the browser until its end only, and its refusal not at all', async () => {
    const { buyer, disputeSn } = await disputed();
    const now = Date.now();
    await clock.stopAt(now);
    const { url } = await shownTo(buyer.client, disputeSn);
    const { headers } = await buyer.client.raw({ method: 'GET', url });
    await clock.run();
    const left = Math.ceil((endOfPeriod(now) * 1000 - now) / 1000);
    expect(headers['cache-control']).toBe(`private, max-age=${left}`);
    const foreign = await court.t
      .client()
      .raw({ method: 'GET', url, headers: { 'if-none-match': headers.etag ?? '', accept: 'text/html' } });
    expect([foreign.statusCode, foreign.headers['cache-control']]).toEqual([403, 'no-store']);
    expect(foreign.body).toContain('请用看到这张图片的账号登录');
  });

  test('is written anew for the parties and staff after the case has been closed', async () => {
    const { buyer, seller, disputeSn } = await disputed();
    const before = await shownTo(buyer.client, disputeSn);
    await seller.client.ok(answerDispute, {
      disputeSn,
      answers: { sent: '100 个' },
      text: '一百个都发了，请核对',
    });
    await court.service.client.ok(staffDisputeRule, ruling(disputeSn, '40'));
    await court.appealTimeOver(disputeSn);
    expect((await buyer.client.ok(disputeDetail, { disputeSn })).status).toBe('closed');
    expect(await opened(buyer.client, before.url)).toBe(PICTURE);
    for (const { client } of [buyer, seller])
      expect(await opened(client, (await shownTo(client, disputeSn)).url)).toBe(PICTURE);
    expect(await opened(court.service.client, await shownToStaff(disputeSn))).toBe(PICTURE);
    expect((await (await court.t.newUser()).client.call(disputeDetail, { disputeSn })).code).toBe(
      codes.DISPUTE_NOT_FOUND[0],
    );
  });
});

test('a program without cookies opens the pictures of its user with its token', async () => {
  const user = await court.t.newUser({ password: PASSWORD });
  const { data } = await sendPicture(user.client, await pictureFile('png'), { purpose: 'chat' });
  const { token } = await court.t.client().ok(login, { username: user.phone, password: PASSWORD, client: 'app' });
  const byToken = (authorization: string) =>
    court.t.client().raw({ method: 'GET', url: data.imageUri, headers: { authorization } });
  expect((await byToken(token)).headers['content-type']).toBe(PICTURE);
  expect((await byToken('x'.repeat(43))).statusCode).toBe(403);
});

test('invented signatures are counted by network before the session is looked up; other pictures are not', async () => {
  const { key } = await disputed();
  const ip = '203.0.113.91';
  for (let i = 0; i < 3_000; i++) court.t.app.limiter.take('picture', { account: undefined, address: ip });
  const forged = `/img/${key}.${(endOfPeriod(Date.now()) + 1).toString(36)}.${'A'.repeat(22)}`;
  expect(await opened(court.t.client({ ip }), forged)).toBe(codes.RATE_LIMITED[0]);
  expect(await opened(court.t.client({ ip: '203.0.113.92' }), forged)).toBe(FOREIGN);
  expect(await opened(court.t.client({ ip }), `/img/${key}`)).toBe(FOREIGN);
});

test('pictures of goods keep public addresses without an end', async () => {
  const user = await court.t.newUser();
  const { data } = await sendPicture(user.client, await pictureFile('png'));
  expect(data.imageUri).toBe(`/img/${data.key}`);
  const { headers } = await court.t.client().raw({ method: 'GET', url: data.imageUri });
  expect(headers['cache-control']).toContain('immutable');
});

test('evidence of a case keeps no address that ends', async () => {
  const { buyer, disputeSn, key } = await disputed();
  const second = (await sendPicture(buyer.client, await pictureFile('png'), { purpose: 'evidence' })).data;
  await buyer.client.ok(addDisputeEvidence, { disputeSn, text: '补充一张到账截图', pictures: [second.key] });
  const { url } = await shownTo(buyer.client, disputeSn);
  expect(url).toContain(key);
  const wrong = await buyer.client.call(addDisputeEvidence, {
    disputeSn,
    text: '再补充一张截图',
    pictures: [url.slice('/img/'.length)],
  });
  expect(wrong.code).toBe(codes.PICTURE_BROKEN[0]);
});
