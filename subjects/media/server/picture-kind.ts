/** Identifies rejected files by their bytes, with a message that explains what to do. */
import type { PictureHeader } from './picture-header.ts';

const AS_JPEG = '请另存为 JPG 或 PNG，或截图后上传';
const latin = (file: Buffer, from: number, to: number): string => file.toString('latin1', from, to);

/** Picture and video containers begin with the size of their first box, its name and a brand. */
const BRANDS: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:hei[cxms]|hev[cx]|mif1|msf1)/,
    '这是 HEIC 图片（苹果手机的格式），不支持；请截图后上传，或在手机“设置→相机→格式”里选“兼容性最佳”后重拍',
  ],
  [/^avi[fs]/, `这是 AVIF 图片，不支持；${AS_JPEG}`],
  [/./, '这是视频，不是图片；请上传截图'],
];

const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^GIF8/, `这是 GIF 图片，不支持；${AS_JPEG}`],
  [/^RIFF[\s\S]{4}WEBP/, `这张 WebP 图片已损坏；${AS_JPEG}`],
  [/^BM[\s\S]{12}[\x0c\x28\x40\x6c\x7c]\0\0\0/, `这是 BMP 图片，不支持；${AS_JPEG}`],
  [/^(?:II\*\0|MM\0\*)/, `这是 TIFF 图片，不支持；${AS_JPEG}`],
  // Counts its pictures; a TGA has zeros there.
  [/^\0\0[\x01\x02]\0[\x01-\xff]\0/, `这是图标（ICO），不支持；${AS_JPEG}`],
  [/^\xff\x0a|^\0\0\0\x0cJXL /, `这是 JPEG XL 图片，不支持；${AS_JPEG}`],
  [/^\0\0\0\x0cjP {2}\r\n|^\xff\x4f\xff\x51/, `这是 JPEG 2000 图片，不支持；${AS_JPEG}`],
  [/^\xff\xd8\xff|^\x89PNG/, '图片不完整，大部分没有收到，请重新选择后上传'],
  [/^8BPS/, `这是 PSD 文件，不支持；${AS_JPEG}`],
  [/^%PDF/, `这是 PDF 文件，不是图片；${AS_JPEG}`],
  [/^PK/, '这是压缩包或文档，不是图片；请解压后上传里面的图片'],
  [/^(?:\xef\xbb\xbf)?\s*<(?:!doctype html|html)/i, '这是网页，不是图片；请保存图片本身，或截图后上传'],
  [/<svg[\s>]/i, `这是 SVG 图片，不支持；${AS_JPEG}`],
];

const HEAD_BYTES = 1000;

/** Why a file that is neither JPEG, PNG nor WebP is rejected; undefined for an unknown format. */
export function otherKind(file: Buffer): string | undefined {
  if (file.length === 0) return '图片是空的，请重新选择';
  if (latin(file, 4, 8) === 'ftyp') return BRANDS.find(([brand]) => brand.test(latin(file, 8, 12)))?.[1];
  const head = latin(file, 0, HEAD_BYTES);
  return KINDS.find(([pattern]) => pattern.test(head))?.[1];
}

/** Whether the chunks of a PNG end before its end chunk. */
function pngLacksEnd(file: Buffer): boolean {
  for (let at = 8; at + 12 <= file.length; at += 12 + file.readUInt32BE(at))
    if (latin(file, at + 4, at + 8) === 'IEND') return false;
  return true;
}

/** Markers without a length: stuffed data, restarts and the start. */
const isBare = (marker: number): boolean => marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd8);

/** Whether the segments of a JPEG end before its end marker. Those of a thumbnail within a segment are skipped with it. */
function jpegLacksEnd(file: Buffer): boolean {
  for (let at = file.indexOf(0xff, 2); at >= 0 && at + 1 < file.length; at = file.indexOf(0xff, at)) {
    const marker = file[at + 1] ?? 0;
    if (marker === 0xd9) return false;
    // The second of two FF may begin a marker.
    if (marker === 0xff) at += 1;
    else if (isBare(marker)) at += 2;
    else if (at + 4 > file.length) return true;
    else at += 2 + Math.max(file.readUInt16BE(at + 2), 2);
  }
  return true;
}

/**
 * Whether a picture ends before its end mark, so that the rest did not arrive. Data after the mark is ignored: phones add videos, apps add
 * comments.
 */
export function lacksEnd(file: Buffer, kind: PictureHeader['kind']): boolean {
  if (kind === 'webp') return file.length < file.readUInt32LE(4) + 8;
  return kind === 'png' ? pngLacksEnd(file) : jpegLacksEnd(file);
}
