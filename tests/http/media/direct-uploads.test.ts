/** Uploads past this server, on each storage: what a ticket allows, what it refuses, and that the file itself is still judged. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codes } from '#contract/codes.ts';
import { imagesTempUploadToken, qiniuToken, uploadDone } from '#subjects/media/contract/direct-uploads.ts';
import type { Data } from '#contract/endpoint.ts';
import { localStorage } from '#server/adapters/storage/local.ts';
import { qiniuStorage } from '#server/adapters/storage/qiniu.ts';
import { s3Storage } from '#server/adapters/storage/s3.ts';
import { timersOnce } from '#server/jobs/workers.ts';
import type { Storage } from '#server/ports/storage.ts';
import { type TestApp, testApp, type TestUser } from '#tests/support/servers/build.ts';
import { fakeQiniu } from '#tests/support/fakes/qiniu.ts';
import { fakeS3 } from '#tests/support/fakes/s3.ts';
import type { Fake } from '#tests/support/fakes/storage-http.ts';
import { pictureFile } from '#tests/support/goods/offers.ts';

type Ticket = Data<typeof imagesTempUploadToken>;

const QINIU = { accessKey: 'AK_TEST', secretKey: 'SK_TEST', bucket: 'shop-img' };
const S3 = { accessKeyId: 'AKTEST', secretAccessKey: 'SKTEST', region: 'us-east-1', bucket: 'shop-img' };

interface Case {
  storage: Storage;
  fake?: Fake;
  /** Sends a form to an address of this server, which tests do not listen on. */
  close(): Promise<void>;
}

const cases: Record<string, () => Promise<Case>> = {
  local() {
    const dir = mkdtempSync(join(tmpdir(), 'youshi-store-'));
    const close = () => Promise.resolve(rmSync(dir, { recursive: true, force: true }));
    return Promise.resolve({ storage: localStorage({ dir, secret: Buffer.from('of tests') }), close });
  },
  async qiniu() {
    const fake = await fakeQiniu(QINIU, true);
    const at = { domain: `${fake.url}/o`, uploadUrl: fake.url, manageUrl: fake.url, isPrivate: true };
    return { storage: qiniuStorage({ ...QINIU, ...at }), fake, close: () => fake.close() };
  },
  async s3() {
    const fake = await fakeS3(S3);
    return { storage: s3Storage({ ...S3, endpoint: fake.url, pathStyle: true }), fake, close: () => fake.close() };
  },
};

