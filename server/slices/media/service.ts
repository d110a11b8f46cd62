import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import { hueOf, initialOf, sizeOfKey } from './rules.ts';

export { drawShareCard } from './share.ts';

/** A picture of a goods as its row keeps it: uploaded, or drawn for the demo market from a seed. */
export type PictureItem = { key: string; width: number; height: number } | { art: string | number };

export interface PictureUrls {
  url: string;
  thumb: string;
  width: number;
  height: number;
}

/** Size that drawn goods pictures have. */
export const ART_WIDTH = 640;
export const ART_HEIGHT = 360;
const THUMB_WIDTH = 320;

/** Addresses of picture `index` of a goods. */
export function pictureUrls(item: PictureItem, gameCode: string, index = 0): PictureUrls {
  if ('art' in item) {
    const url = `/art/goods/${gameCode}/${item.art}/${index}.svg`;
    return { url, thumb: url, width: ART_WIDTH, height: ART_HEIGHT };
  }
  return { url: imageUrl(item.key), thumb: imageUrl(item.key, THUMB_WIDTH), width: item.width, height: item.height };
}

/** Address of an uploaded picture, whole or in a width. */
export function imageUrl(key: string, width?: number): string {
  return width === undefined ? `/img/${key}` : `/img/${key}?w=${width}`;
}

/** Address of a person's picture: the uploaded one, else the first character of the name, drawn. */
export function avatarUrl(avatarKey: string | null, nickName: string, id: number | string): string {
  if (avatarKey !== null && avatarKey !== '') return imageUrl(avatarKey, THUMB_WIDTH);
  const char = initialOf(nickName);
  return `/art/avatar/${hueOf(nickName === '' ? String(id) : nickName)}/${char === '' ? '_' : encodeURIComponent(char)}.svg`;
}

/** Address of a game's icon. */
export function gameIcon(code: string): string {
  return `/art/game/${code}.svg`;
}

export type PicturePurpose = 'goods' | 'chat' | 'avatar' | 'evidence';

/**
 * The pictures that a user uploaded for a purpose, in the order of `keys`. Nobody can show another's picture as their own, or a
 * key that never was. Throws PICTURE_BROKEN.
 */
export async function ownPictures(
  db: Trx,
  ownerId: number,
  purpose: PicturePurpose,
  keys: readonly string[],
): Promise<UploadedPicture[]> {
  return await picturesBy(db, sql`owner_id = ${ownerId}`, purpose, keys);
}

/** The same for pictures that a member of staff uploaded. Throws PICTURE_BROKEN. */
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
  const known = new Set(rows.map((row) => row.key));
  return keys.map((key) => {
    const size = known.has(key) ? sizeOfKey(key) : undefined;
    if (!size)
      throw new AppError('PICTURE_BROKEN', {
        text: '图片不存在，请重新上传',
        field: purpose === 'avatar' ? 'avatar' : 'pictures',
      });
    return { key, ...size };
  });
}
