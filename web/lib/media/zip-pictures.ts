import { IMAGE_MAX_BYTES } from '#contract/rules/limits.ts';

/** A directory entry of an archive, the mark of its end, and the flag of an entry that needs a password (APPNOTE.TXT 4.3 and 4.4.4). */
const ENTRY = 0x0201_4b50;
const END = 0x0605_4b50;
const END_BYTES = 22;
const MAX_COMMENT_BYTES = 65_535;
const NEEDS_PASSWORD = 1;

/** Pictures in an archive, and bytes of all of them together. */
const MAX_FILES = 600;
const MAX_BYTES = 200 * 1024 * 1024;

const TYPES: readonly (readonly [RegExp, string])[] = [
  [/\.(?:jpe?g|jfif)$/i, 'image/jpeg'],
  [/\.png$/i, 'image/png'],
  [/\.webp$/i, 'image/webp'],
  [/\.gif$/i, 'image/gif'],
  [/\.bmp$/i, 'image/bmp'],
  [/\.avif$/i, 'image/avif'],
];

const typeOf = (name: string): string | undefined => TYPES.find(([pattern]) => pattern.test(name))?.[1];

/** Pictures that no browser makes a JPEG of. */
const OTHER_PICTURE = /\.(?:hei[cf]|tiff?|svg|psd|jxl)$/i;

/** What an archive has: pictures, and why others were left out, as texts that begin with the name of the file. */
export interface ZipPictures {
  pictures: File[];
  left: string[];
}

/** Whether the directory of an archive names an entry that needs a password. fflate would unpack noise from it. */
function isLocked(body: Uint8Array): boolean {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  let end = body.length - END_BYTES;
  const first = Math.max(0, end - MAX_COMMENT_BYTES);
  while (end >= first && view.getUint32(end, true) !== END) end -= 1;
  if (end < first) return false;
  let at = view.getUint32(end + 16, true);
  while (at + 46 <= end && view.getUint32(at, true) === ENTRY) {
    if ((view.getUint16(at + 8, true) & NEEDS_PASSWORD) !== 0) return true;
    at += 46 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return false;
}

/** An entry's name as it was written: archives from Windows have Chinese names in GBK, others in UTF-8 without saying so. */
export function entryName(name: string): string {
  if (!/[\u0080-\u00ff]/.test(name) || /[^\0-\u00ff]/.test(name)) return name;
  const bytes = Uint8Array.from(name, (char) => char.charCodeAt(0));
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('gbk').decode(bytes);
  }
}

/** The last part of an entry's name. Decoded first: the second byte of a GBK character may be that of a backslash. */
const lastPart = (name: string): string => entryName(name).split(/[\\/]/).at(-1) ?? '';

/** A picture file whose name matches what a table may call it. */
const pictureFile = (name: string, body: Uint8Array<ArrayBuffer>): File =>
  new File([body], name, { type: typeOf(name) ?? '' });

/** The pictures of an archive, opened in the browser. Throws an Error with a Chinese text for one that cannot be read or is too large. */
export async function zipPictures(archive: File): Promise<ZipPictures> {
  const { unzipSync } = await import('fflate');
  const body = new Uint8Array(await archive.arrayBuffer());
  if (isLocked(body)) throw new Error('压缩包有密码：请先解压，再上传里面的图片');
  const left: string[] = [];
  let count = 0;
  let total = 0;
  const isWanted = ({ name, originalSize }: { name: string; originalSize: number }): boolean => {
    const last = lastPart(name);
    if (last.startsWith('.') || name.startsWith('__MACOSX/')) return false;
    const isPicture = typeOf(last) !== undefined;
    if (isPicture && originalSize > IMAGE_MAX_BYTES) left.push(`${last}：图片大小不能超过10M`);
    if (OTHER_PICTURE.test(last)) left.push(`${last}：请先转换为 JPEG 或 PNG`);
    if (!isPicture || originalSize > IMAGE_MAX_BYTES) return false;
    count += 1;
    total += originalSize;
    if (count > MAX_FILES || total > MAX_BYTES) throw new RangeError('too much');
    return true;
  };
  try {
    const entries = unzipSync(body, { filter: isWanted });
    const pictures = Object.entries(entries).map(([name, bytes]) => pictureFile(lastPart(name), bytes));
    return { pictures, left };
  } catch (error) {
    throw new Error(
      error instanceof RangeError ? `压缩包最多 ${MAX_FILES} 张图片、200M，请分成几个` : '压缩包打不开，可能已损坏',
      { cause: error },
    );
  }
}

export const isZip = (file: File): boolean => /\.zip$/i.test(file.name);
