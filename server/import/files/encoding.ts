import iconv from 'iconv-lite';

export type Encoding = 'utf8' | 'gb18030' | 'big5' | 'utf-16le' | 'utf-16be' | 'utf-32le' | 'utf-32be';

const SAMPLE_BYTES = 64 * 1024;
const REPLACEMENT = '\ufffd';

/** Whether bytes are UTF-8; a character cut off at their end is not an error. */
function isUtf8(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** Fewer zero bytes than this may be stray ones in a text of another encoding. */
const MIN_ZEROS = 3;

/** UTF-16 by its mark, or by the zero byte that ASCII characters have on one side only. */
function utf16Of(bytes: Buffer): Encoding | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  // Programs pad files with zeros.
  const end = bytes.findLastIndex((byte) => byte !== 0) + 1;
  const sample = bytes.subarray(0, Math.min(end, SAMPLE_BYTES));
  let even = 0;
  let odd = 0;
  for (let at = 0; at + 1 < sample.length; at += 2) {
    if (sample[at] === 0) even += 1;
    if (sample[at + 1] === 0) odd += 1;
  }
  // Every table has line ends; few Chinese characters, such as 一 (4E00), have a zero on the other side, and none looks like a line end there.
  const isLittle = odd >= MIN_ZEROS && hasWideLineEnd(sample, 1);
  const isBig = even >= MIN_ZEROS && hasWideLineEnd(sample, 0);
  if (isLittle !== isBig) return isLittle ? 'utf-16le' : 'utf-16be';
  return undefined;
}

/** Whether a line end is written as two bytes, with the zero at `zero`: stray zero bytes in another encoding do not form line ends. */
function hasWideLineEnd(bytes: Buffer, zero: 0 | 1): boolean {
  for (let at = 0; at + 1 < bytes.length; at += 2) {
    const char = bytes[at + 1 - zero];
    if (bytes[at + zero] === 0 && (char === 0x0a || char === 0x0d)) return true;
  }
  return false;
}

/** Counts characters beyond ASCII, and the damaged ones among them, when bytes are read as UTF-8. */
function damageOf(bytes: Buffer): { other: number; damaged: number } {
  const text = new TextDecoder('utf-8').decode(bytes);
  let other = 0;
  let damaged = 0;
  for (const char of text) {
    if (char === REPLACEMENT) damaged += 1;
    else if (char > '\u007f') other += 1;
  }
  return { other, damaged };
}

/** Maximum percentage of damaged characters in UTF-8: programs cut cells within a character. GB 18030 read as UTF-8 is damaged everywhere. */
const MAX_DAMAGED_PERCENT = 3;

const isBetween = (byte: number, from: number, to: number): boolean => byte >= from && byte <= to;

/**
 * Whether two-byte text is Big5, used in Taiwan and Hong Kong: nearly all its characters are among the common ones of Big5, and many are none of
 * the common ones of GB 2312. Traditional characters of GB 18030 begin with bytes that Big5 does not use.
 */
function isBig5(bytes: Buffer): boolean {
  let pairs = 0;
  let common = 0;
  let simplified = 0;
  for (let at = 0; at + 1 < bytes.length; at++) {
    const lead = bytes[at] ?? 0;
    if (lead < 0x80) continue;
    const trail = bytes[(at += 1)] ?? 0;
    pairs += 1;
    if (isBetween(lead, 0xa1, 0xc6) && (isBetween(trail, 0x40, 0x7e) || isBetween(trail, 0xa1, 0xfe))) common += 1;
    if ((isBetween(lead, 0xa1, 0xa9) || isBetween(lead, 0xb0, 0xd7)) && isBetween(trail, 0xa1, 0xfe)) simplified += 1;
  }
  return pairs >= 4 && common >= pairs * 0.9 && simplified <= pairs * 0.75;
}

const isMark = (bytes: Buffer, ...mark: number[]): boolean => mark.every((byte, i) => bytes[i] === byte);

/** Encoding of text by all its bytes: UTF-32 by its mark, UTF-16, UTF-8 with or without a mark, Big5, else GB 18030, used by Chinese spreadsheets. */
export function detectEncoding(bytes: Buffer): Encoding {
  if (isMark(bytes, 0xff, 0xfe, 0, 0)) return 'utf-32le';
  if (isMark(bytes, 0, 0, 0xfe, 0xff)) return 'utf-32be';
  const wide = utf16Of(bytes);
  if (wide) return wide;
  if (isUtf8(bytes)) return 'utf8';
  const { other, damaged } = damageOf(bytes);
  if (damaged * 100 <= other * MAX_DAMAGED_PERCENT) return 'utf8';
  return isBig5(bytes) ? 'big5' : 'gb18030';
}

/** Removes a UTF-8 BOM that a program put before text of another encoding. */
function withoutFalseMark(file: Buffer): Buffer {
  if (!isMark(file, 0xef, 0xbb, 0xbf)) return file;
  const rest = file.subarray(3);
  return detectEncoding(rest) === 'utf8' ? file : rest;
}

/** Decodes a whole file; `isDamaged` if some of its bytes are not valid characters. A leading BOM is removed, even a wrong one. */
export function decodeText(file: Buffer): { text: string; isDamaged: boolean } {
  const bytes = withoutFalseMark(file);
  const text = iconv.decode(bytes, detectEncoding(bytes), { stripBOM: true });
  return { text, isDamaged: text.includes(REPLACEMENT) };
}

/** Whether bytes are the same characters in every encoding that is not UTF-16. */
const isAscii = (bytes: Buffer): boolean => bytes.every((byte) => byte > 0 && byte < 0x80);

/**
 * Decodes a byte stream. Its encoding is detected at the first character beyond ASCII, however late it occurs, from that chunk and the
 * following ones; a leading BOM is removed.
 */
export async function* decoded(source: AsyncIterable<Buffer>): AsyncGenerator<{ text: string; bytes: number }> {
  let held: Buffer[] = [];
  let size = 0;
  let decoder: ReturnType<typeof iconv.getDecoder> | undefined;
  const start = (): string => {
    const head = Buffer.concat(held);
    decoder = iconv.getDecoder(detectEncoding(head), { stripBOM: true });
    held = [];
    return decoder.write(head);
  };
  for await (const chunk of source) {
    if (decoder) yield { text: decoder.write(chunk), bytes: chunk.length };
    else if (size === 0 && isAscii(chunk)) yield { text: chunk.toString('latin1'), bytes: chunk.length };
    else {
      held.push(chunk);
      size += chunk.length;
      if (size >= SAMPLE_BYTES) yield { text: start(), bytes: size };
    }
  }
  if (!decoder) yield { text: start(), bytes: size };
  const rest = decoder?.end();
  if (rest) yield { text: rest, bytes: 0 };
}
