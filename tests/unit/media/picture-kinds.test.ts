/** Pictures as phones, chat apps and broken transfers hand them over. */
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { AppError } from '#server/kernel/errors.ts';
import { otherKind } from '#subjects/media/server/picture-kind.ts';
import { encode } from '#subjects/media/server/upload.ts';

const red = sharp({ create: { width: 60, height: 40, channels: 3, background: { r: 200, g: 30, b: 30 } } });
/** Pixels that cannot be packed, so that a part of the file is a part of the picture. */
function pixels(count: number): Buffer {
  let seed = 1;
  return Buffer.from(
    Array.from({ length: count }, () => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return seed >>> 24;
    }),
  );
}
const noisy = sharp(pixels(200 * 200 * 3), { raw: { width: 200, height: 200, channels: 3 } });

describe('a file that is not accepted is named', () => {
  const box = (brand: string): Buffer =>
    Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from(`ftyp${brand}\0\0\0\0`)]);

  test.each([
    ['HEIC', box('heic')],
    ['HEIC', box('mif1')],
    ['AVIF', box('avif')],
    ['视频', box('isom')],
    ['WebP', Buffer.from('RIFF\0\0\0\0WEBPVP9 ')],
    ['BMP', Buffer.from(`BM${'\0'.repeat(12)}\x28\0\0\0`)],
    ['ICO', Buffer.from([0, 0, 1, 0, 1, 0, 16, 16])],
    ['JPEG 2000', Buffer.from('\0\0\0\x0cjP  \r\n\x87\n', 'latin1')],
    ['不完整', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16])],
    ['不完整', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')],
    ['SVG', Buffer.from('\ufeff<?xml version="1.0"?>\n<!-- x --><svg xmlns="x"/>')],
    ['PDF', Buffer.from('%PDF-1.7')],
    ['网页', Buffer.from('<!DOCTYPE html><html>')],
    ['压缩包', Buffer.from('PK\u0003\u0004')],
    ['空', Buffer.alloc(0)],
  ])('%s', (name, file) => {
    expect(otherKind(file)).toContain(name);
  });

  test.each(['gif', 'tiff'] as const)('%s as it is written', async (format) => {
    expect(otherKind(await red.clone().toFormat(format).toBuffer())?.toLowerCase()).toContain(format);
  });

  test('a file that is nothing of this is not guessed', () => {
    expect(otherKind(Buffer.from('hello'))).toBeUndefined();
    // A TGA, which begins like an icon without pictures.
    expect(otherKind(Buffer.from([0, 0, 2, 0, 0, 0, 0, 0]))).toBeUndefined();
  });
});

describe('a picture of which the end did not arrive', () => {
  const part = (file: Buffer, share: number): Buffer => file.subarray(0, Math.floor(file.length * share));
  const outcome = async (file: Buffer): Promise<string> =>
    await encode(file, 75).then(
      ({ width, height }) => `${width}x${height}`,
      (error: unknown) => (error instanceof AppError ? error.text : String(error)),
    );

  test.each(['jpeg', 'png'] as const)('%s: most of it is shown, a little of it is refused', async (format) => {
    const whole = await noisy.clone().toFormat(format).toBuffer();
    expect(await outcome(part(whole, 0.8))).toBe('200x200');
    expect(await outcome(whole.subarray(0, whole.length - 2))).toBe('200x200');
    expect(await outcome(part(whole, 0.1))).toContain('图片不完整');
  });

  test.each(['jpeg', 'png'] as const)('%s with a film behind its end is whole', async (format) => {
    // White below the top quarter, as a receipt on a long page.
    const top = await noisy.clone().resize(200, 40).png().toBuffer();
    const page = sharp({ create: { width: 200, height: 200, channels: 3, background: '#fff' } }).composite([
      { input: top, left: 0, top: 0 },
    ]);
    const whole = await page.toFormat(format).toBuffer();
    for (const tail of [65, 100_000]) {
      const film = Buffer.concat([Buffer.from('\0\0\0\x18ftypmp42'), Buffer.alloc(tail, 7)]);
      expect(await outcome(Buffer.concat([whole, film]))).toBe('200x200');
    }
  });

  test('the end of a thumbnail is not the end of its picture', async () => {
    const thumbnail = await red.clone().jpeg().toBuffer();
    const whole = await noisy.clone().jpeg().toBuffer();
    const segment = Buffer.concat([Buffer.from([0xff, 0xe5, 0, 0]), thumbnail]);
    segment.writeUInt16BE(thumbnail.length + 2, 2);
    const picture = Buffer.concat([whole.subarray(0, 2), segment, whole.subarray(2)]);
    expect(await outcome(picture)).toBe('200x200');
    expect(await outcome(part(picture, 0.1))).toContain('图片不完整');
  });

  test('bytes between the segments of a JPEG are skipped', async () => {
    const whole = await noisy.clone().jpeg().toBuffer();
    const after = 4 + whole.readUInt16BE(4);
    const picture = Buffer.concat([whole.subarray(0, after), Buffer.alloc(3), whole.subarray(after)]);
    expect(await outcome(picture)).toBe('200x200');
  });

  test('a whole picture of one colour is no part of one', async () => {
    for (const format of ['jpeg', 'png'] as const)
      expect(await outcome(await red.clone().toFormat(format).toBuffer())).toBe('60x40');
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8])('orientation %d is turned', async (orientation) => {
    const file = await red.clone().withMetadata({ orientation }).jpeg().toBuffer();
    expect(await outcome(file)).toBe(orientation > 4 ? '40x60' : '60x40');
  });

  test('CMYK, 16 bits, progressive and interlaced pictures keep their size', async () => {
    for (const file of [
      await red.clone().toColourspace('cmyk').jpeg().toBuffer(),
      await red.clone().toColourspace('rgb16').png().toBuffer(),
      await red.clone().jpeg({ progressive: true }).toBuffer(),
      await red.clone().png({ progressive: true, palette: true }).toBuffer(),
    ])
      expect(await outcome(file)).toBe('60x40');
  });
});
