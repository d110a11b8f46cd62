import { IMAGE_MAX_BYTES } from '#contract/rules/limits.ts';

/** Pictures in an archive, and bytes of all of them together. */
const MAX_FILES = 600;
const MAX_BYTES = 200 * 1024 * 1024;

const typeOf = (name: string): string | undefined =>
  /\.jpe?g$/i.test(name) ? 'image/jpeg' : /\.png$/i.test(name) ? 'image/png' : undefined;

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

const lastPart = (name: string): string => name.split(/[\\/]/).at(-1) ?? '';

/** A picture file whose name matches what a table may call it; undefined for anything but a picture. */
function pictureFile(name: string, body: Uint8Array<ArrayBuffer>): File | undefined {
  const type = typeOf(name);
  return type === undefined ? undefined : new File([body], name, { type });
}

/** The pictures of an archive, opened in the browser. Throws an Error with a Chinese text for one that cannot be read or is too large. */
export async function zipPictures(archive: File): Promise<File[]> {
  const { unzipSync } = await import('fflate');
  const body = new Uint8Array(await archive.arrayBuffer());
  let count = 0;
  let total = 0;
  const isWanted = ({ name, originalSize }: { name: string; originalSize: number }): boolean => {
    const last = lastPart(name);
    if (typeOf(last) === undefined || last.startsWith('.') || name.startsWith('__MACOSX/')) return false;
    if (originalSize > IMAGE_MAX_BYTES) return false;
    count += 1;
    total += originalSize;
    if (count > MAX_FILES || total > MAX_BYTES) throw new RangeError('too much');
    return true;
  };
  try {
    const entries = unzipSync(body, { filter: isWanted });
    return Object.entries(entries).flatMap(([name, bytes]) => pictureFile(lastPart(entryName(name)), bytes) ?? []);
  } catch (error) {
    throw new Error(
      error instanceof RangeError ? `压缩包最多 ${MAX_FILES} 张图片、200M，请分成几个` : '压缩包打不开，可能已损坏',
      { cause: error },
    );
  }
}

export const isZip = (file: File): boolean => /\.zip$/i.test(file.name);
