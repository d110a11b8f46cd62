import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { IMAGE_MAX_BYTES } from '#contract/rules/limits.ts';
import { entryName, isZip, zipPictures } from './zip-pictures.ts';

const zipOf = (entries: Record<string, Uint8Array>): File =>
  new File([zipSync(entries, { level: 0 }) as Uint8Array<ArrayBuffer>], '图.zip');

test('the pictures of an archive are found by their own name, and what is no picture is left', async () => {
  const some = strToU8('bytes');
  const { pictures: files } = await zipPictures(
    zipOf({ '账号/一号.png': some, 'b.JPG': some, 'notes.txt': some, '__MACOSX/._b.JPG': some, '.hidden.png': some }),
  );
  expect(files.map(({ name, type }) => [name, type])).toEqual([
    ['一号.png', 'image/png'],
    ['b.JPG', 'image/jpeg'],
  ]);
});

test('an archive that cannot be read or that is too large says so', async () => {
  await expect(zipPictures(new File(['no zip'], 'a.zip'))).rejects.toThrow('压缩包打不开');
  const many = Object.fromEntries(Array.from({ length: 601 }, (_, n) => [`${n}.png`, new Uint8Array(1)]));
  await expect(zipPictures(zipOf(many))).rejects.toThrow('最多 600 张');
});

test('names that an archive wrote in GBK or in UTF-8 without saying so are read', () => {
  expect(entryName('\xb6\xfe\xba\xc5.png')).toBe('二号.png');
  expect(entryName(String.fromCharCode(...new TextEncoder().encode('二号.png')))).toBe('二号.png');
  expect(entryName('a.png')).toBe('a.png');
  expect(isZip(new File([], 'A.ZIP'))).toBe(true);
});

test('a GBK character that ends in the byte of a backslash is part of its name', async () => {
  // 運 is DF 5C in GBK. Written over the two letters in the entry and in the directory.
  const bytes = zipSync({ 'ZZ.png': strToU8('bytes') }, { level: 0 });
  for (const [at, byte] of bytes.entries()) if (byte === 0x5a && bytes[at + 1] === 0x5a) bytes.set([0xdf, 0x5c], at);
  const { pictures } = await zipPictures(new File([bytes as Uint8Array<ArrayBuffer>], 'a.zip'));
  expect(pictures.map(({ name }) => name)).toEqual(['運.png']);
});

const picture = new Uint8Array(1);
const namesIn = async (...names: string[]) =>
  (await zipPictures(zipOf(Object.fromEntries(names.map((name) => [name, picture]))))).pictures.map(({ name }) => name);

test.each([
  ['a.jpeg', ['a.jpeg']],
  ['A.PNG', ['A.PNG']],
  ['图\\子\\1.png', ['1.png']],
  ['a/b/c.jpg', ['c.jpg']],
  ['a.png.exe', []],
  ['a.png1', []],
  ['a.jpg.exe', []],
  ['a.jpeg1', []],
  ['png', []],
  ['a.gif', ['a.gif']],
  ['a.webp', ['a.webp']],
  ['a.BMP', ['a.BMP']],
  ['a.avif', ['a.avif']],
  ['a.jfif', ['a.jfif']],
  ['a.webp1', []],
  ['a.gif1', []],
  ['a.bmp1', []],
  ['a.avif1', []],
  ['a.heic', []],
  ['a.svg', []],
  ['a/.b.png', []],
  ['.a/b.png', ['b.png']],
  ['x/__MACOSX/b.png', ['b.png']],
  ['__MACOSX/b.png', []],
  // A property of every object is no kind of picture.
  ['a.constructor', []],
])('of %s the pictures are %o', async (name, found) => {
  expect(await namesIn(name)).toEqual(found);
});

test('a picture has its bytes', async () => {
  const [file] = (await zipPictures(zipOf({ 'a.png': strToU8('bytes') }))).pictures;
  expect(await file?.text()).toBe('bytes');
});

test('an archive may have 600 pictures, among any number of other files', async () => {
  const names = Array.from({ length: 600 }, (_, n) => `${n}.png`);
  expect(await namesIn(...names, 'a.txt', 'b.txt')).toHaveLength(600);
});

/** An archive whose directory states sizes that it does not have, as the check of the sum reads them. */
function stating(sizes: readonly number[]): File {
  const bytes = zipSync(Object.fromEntries(sizes.map((_, n) => [`${n}.png`, picture])), { level: 0 });
  const view = new DataView(bytes.buffer);
  let entry = 0;
  for (let at = 0; at + 4 <= bytes.length; at += 1) {
    if (view.getUint32(at, true) !== 0x0201_4b50) continue;
    view.setUint32(at + 24, sizes[entry] ?? 0, true);
    entry += 1;
  }
  return new File([bytes as Uint8Array<ArrayBuffer>], 'a.zip');
}

