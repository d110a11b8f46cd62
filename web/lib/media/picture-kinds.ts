import { IMAGE_MAX_BYTES, imageProblem } from '#contract/rules/limits.ts';

/** Kinds that browsers show and the market does not store, or refuses where they are declared; a page makes a JPEG of them before it uploads. */
const REDRAWN = /^image\/(?:webp|gif|bmp|x-ms-bmp|avif)$/;

/** Whether a page makes a JPEG of pictures that are declared as this kind. */
export const isRedrawn = (type: string): boolean => REDRAWN.test(type);

/** Why a selected file cannot be uploaded; null when it can. The chat is stricter (product.md 5). */
export function pictureError({ type, size }: { type: string; size: number }): string | null {
  return isRedrawn(type) && size <= IMAGE_MAX_BYTES ? null : imageProblem(type, size);
}
