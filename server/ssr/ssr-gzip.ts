import { constants, crc32, deflateRawSync } from 'node:zlib';

/** The HTML of a rendered page before and after its style sheet. */
export interface PageText {
  readonly before: string;
  readonly after: string;
}

/** With the inlined style sheet of a first visit's page: the rules that it needs. */
export interface StyledText extends PageText {
  readonly style: PackedStyle;
}

/** A style sheet as text, as bytes, and deflated up to a byte boundary so that further blocks can be appended. */
export interface PackedStyle {
  readonly text: string;
  readonly bytes: Buffer;
  readonly deflated: Buffer;
}

/** Ten bytes: the magic number, deflate, no name, no time, an unknown system. */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
const LEVEL = 3;

/** Compresses a style sheet, or the line that imports it. Expensive, so it is done once per sheet. */
export function packStyle(text: string): PackedStyle {
  const bytes = Buffer.from(text);
  return { text, bytes, deflated: deflateRawSync(bytes, { level: 9, finishFlush: constants.Z_SYNC_FLUSH }) };
}

/** The page uncompressed. */
export function plainPage({ before, after }: PageText, style: PackedStyle): Buffer {
  return Buffer.concat([Buffer.from(before), style.bytes, Buffer.from(after)]);
}

/**
 * Compresses a page as one gzip member. Pages of a route have the same style sheet, a quarter of their size, so it is deflated once
 * and its blocks are placed between those of the page's own text. Runs synchronously: it takes half a millisecond, and passing it to
 * the thread pool would cost the same again.
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
