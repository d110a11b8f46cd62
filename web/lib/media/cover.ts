/** Canvases that a listing's cover is drawn on (server/art/cover.ts): a row, a phone's row, a card from 280 px of width, the page. */
type Canvas = '136x90' | '112x112' | '320x240' | '560x315';

/** Whether a picture of a listing is its drawn cover. */
export const isCover = (src: string): boolean => src.startsWith('/cover/');

/** The address of a cover on another canvas; undefined for other pictures. */
export const coverAt = (src: string, canvas: Canvas): string | undefined =>
  isCover(src) ? src.replace(/\/\d+x\d+\.svg/, `/${canvas}.svg`) : undefined;
