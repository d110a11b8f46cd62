import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { entryName, isZip, zipPictures } from './zip-pictures.ts';

const zipOf = (entries: Record<string, Uint8Array>): File =>
  new File([zipSync(entries) as Uint8Array<ArrayBuffer>], '图.zip');

test('the pictures of an archive are found by their own name, and what is no picture is left', async () => {
  const some = strToU8('bytes');
  const files = await zipPictures(
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
