/** Uploaded files: nothing of a file but its pixels is kept, and no file costs more than a picture may. */
import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codes } from '#contract/codes.ts';
import { upload } from '#subjects/media/contract/pictures.ts';
import { logout } from '#subjects/accounts/contract/user.ts';
import { type TestApp, testApp, type TestUser } from '#tests/support/servers/build.ts';
import { pictureFile, sendPicture } from '#tests/support/goods/offers.ts';

let t: TestApp;
let user: TestUser;

beforeAll(async () => {
  t = await testApp();
  user = await t.newUser();
});
afterAll(async () => await t.close());

test('location, device and data behind the picture are removed', async () => {
  const withLocation = await sharp(await pictureFile('jpeg'))
    .withExif({ IFD0: { Make: 'SecretCamera', Copyright: 'somebody' }, IFD3: { GPSLatitude: '31/1 13/1 0/1' } })
    .toBuffer();
  expect(withLocation.includes('SecretCamera')).toBe(true);
  const polyglot = Buffer.concat([withLocation, Buffer.from('<script>alert(1)</script><?php echo 1 ?>')]);
  expect((await sendPicture(user.client, polyglot, { type: 'image/jpeg' })).code).toBe(0);
  const stored = [...t.storage.values()];
  expect(stored.length).toBeGreaterThan(0);
  for (const body of stored) {
    expect((await sharp(body).metadata()).exif).toBeUndefined();
    for (const trace of ['SecretCamera', '<script', '<?php']) expect(body.includes(trace)).toBe(false);
  }
});

test.each(['', 'application/octet-stream', 'image/pjpeg', 'image/gif', 'text/plain'])(
  'a picture declared as %j is judged by its bytes',
  async (type) => {
    const { code, data } = await sendPicture(user.client, await pictureFile('jpeg'), { type });
    expect(code).toBe(0);
    expect(data).toMatchObject({ width: 900, height: 500 });
    const text = await sendPicture(user.client, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), {
      type: 'image/png',
    });
    expect(text.code).toBe(codes.PICTURE_TYPE[0]);
  },
);

test.each([
  ['lossy', {}],
  ['lossless', { lossless: true }],
])('a %s WebP under the name of a JPEG is stored, upright and in its size', async (_what, how) => {
  for (const alpha of [1, 0.5]) {
    const create = { width: 90, height: 50, channels: 4, background: { r: 20, g: 90, b: 90, alpha } } as const;
    const file = await sharp({ create }).withMetadata({ orientation: 6 }).webp(how).toBuffer();
    const { code, data } = await sendPicture(user.client, file, { type: 'image/jpeg' });
    expect(code).toBe(0);
    expect(data).toMatchObject({ width: 50, height: 90 });
  }
});

test('a HEIC photo under the name of a JPEG is refused with the way out', async () => {
  const heic = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypheic\0\0\0\0mif1heic')]);
  const { code, msg } = await sendPicture(user.client, heic, { type: 'image/jpeg' });
  expect([code, msg]).toEqual([codes.PICTURE_TYPE[0], expect.stringMatching(/HEIC.*截图后上传/)]);
});

test.each([2, 0.4])('a JPEG that lacks its end (%d) is shown as far as it goes', async (lack) => {
  const file = await sharp({
    create: {
      width: 800,
      height: 600,
      channels: 3,
      background: 'teal',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  })
    .jpeg()
    .toBuffer();
  const end = lack < 1 ? Math.round(file.length * (1 - lack)) : file.length - lack;
  const { code, data } = await sendPicture(user.client, file.subarray(0, end), { type: 'image/jpeg' });
  expect(code).toBe(0);
  expect(data).toMatchObject({ width: 800, height: 600 });
});

test.each([
  ['a photo of 48 megapixels', 8064, 6048, { width: 1920, height: 1440 }],
  ['a long screenshot', 1080, 24_000, { width: 720, height: 16_000 }],
])('%s is scaled', async (_name, width, height, size) => {
  const { code, data } = await sendPicture(user.client, await pictureFile('jpeg', width, height));
  expect(code).toBe(0);
  expect(data).toMatchObject(size);
});

/** A PNG of some hundred bytes that claims a size. */
function bomb(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const magic = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    magic,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(1000))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

test.each([
  [60_000, 60_000],
  [7100, 7100],
  [30_001, 1001],
  [8000, 100],
  [0, 0],
  [4_294_967_295, 4_294_967_295],
])('a file with a stated size of %i × %i is rejected before it is decoded', async (width, height) => {
  const stored = t.storage.size;
  const sent = await sendPicture(user.client, bomb(width, height));
  expect([codes.PICTURE_TOO_LARGE[0], codes.PICTURE_TYPE[0]]).toContain(sent.code);
  expect(sent.msg).toMatch(/[一-龥]/);
  expect(t.storage.size).toBe(stored);
});

test('a picture opened directly executes nothing, and only our own keys are read', async () => {
  const { data } = await sendPicture(user.client, await pictureFile('png'));
  const response = await t.client().raw({ method: 'GET', url: data.imageUri });
  expect(response.headers).toMatchObject({
    'content-type': 'image/webp',
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  });
  for (const key of ['..%2f..%2fsecret', '%2e%2e/secret', `${'a'.repeat(26)}-9999x99999`, 'a\\b', '%00'])
    expect((await t.client().raw({ method: 'GET', url: `/img/${key}` })).statusCode).toBeGreaterThanOrEqual(400);
});

/** Sends a large file over a separate connection; 0 for a reset connection. */
async function sendLarge(port: number, by: TestUser, bytes: number): Promise<number> {
  const line = '----pictureboundary';
  const head = `--${line}\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), Buffer.alloc(bytes, 1), Buffer.from(`\r\n--${line}--\r\n`)]);
  return await new Promise((resolve) => {
    const request = httpRequest(
      {
        port,
        host: '127.0.0.1',
        method: 'POST',
        path: `${upload.path}?purpose=goods`,
        agent: false,
        headers: {
          ...by.client.headers(),
          'content-type': `multipart/form-data; boundary=${line}`,
          'content-length': body.length,
        },
      },
      (response) => {
        response.resume();
        response.once('end', () => resolve(response.statusCode ?? 0));
      },
    );
    request.once('error', () => resolve(0));
    request.end(body);
  });
}

describe('A13: many large uploads at once', () => {
  test('get a response each, those above the limits 429', { timeout: 120_000 }, async () => {
    const other = await testApp({ gate: { uploadsPerNetwork: 14 } });
    await other.app.http.listen({ port: 0, host: '127.0.0.1' });
    const { port } = other.app.http.server.address() as AddressInfo;
    const eager = await other.newUser();
    const statuses = await Promise.all(Array.from({ length: 24 }, () => sendLarge(port, eager, 9_000_000)));
    expect(statuses).not.toContain(0);
    expect(new Set(statuses)).toEqual(new Set([codes.PICTURE_TYPE[1], 429]));
    // Nothing is counted after the end.
    expect(await sendLarge(port, eager, 1_000_000)).toBe(codes.PICTURE_TYPE[1]);
    await other.close();
  });

  test('are read to their end when they are rejected before they arrive completely', { timeout: 120_000 }, async () => {
    const other = await testApp();
    await other.app.http.listen({ port: 0, host: '127.0.0.1' });
    const { port } = other.app.http.server.address() as AddressInfo;
    const stranger = await other.newUser();
    await stranger.client.ok(logout, {});
    const statuses = await Promise.all(Array.from({ length: 4 }, () => sendLarge(port, stranger, 9_000_000)));
    expect(statuses).toEqual([401, 401, 401, 401]);
    await other.close();
  });
});
