import iconv from 'iconv-lite';

export type Encoding = 'utf8' | 'gb18030';

const SAMPLE_BYTES = 64 * 1024;

/** Whether bytes are UTF-8; a character cut off at the end of the sample is not an error. */
function isUtf8(sample: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(sample, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** Encoding of a stock list by its first bytes: UTF-8 with or without BOM, else GB 18030, which Chinese spreadsheets save. */
export function detectEncoding(head: Buffer): Encoding {
  return isUtf8(head.subarray(0, SAMPLE_BYTES)) ? 'utf8' : 'gb18030';
}

/** Decodes a byte stream, detecting its encoding; a leading BOM is removed. */
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
