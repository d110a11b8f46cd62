import { constants, crc32, deflateRaw, deflateRawSync } from 'node:zlib';

const STYLE_START = '<style id="app-css"';
const STYLE_END = '</style>';
/** Ten bytes: the magic number, deflate, no name, no time, an unknown system. */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
const LEVEL = 4;
/** Styles seen: one per build, and in development one per change. */
const MAX_STYLES = 4;

interface Packed {
  bytes: Buffer;
  /** Deflated and flushed to a whole byte, so that blocks may follow. */
  deflated: Buffer;
}

const styles = new Map<string, Packed>();

function packedStyle(text: string): Packed {
  const known = styles.get(text);
  if (known) return known;
  const bytes = Buffer.from(text);
  const deflated = deflateRawSync(bytes, { level: 9, finishFlush: constants.Z_SYNC_FLUSH });
  if (styles.size >= MAX_STYLES) styles.clear();
  const packed = { bytes, deflated };
  styles.set(text, packed);
  return packed;
}

function deflated(bytes: Buffer, options: { finishFlush?: number; dictionary?: Buffer }): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    deflateRaw(bytes, { level: LEVEL, ...options }, (error, result) => (error ? reject(error) : resolve(result)));
  });
}

/**
 * A page as gzip. Its style sheet stands in every page and is half of it, so it is compressed once and its blocks are put between
 * those of what is new; what follows refers back into it, as the reader will have it in its window. The result is one plain
 * gzip member. A page without the style sheet is compressed as a whole.
 */
export async function gzipPage(text: string): Promise<Buffer> {
  const start = text.indexOf(STYLE_START);
  const open = start < 0 ? -1 : text.indexOf('>', start) + 1;
  const end = open < 0 ? -1 : text.indexOf(STYLE_END, open);
  const before = Buffer.from(end < 0 ? '' : text.slice(0, open));
  const style = end < 0 ? undefined : packedStyle(text.slice(open, end));
  const after = Buffer.from(end < 0 ? text : text.slice(end));
  const [first, last] = await Promise.all([
    deflated(before, { finishFlush: constants.Z_SYNC_FLUSH }),
    deflated(after, style ? { dictionary: style.bytes } : {}),
  ]);
  const trailer = Buffer.alloc(8);
  const parts = style ? [before, style.bytes, after] : [before, after];
  trailer.writeUInt32LE(
    parts.reduce((crc, part) => crc32(part, crc), 0),
    0,
  );
  trailer.writeUInt32LE(parts.reduce((sum, part) => sum + part.length, 0) >>> 0, 4);
  return Buffer.concat([HEADER, first, style?.deflated ?? Buffer.alloc(0), last, trailer]);
}
