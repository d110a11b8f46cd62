import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import { hueOf, initialOf, sizeOfKey } from './rules.ts';
import type { PictureItem } from './picture-item.ts';

export type { PictureItem } from './picture-item.ts';
export { drawShareCard } from './share.ts';

export interface PictureUrls {
  url: string;
  thumb: string;
  width: number;
  height: number;
}

/** Size of generated pictures of listings. */
export const ART_WIDTH = 640;
export const ART_HEIGHT = 360;
const THUMB_WIDTH = 320;

/** URLs of picture `index` of a listing. */
export function pictureUrls(item: PictureItem, gameCode: string, index = 0): PictureUrls {
  if ('art' in item) {
    const url = `/art/goods/${gameCode}/${item.art}/${index}.svg`;
    return { url, thumb: url, width: ART_WIDTH, height: ART_HEIGHT };
  }
  return { url: imageUrl(item.key), thumb: imageUrl(item.key, THUMB_WIDTH), width: item.width, height: item.height };
}

/** URL of an uploaded picture, in full size or in a width. */
export function imageUrl(key: string, width?: number): string {
  return width === undefined ? `/img/${key}` : `/img/${key}?w=${width}`;
}

/** URL of a user's picture: the uploaded one, else a generated one with the first character of the name. */
export function avatarUrl(avatarKey: string | null, nickName: string, id: number | string): string {
  if (avatarKey !== null && avatarKey !== '') return imageUrl(avatarKey, THUMB_WIDTH);
  const char = initialOf(nickName);
  return `/art/avatar/${hueOf(nickName === '' ? String(id) : nickName)}/${char === '' ? '_' : encodeURIComponent(char)}.svg`;
}

/** URL of a game's icon. */
export function gameIcon(code: string): string {
  return `/art/game/${code}.svg`;
}

export type PicturePurpose = 'goods' | 'chat' | 'avatar' | 'evidence';

/**
 * The pictures that a user uploaded for a purpose, in the order of `keys`. Throws PICTURE_BROKEN for an unknown key or another user's
 * picture.
 */
export async function ownPictures(
  db: Trx,
  ownerId: number,
  purpose: PicturePurpose,
  keys: readonly string[],
): Promise<UploadedPicture[]> {
  return await picturesBy(db, sql`owner_id = ${ownerId}`, purpose, keys);
}

/** Like `ownPictures`, for pictures uploaded by a member of staff. Throws PICTURE_BROKEN. */
export async function staffPictures(
  db: Trx,
  staffId: number,
  purpose: PicturePurpose,
  keys: readonly string[],
): Promise<UploadedPicture[]> {
  return await picturesBy(db, sql`staff_id = ${staffId}`, purpose, keys);
}

export interface UploadedPicture {
  key: string;
  width: number;
  height: number;
}

async function picturesBy(
  db: Trx,
  owner: RawBuilder<unknown>,
  purpose: PicturePurpose,
  keys: readonly string[],
): Promise<UploadedPicture[]> {
  if (keys.length === 0) return [];
  const { rows } = await sql<{ key: string }>`
    select key from picture where key = any(${[...keys]}) and ${owner} and purpose = ${purpose}`.execute(db);
  const ownKeys = new Set(rows.map((row) => row.key));
  return keys.map((key) => {
    const size = ownKeys.has(key) ? sizeOfKey(key) : undefined;
    if (!size)
      throw new AppError('PICTURE_BROKEN', {
        text: '图片不存在，请重新上传',
        field: purpose === 'avatar' ? 'avatar' : 'pictures',
      });
    return { key, ...size };
  });
}
