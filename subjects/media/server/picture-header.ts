/** Kind and size of a picture from its first bytes. */
export interface PictureHeader {
  kind: 'png' | 'jpeg' | 'webp';
  width: number;
  height: number;
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function pngHeader(file: Buffer): PictureHeader | undefined {
  // IHDR must be the first chunk, 13 bytes long.
  if (file.length < 33 || file.readUInt32BE(8) !== 13 || file.toString('latin1', 12, 16) !== 'IHDR') return undefined;
  return { kind: 'png', width: file.readUInt32BE(16), height: file.readUInt32BE(20) };
}

/** Markers without a length field. */
const isBare = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
/** Frame headers; C4, C8 and CC are something else. */
const isFrameHeader = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

/** Stray bytes between two segments. */
const MAX_STRAY_BYTES = 4096;

function jpegHeader(file: Buffer): PictureHeader | undefined {
  let at = 2;
  while (at + 4 <= file.length) {
    if (file[at] !== 0xff) {
      // Decoders skip stray bytes that some programs leave between segments.
      const next = file.indexOf(0xff, at);
      if (next < 0 || next - at > MAX_STRAY_BYTES) return undefined;
      at = next;
      continue;
    }
    const marker = file[at + 1] ?? 0;
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (isBare(marker)) {
      at += 2;
      continue;
    }
    const length = file.readUInt16BE(at + 2);
    if (length < 2) return undefined;
    if (isFrameHeader(marker)) {
      if (at + 9 > file.length) return undefined;
      return { kind: 'jpeg', width: file.readUInt16BE(at + 7), height: file.readUInt16BE(at + 5) };
    }
    // Scan data without a preceding frame header.
    if (marker === 0xda || marker === 0xd9) return undefined;
    at += 2 + length;
  }
  return undefined;
}

/** WebP, which sites and chat apps often deliver with JPEG and PNG names: lossy, lossless, or extended with a canvas. */
function webpHeader(file: Buffer): PictureHeader | undefined {
  if (file.length < 30) return undefined;
  const kind = 'webp';
  switch (file.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { kind, width: file.readUInt16LE(26) & 0x3fff, height: file.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      const bits = file.readUInt32LE(21);
      return { kind, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { kind, width: file.readUIntLE(24, 3) + 1, height: file.readUIntLE(27, 3) + 1 };
    default:
      return undefined;
  }
}

const isWebp = (file: Buffer): boolean =>
  file.toString('latin1', 0, 4) === 'RIFF' && file.toString('latin1', 8, 12) === 'WEBP';

/** Kind and size of a PNG, JPEG or WebP from its bytes, independent of name and declared type; undefined for other files. */
export function readPictureHeader(file: Buffer): PictureHeader | undefined {
  const header = file.subarray(0, 8).equals(PNG)
    ? pngHeader(file)
    : file[0] === 0xff && file[1] === 0xd8 && file[2] === 0xff
      ? jpegHeader(file)
      : isWebp(file)
        ? webpHeader(file)
        : undefined;
  return header && header.width > 0 && header.height > 0 ? header : undefined;
}
