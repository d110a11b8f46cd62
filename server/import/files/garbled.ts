/** Texts that a program read in the wrong encoding and saved: put right where nothing was lost, else named. */
import iconv from 'iconv-lite';

const REPLACEMENT = '\ufffd';
/** Marks left where text of another encoding was read as UTF-8 and saved: the replacement, also as GBK shows it. */
const LOST = /\ufffd|锟斤拷/;

export const GARBLED =
  '文件里的文字已经变成乱码，无法还原：请打开原来的表格（不是这个文件），另存为“Excel 工作簿（*.xlsx）”或“CSV UTF-8”后再上传';

/** The note on a file whose texts were put right. */
export const RESTORED = '文件曾被用错误的编码保存，文字已还原，请核对';

/** Where LibreOffice puts the bytes that windows-1252 leaves undefined. */
const PRIVATE = 0xf100;

/** The bytes that a program took for Western text; undefined where a character is none of these. */
function westernBytes(text: string): Buffer | undefined {
  const bytes = Buffer.alloc(text.length);
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    const code = char > PRIVATE + 0x80 && char <= PRIVATE + 0xff ? char - PRIVATE : char;
    const byte = code <= 0xff ? code : iconv.encode(text[at] ?? '', 'win1252')[0];
    if (byte === undefined || (byte === 0x3f && code !== 0x3f)) return undefined;
    bytes[at] = byte;
  }
  return bytes;
}

/**
 * What the text may have been before it was read in the wrong encoding; `isLossy` where some of it cannot be put right. The caller judges by what it
 * expects in the text.
 */
export function* restorations(text: string): Generator<{ text: string; isLossy: boolean }> {
  const western = westernBytes(text.replaceAll(REPLACEMENT, '?'));
  const lost = text.includes(REPLACEMENT);
  const found = western
    ? [iconv.decode(western, 'utf8'), iconv.decode(western, 'gb18030')]
    : [iconv.decode(iconv.encode(text.replaceAll(REPLACEMENT, '?'), 'gb18030'), 'utf8')];
  for (const restored of found) {
    const plain = restored.replace(/^\ufeff/, '');
    yield { text: plain, isLossy: lost || plain.includes(REPLACEMENT) };
  }
}

/** Whether a first line is what is left of Chinese names: question marks in place of characters, or damaged ones. */
export function isLostLine(line: string): boolean {
  const rest = line.replace(/[\s,;|"'\t]/g, '');
  return rest !== '' && (LOST.test(rest) || /^\?{2,}$/.test(rest));
}

/** Whether a text has characters that only a wrong encoding leaves. */
export const hasLost = (text: string): boolean => LOST.test(text);