describe.each(Object.keys(cases))('a picture sent to the storage itself: %s', (name) => {
  let the: Case;
  let t: TestApp;
  let user: TestUser;

  beforeAll(async () => {
    const make = cases[name];
    if (!make) throw new Error('no such case');
    the = await make();
    t = await testApp({ overrides: { storage: the.storage } });
    user = await t.newUser();
  });
  afterAll(async () => {
    await t.close();
    await the.close();
  });

  /** Posts the form of a ticket as a browser does; returns whether the storage accepted it. */
  async function post(ticket: Ticket, file: Buffer, change: Record<string, string> = {}, type = 'image/png') {
    const form = new FormData();
    const typed = ticket.provider === 's3' ? { 'Content-Type': type } : {};
    for (const [field, value] of Object.entries({ ...ticket.fields, ...typed, ...change })) form.append(field, value);
    form.append('file', new Blob([new Uint8Array(file)], { type }), 'a.png');
    if (the.fake) return (await fetch(ticket.uploadUrl, { method: 'POST', body: form })).ok;
    const request = new Request('http://localhost/', { method: 'POST', body: form });
    const response = await t.client().raw({
      method: 'POST',
      url: ticket.uploadUrl,
      headers: { 'content-type': request.headers.get('content-type') ?? '' },
      payload: Buffer.from(await request.arrayBuffer()),
    });
    return response.statusCode === 200;
  }

  const ticketOf = async (): Promise<Ticket> => await user.client.ok(imagesTempUploadToken, { purpose: 'goods' });

  test('becomes a picture once, also for concurrent requests, and the upload is deleted', async () => {
    const ticket = await ticketOf();
    expect(ticket).toMatchObject({ provider: name, maxBytes: 10_000 * 1024 });
    expect(await post(ticket, await pictureFile('png'))).toBe(true);
    const done = () => user.client.ok(uploadDone, { key: ticket.key, purpose: 'goods' });
    const [first, second] = await Promise.all([done(), done()]);
    expect(second).toEqual(first);
    expect(await done()).toEqual(first);
    expect(first).toMatchObject({ width: 900, height: 500 });
    expect(await the.storage.read(ticket.key)).toBeUndefined();
    const view = await t.client().raw({ method: 'GET', url: first.imageUri });
    expect([view.statusCode, view.headers['content-type']]).toEqual([200, 'image/webp']);
  });

  test('the storage rejects another key, a changed policy and a file beyond the limit', async () => {
    const [ticket, other] = [await ticketOf(), await ticketOf()];
    const file = await pictureFile('png');
    expect(await post(ticket, file, { key: other.key })).toBe(false);
    const signature = 'token' in ticket.fields ? 'token' : 'X-Amz-Signature';
    expect(await post(ticket, file, { [signature]: `${ticket.fields[signature]?.slice(0, -6)}AAAAA=` })).toBe(false);
    expect(await post(ticket, Buffer.alloc(10 * 1024 * 1024 + 1, 1))).toBe(false);
    expect(await post(ticket, Buffer.from('<svg/>'), {}, 'text/html')).toBe(false);
  });

  if (name === 'local')
    test('a ticket stores one file: the same file again gets the same response, another one is rejected', async () => {
      const ticket = await ticketOf();
      const file = await pictureFile('png');
      expect([await post(ticket, file), await post(ticket, file)]).toEqual([true, true]);
      expect(await post(ticket, Buffer.concat([file, Buffer.from('more')]))).toBe(false);
      const both = await ticketOf();
      const sent = await Promise.all([post(both, file), post(both, Buffer.concat([file, Buffer.from('x')]))]);
      expect(sent.filter(Boolean)).toHaveLength(1);
    });

  test('a file with a false type is rejected with a message when it is converted', async () => {
    const ticket = await ticketOf();
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
    // Qiniu and the local storage look at the bytes themselves; the others take the sender's word, and the server does not.
    if (name === 'qiniu' || name === 'local') expect(await post(ticket, svg)).toBe(false);
    else {
      expect(await post(ticket, svg)).toBe(true);
      const rejected = await user.client.call(uploadDone, { key: ticket.key, purpose: 'goods' });
      expect(rejected).toMatchObject({
        code: codes.PICTURE_TYPE[0],
        msg: '这是 SVG 图片，不支持；请另存为 JPG 或 PNG，或截图后上传',
      });
    }
  });

  test('another user, another purpose and a missing upload are rejected', async () => {
    const ticket = await ticketOf();
    expect(await post(ticket, await pictureFile('jpeg'), {}, 'image/jpeg')).toBe(true);
    const stranger = await t.newUser();
    const broken = { code: codes.PICTURE_BROKEN[0] };
    expect(await stranger.client.call(uploadDone, { key: ticket.key, purpose: 'goods' })).toMatchObject(broken);
    expect(await user.client.call(uploadDone, { key: ticket.key, purpose: 'avatar' })).toMatchObject(broken);
    const { key } = await user.client.ok(qiniuToken, { purpose: 'goods' });
    expect(await user.client.call(uploadDone, { key, purpose: 'goods' })).toMatchObject(broken);
    expect(await user.client.call(uploadDone, { key: '../../secret', purpose: 'goods' })).toMatchObject(broken);
  });

  test('tickets are counted per day, used or not', async () => {
    const eager = await t.newUser();
    await eager.client.ok(imagesTempUploadToken, { purpose: 'chat' });
    await sql`update limit_counter set hits = 300 where key = ${`upload-ticket:${eager.id}`}`.execute(t.ctx.db);
    for (const endpoint of [imagesTempUploadToken, qiniuToken])
      expect((await eager.client.call(endpoint, { purpose: 'chat' })).code).toBe(codes.RATE_LIMITED[0]);
  });

  test('a visitor gets no ticket', async () => {
    expect((await t.client().call(imagesTempUploadToken, { purpose: 'goods' })).code).toBe(codes.LOGIN_REQUIRED[0]);
  });

  test('unused uploads are deleted, and the sweep is scheduled again', async () => {
    const ticket = await ticketOf();
    await post(ticket, await pictureFile('png'));
    expect((await the.storage.sweep?.('temp', new Date(Date.now() + 1000))) ?? 1).toBeGreaterThan(0);
    await timersOnce(t.ctx, t.app.effects);
  });
});

test('an expired ticket is rejected', async () => {
  const the = await cases.local?.();
  const key = 'temp/goods/1/abc';
  const input = { key, maxBytes: 100, mimeTypes: ['image/png'], temporary: true };
  const ticket = the?.storage.ticket({ ...input, expiresAt: new Date(Date.now() - 1000) });
  const body = readFileSync(new URL(import.meta.url)).subarray(0, 50);
  expect(await the?.storage.receive?.({ token: ticket?.token ?? '', key, type: 'image/png', body })).toBe(false);
  await the?.close();
});
