import { strToU8, Zip, ZipDeflate, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { openArchive } from './unzip.ts';

const LIMITS = { files: 3, bytes: 100_000 };

function unzip(archive: Uint8Array, limits: typeof LIMITS): Buffer[] {
  const opened = openArchive(archive, limits);
  return opened.names.map((name) => opened.read(name));
}

const texts = (archive: Uint8Array): string[] => unzip(archive, LIMITS).map((body) => body.toString('utf8'));

/** An archive whose entries store their sizes after the data, as written by programs that do not know them beforehand. */
function streamed(files: Readonly<Record<string, string>>): Buffer {
  const parts: Uint8Array[] = [];
  const zip = new Zip((error, part) => {
    if (error) throw error;
    parts.push(part);
  });
  for (const [name, text] of Object.entries(files)) {
    const entry = new ZipDeflate(name);
    zip.add(entry);
    entry.push(strToU8(text), true);
  }
  zip.end();
  return Buffer.concat(parts);
}

/** Replaces each occurrence of a size. */
function withSize(archive: Uint8Array, honest: number, stated: number): Buffer {
  const changed = Buffer.from(archive);
  const field = Buffer.alloc(4);
  field.writeUInt32LE(honest);
  for (let at = changed.indexOf(field); at >= 0; at = changed.indexOf(field)) changed.writeUInt32LE(stated, at);
  return changed;
}

test('deflated, stored and empty files come out in their order', () => {
  const archive = zipSync({
    'b.csv': strToU8('明细'.repeat(1000)),
    'a.csv': [strToU8('stored'), { level: 0 }],
    'empty.csv': strToU8(''),
  });
  expect(texts(archive)).toEqual(['明细'.repeat(1000), 'stored', '']);
});

test('sizes may stand behind the data', () => {
  const files = { 'a.csv': 'first,'.repeat(500), 'b.csv': 'second,'.repeat(500) };
  expect(texts(streamed(files))).toEqual(Object.values(files));
});

test('the limits are exact', () => {
  const exact = zipSync({ a: new Uint8Array(60_000), b: new Uint8Array(39_999), c: new Uint8Array(1) });
  expect(unzip(exact, LIMITS).map((body) => body.length)).toEqual([60_000, 39_999, 1]);
  expect(() => unzip(zipSync({ a: new Uint8Array(60_000), b: new Uint8Array(40_001) }), LIMITS)).toThrow();
  expect(() => unzip(zipSync({ a: [new Uint8Array(100_001), { level: 0 }] }), LIMITS)).toThrow('too large');
  expect(() => unzip(zipSync({ a: strToU8('1'), b: strToU8('2'), c: strToU8('3'), d: strToU8('4') }), LIMITS)).toThrow(
    'too many files',
  );
});

test('a bomb is not unpacked, whatever size it states', () => {
  const bomb = zipSync({ a: new Uint8Array(20_000_000) });
  expect(bomb.length).toBeLessThan(30_000);
  expect(() => unzip(bomb, LIMITS)).toThrow();
  expect(() => unzip(withSize(bomb, 20_000_000, 10), LIMITS)).toThrow();
});

test('a broken archive is an error', () => {
  const archive = Buffer.from(zipSync({ a: strToU8('some text, '.repeat(100)) }));
  for (const broken of [Buffer.from('PK'), Buffer.from('no archive at all'), archive.subarray(0, 40)])
    expect(() => unzip(broken, LIMITS)).toThrow();
});

test('bytes before the archive are skipped, and damaged content is an error', () => {
  const archive = Buffer.from(zipSync({ a: [strToU8('some text'), { level: 0 }] }));
  expect(texts(Buffer.concat([Buffer.from('#!/bin/sh\n'), archive]))).toEqual(['some text']);
  archive.write('other', archive.indexOf('some text'));
  expect(() => unzip(archive, LIMITS)).toThrow('incomplete');
});
