import { constants, crc32, deflateRawSync } from 'node:zlib';

const STYLE_START = '<style id="app-css"';
const STYLE_END = '</style>';
/** Ten bytes: the magic number, deflate, no name, no time, an unknown system. */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
const LEVEL = 3;
/** Styles seen: one per build, and in development one per change. */
const MAX_STYLES = 4;

interface Packed {
  bytes: Buffer;
  /** Deflated and flushed to a whole byte, so that blocks may follow. */
  deflated: Buffer;
}

const NO_STYLE: Packed = { bytes: Buffer.alloc(0), deflated: Buffer.alloc(0) };

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

/**
 * A page as gzip. Its style sheet stands in every page and is half of it, so it is compressed once and its blocks are put between
 * those of what is new. The result is one plain gzip member. A page without the style sheet is compressed as a whole. It is done
 * at once and not by a thread of the pool: half a millisecond, of which handing it over would cost as much again.
 */
export function gzipPage(text: string): Buffer {
  const start = text.indexOf(STYLE_START);
  const open = start < 0 ? -1 : text.indexOf('>', start) + 1;
  const end = open <= 0 ? -1 : text.indexOf(STYLE_END, open);
  const style = end < 0 ? NO_STYLE : packedStyle(text.slice(open, end));
  const before = Buffer.from(end < 0 ? '' : text.slice(0, open));
  const after = Buffer.from(end < 0 ? text : text.slice(end));
  const parts = [before, style.bytes, after];
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(
    parts.reduce((crc, part) => crc32(part, crc), 0),
    0,
  );
  trailer.writeUInt32LE(parts.reduce((sum, part) => sum + part.length, 0) >>> 0, 4);
  return Buffer.concat([
    HEADER,
    deflateRawSync(before, { level: LEVEL, finishFlush: constants.Z_SYNC_FLUSH }),
    style.deflated,
    deflateRawSync(after, { level: LEVEL }),
    trailer,
  ]);
}
