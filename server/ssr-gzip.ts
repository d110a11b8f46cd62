import { constants, crc32, deflateRawSync } from 'node:zlib';

/** A rendered page around its style sheet. */
export interface PageText {
  readonly before: string;
  readonly after: string;
}

/** A style sheet as it is, and deflated up to a whole byte, so that blocks may follow. */
export interface PackedStyle {
  readonly text: string;
  readonly bytes: Buffer;
  readonly deflated: Buffer;
}

/** Ten bytes: the magic number, deflate, no name, no time, an unknown system. */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
const LEVEL = 3;

let latest: PackedStyle | undefined;

/** The style sheet compressed; once for a build. */
export function packedStyle(text: string): PackedStyle {
  if (latest?.text === text) return latest;
  const bytes = Buffer.from(text);
  latest = { text, bytes, deflated: deflateRawSync(bytes, { level: 9, finishFlush: constants.Z_SYNC_FLUSH }) };
  return latest;
}

/** A page as it is read. */
export function plainPage({ before, after }: PageText, style: PackedStyle): Buffer {
  return Buffer.concat([Buffer.from(before), style.bytes, Buffer.from(after)]);
}

/**
 * A page as gzip. Its style sheet stands in every page and is half of it, so it is compressed once and its blocks are put between
 * those of what is new. The result is one plain gzip member. It is done at once and not by a thread of the pool: half a
 * millisecond, of which handing it over would cost as much again.
 */
export function gzipPage(text: PageText, style: PackedStyle): Buffer {
  const before = Buffer.from(text.before);
  const after = Buffer.from(text.after);
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(after, crc32(style.bytes, crc32(before))), 0);
  trailer.writeUInt32LE((before.length + style.bytes.length + after.length) >>> 0, 4);
  return Buffer.concat([
    HEADER,
    deflateRawSync(before, { level: LEVEL, finishFlush: constants.Z_SYNC_FLUSH }),
    style.deflated,
    deflateRawSync(after, { level: LEVEL }),
    trailer,
  ]);
}
