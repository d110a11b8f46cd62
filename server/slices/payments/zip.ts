import { inflateRawSync } from 'node:zlib';

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
const MAX_FILES = 20;

/**
 * The files of a ZIP, read by its central directory: stored or deflated, each at most `maxBytes`. Throws RangeError for any other
 * archive: statements are small plain archives.
 */
export function unzip(archive: Buffer, maxBytes: number): Buffer[] {
  const end = archive.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end < 0 || end + 22 > archive.length || archive.readUInt32LE(end) !== END) throw new RangeError('no archive');
  const count = archive.readUInt16LE(end + 10);
  if (count > MAX_FILES) throw new RangeError('too many files');
  const files: Buffer[] = [];
  let at = archive.readUInt32LE(end + 16);
  for (let i = 0; i < count; i++) {
    if (archive.readUInt32LE(at) !== ENTRY) throw new RangeError('broken directory');
    const method = archive.readUInt16LE(at + 10);
    const packed = archive.readUInt32LE(at + 20);
    const size = archive.readUInt32LE(at + 24);
    const local = archive.readUInt32LE(at + 42);
    if (size > maxBytes) throw new RangeError('too large');
    if (archive.readUInt32LE(local) !== LOCAL) throw new RangeError('broken entry');
    const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const body = archive.subarray(start, start + packed);
    if (method === 8) files.push(inflateRawSync(body, { maxOutputLength: maxBytes }));
    else if (method === 0) files.push(Buffer.from(body));
    else throw new RangeError('unknown packing');
    at += 46 + archive.readUInt16LE(at + 28) + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  return files;
}