test('a picture above the limit of a picture is left out with the reason, and does not count', async () => {
  const { pictures, left } = await zipPictures(
    stating([IMAGE_MAX_BYTES + 1, IMAGE_MAX_BYTES, ...Array(30).fill(IMAGE_MAX_BYTES + 1)]),
  );
  expect(pictures.map(({ name }) => name)).toEqual(['1.png']);
  expect(left).toHaveLength(31);
  expect(left[0]).toBe('0.png：图片大小不能超过10M');
});

test('a picture that browsers do not read is left out with the way to convert it', async () => {
  const { pictures, left } = await zipPictures(
    zipOf({ '图/一.HEIC': picture, 'a.tif': picture, 'a.txt': picture, 'a.tif.txt': picture }),
  );
  expect(pictures).toEqual([]);
  expect(left).toEqual(['一.HEIC：请先转换为 JPEG 或 PNG', 'a.tif：请先转换为 JPEG 或 PNG']);
});

/** An archive whose entries carry this flag in its directory, followed by a comment. */
function flagged(flags: readonly number[], comment = ''): File {
  const bytes = zipSync(Object.fromEntries(flags.map((_, n) => [`${n}.png`, picture])), { level: 0 });
  const view = new DataView(bytes.buffer);
  let entry = 0;
  for (let at = 0; at + 4 <= bytes.length; at += 1)
    if (view.getUint32(at, true) === 0x0201_4b50) view.setUint16(at + 8, flags[entry++] ?? 0, true);
  return new File([bytes as Uint8Array<ArrayBuffer>, comment], 'a.zip');
}

test.each([
  [[1], ''],
  [[0, 0, 1], ''],
  [[0x0801], ''],
  [[1], 'a comment at the end'],
  [[1], '-'.repeat(65_535)],
])('an archive whose entries have the flags %o is named as one with a password', async (flags, comment) => {
  await expect(zipPictures(flagged(flags, comment))).rejects.toThrow('压缩包有密码：请先解压，再上传里面的图片');
});

test('an entry with other data and a comment does not hide one with a password behind it', async () => {
  const extra = { 0x1234: new Uint8Array(300) };
  const bytes = zipSync({ 'a.png': [picture, { level: 0, extra, comment: '-'.repeat(300) }], 'b.png': picture });
  const second = new DataView(bytes.buffer);
  const at = bytes.length - 22 - (46 + 'b.png'.length);
  expect(second.getUint32(at, true)).toBe(0x0201_4b50);
  second.setUint16(at + 8, 1, true);
  await expect(zipPictures(new File([bytes as Uint8Array<ArrayBuffer>], 'a.zip'))).rejects.toThrow('压缩包有密码');
});

/** The end of an archive without entries, whose directory begins at an offset. */
function endAt(offset: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(22);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 0x0605_4b50, true);
  view.setUint32(16, offset, true);
  return bytes;
}

/** A directory entry without a name, with a password. */
const locked = new Uint8Array(46);
locked.set([0x50, 0x4b, 1, 2, 0, 0, 0, 0, 1]);

test('the last entry of a directory may have no name', async () => {
  await expect(zipPictures(new File([locked, endAt(0)], 'a.zip'))).rejects.toThrow('压缩包有密码');
});

test('what the end names as a directory and is none names no password', async () => {
  const empty = { pictures: [], left: [] };
  expect(await zipPictures(new File([new Uint8Array(60).fill(0xff), endAt(0)], 'a.zip'))).toEqual(empty);
  for (const offset of [20, 0xffff_fff0]) expect(await zipPictures(new File([endAt(offset)], 'a.zip'))).toEqual(empty);
});

test('a file without an end is no archive, however it begins', async () => {
  for (const bytes of [new Uint8Array(2), locked, new Uint8Array([...locked, ...new Uint8Array(70_000)])])
    await expect(zipPictures(new File([bytes], 'a.zip'))).rejects.toThrow('压缩包打不开');
});

test('other flags of an entry are no password', async () => {
  expect((await zipPictures(flagged([0x0800, 8, 2]))).pictures).toHaveLength(3);
});

test('the pictures of an archive have 200 MB together', async () => {
  const size = 8 * 1024 * 1024;
  const full = Array.from({ length: 25 }, () => size);
  expect((await zipPictures(stating(full))).pictures).toHaveLength(25);
  await expect(zipPictures(stating([...full, 1]))).rejects.toThrow('压缩包最多 600 张图片、200M，请分成几个');
});

test.each([
  ['plain ascii.png', 'plain ascii.png'],
  // Latin letters that are also UTF-8 of nothing: GBK.
  ['\xd5\xcb\xba\xc5.jpg', '账号.jpg'],
  ['\xd5\xcb', '账'],
  // A name with a letter beyond a byte was read as UTF-8 already.
  ['caf\xe9二.png', 'caf\xe9二.png'],
  ['二号.png', '二号.png'],
  ['', ''],
])('the name %j is %j', (stored, name) => {
  expect(entryName(stored)).toBe(name);
});

test.each([
  ['a.zip', true],
  ['a.Zip', true],
  ['a.zip.png', false],
  ['azip', false],
  ['a.zipx', false],
])('%s is an archive: %o', (name, is) => {
  expect(isZip(new File([], name))).toBe(is);
});
