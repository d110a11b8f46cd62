/** Uploaded files: nothing of a file but its pixels is kept, and no file costs more than a picture may. */
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codes } from '#contract/codes.ts';
import { type TestApp, testApp, type TestUser } from '#tests/support/build.ts';
import { pictureFile, sendPicture } from '#tests/support/offers.ts';

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
  [5001, 5000],
  [16_001, 10],
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
