import iconv from 'iconv-lite';

export type Encoding = 'utf8' | 'gb18030' | 'utf-16le' | 'utf-16be';

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

/** Fewer zero bytes may be stray ones in a text of another encoding. */
const MIN_ZEROS = 3;

/** UTF-16 by its mark, or by the zero byte that ASCII characters have on one side only. */
function utf16Of(bytes: Buffer): Encoding | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  let even = 0;
  let odd = 0;
  for (let at = 0; at + 1 < sample.length; at += 2) {
    if (sample[at] === 0) even += 1;
    if (sample[at + 1] === 0) odd += 1;
  }
  const pairs = sample.length / 2;
  // Separators, digits and line ends are such characters in every table; few Chinese ones, such as 一 (4E00), have a zero on the other side.
  if (odd >= MIN_ZEROS && odd > pairs / 20 && even * 4 < odd) return 'utf-16le';
  if (even >= MIN_ZEROS && even > pairs / 20 && odd * 4 < even) return 'utf-16be';
  return undefined;
}

/** Characters beyond ASCII, and how many of them are damaged, when bytes are read as UTF-8. */
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

/** Damaged characters in a hundred that UTF-8 may have: programs cut cells within a character. GB 18030 read as UTF-8 is damaged everywhere. */
const MAX_DAMAGED_PERCENT = 3;

/** Encoding of text by all its bytes: UTF-16, UTF-8 with or without a mark, else GB 18030, which Chinese spreadsheets save. */
export function detectEncoding(bytes: Buffer): Encoding {
  const wide = utf16Of(bytes);
  if (wide) return wide;
  if (isUtf8(bytes)) return 'utf8';
  const { other, damaged } = damageOf(bytes);
  return damaged * 100 <= other * MAX_DAMAGED_PERCENT ? 'utf8' : 'gb18030';
}

/** Decodes a whole file; `isDamaged` when some of its bytes are no characters. A leading mark is removed. */
export function decodeText(bytes: Buffer): { text: string; isDamaged: boolean } {
  const text = iconv.decode(bytes, detectEncoding(bytes), { stripBOM: true });
  return { text, isDamaged: text.includes(REPLACEMENT) };
}

/** Decodes a byte stream, detecting its encoding by its beginning; a leading mark is removed. */
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
