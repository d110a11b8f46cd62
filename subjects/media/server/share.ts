import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { yuanText } from '#contract/wire.ts';
import type { Context } from '#server/context.ts';
import { AppError } from '#server/kernel/errors.ts';
import { semaphore } from '#server/kernel/semaphore.ts';
import { type Cover, drawPoster } from '#server/art/cover.ts';
import { escapeText, oklch } from '#server/art/svg.ts';
import { sizeOfKey } from '#server/kernel/picture-key.ts';
import { servingWidth, storageKey } from './rules.ts';
import type { PictureItem } from './picture-item.ts';

/** Contents of a listing's preview image. */
export interface ShareCard {
  picture: PictureItem | null;
  /** Replaces the picture if the seller uploaded none. */
  cover: Cover | undefined;
  gameName: string;
  title: string;
  /** The all-in price, in fen. */
  allInFen: number;
  siteName: string;
  siteHue: number;
}

/** The size that messengers and search engines expect. */
const WIDTH = 1200;
const HEIGHT = 630;
const PICTURE_WIDTH = 600;
const QUALITY = 82;
const FONTS = "'PingFang SC','Microsoft YaHei','Noto Sans CJK SC',sans-serif";

/** Requests that would wait longer are rejected with a retry time. */
const withSlot = semaphore(1, 8, () => {
  throw new AppError('BUSY', { retryAfterSeconds: 2 });
});

/** Approximate width of a character, relative to the font size. */
const widthOf = (char: string): number => (char > '\u2e80' ? 1 : char >= 'A' && char <= 'Z' ? 0.68 : 0.56);

/** Wraps a text into lines of at most `max` times the font size; the last line ends with … when the text is cut. */
function linesOf(text: string, max: number, count: number): string[] {
  const lines: string[] = [];
  let line = '';
  let width = 0;
  for (const char of text) {
    if (width + widthOf(char) > max) {
      lines.push(line);
      line = '';
      width = 0;
      if (lines.length === count) {
        const last = lines[count - 1] ?? '';
        lines[count - 1] = `${[...last].slice(0, -1).join('')}…`;
        return lines;
      }
    }
    line += char;
    width += widthOf(char);
  }
  return line === '' ? lines : [...lines, line];
}

// oxlint-disable-next-line caches/of-context -- a property of the machine
let fonts: Promise<boolean> | undefined;

/** Whether this machine has a Chinese font: without one, two different characters render the same. */
function hasFonts(): Promise<boolean> {
  const drawn = async (char: string): Promise<string> => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="32" height="32"><text x="4" y="26" font-size="24" font-family="${FONTS}">${char}</text></svg>`;
    return (await sharp(Buffer.from(svg)).raw().toBuffer()).toString('base64');
  };
  fonts ??= Promise.all([drawn('游'), drawn('一')]).then(([a, b]) => a !== b);
  return fonts;
}

function cardText(card: ShareCard): string {
  const [text, soft, price] = ['#14222b', '#5a6b76', '#c2410c'];
  const left = PICTURE_WIDTH + 52;
  const write = (x: number, y: number, size: number, fill: string, content: string, weight = 400) =>
    `<text x="${x}" y="${y}" font-size="${size}" fill="${fill}" font-weight="${weight}" font-family="${FONTS}">${escapeText(content)}</text>`;
  const title = linesOf(card.title, 12.2, 4).map((line, i) => write(left, 186 + i * 56, 40, text, line, 600));
  const [yuan = '0', part = '00'] = yuanText(card.allInFen).split('.');
  const priceWidth = 30 + yuan.length * 36;
  return [
    write(left, 108, 28, soft, linesOf(card.gameName, 17, 1)[0] ?? ''),
    ...title,
    write(left, 500, 34, price, '¥', 700),
    write(left + 28, 500, 60, price, yuan, 700),
    write(left + priceWidth, 500, 34, price, `.${part}`, 700),
    write(left, 546, 24, soft, '全包价，货款由平台托管'),
    write(left, 592, 24, soft, card.siteName, 600),
  ].join('');
}

/** A listing that was removed meanwhile. */
const BLANK = '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="630"/>';

async function loadPicture(ctx: Context, card: ShareCard, width: number, hasText: boolean): Promise<Buffer> {
  const { picture, cover } = card;
  if (picture && 'key' in picture) {
    const size = sizeOfKey(picture.key);
    const object = size && (await ctx.storage.read(storageKey(picture.key, servingWidth(size.width, width))));
    if (object) return await buffer(object.body);
  }
  return Buffer.from(cover ? drawPoster(cover, { width, height: HEIGHT, hasText }) : BLANK);
}

/**
 * The preview image of a shared listing, a JPEG of 1200 × 630: its picture with game, title and all-in price next to it. Without a Chinese
 * font on the machine the text is omitted.
 */
export async function drawShareCard(ctx: Context, card: ShareCard): Promise<Buffer> {
  return await withSlot(async () => {
    const withText = await hasFonts();
    const width = withText ? PICTURE_WIDTH : WIDTH;
    const picture = await sharp(await loadPicture(ctx, card, width, withText))
      .resize(width, HEIGHT, { fit: 'cover' })
      .toBuffer();
    const brand = oklch(0.52, 0.09, card.siteHue);
    const panel = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"><rect width="${WIDTH}" height="${HEIGHT}" fill="#f8fafb"/><rect x="${PICTURE_WIDTH}" width="8" height="${HEIGHT}" fill="${brand}"/>${withText ? cardText(card) : ''}</svg>`;
    return await sharp(Buffer.from(panel))
      .composite([{ input: picture, left: 0, top: 0 }])
      .jpeg({ quality: QUALITY })
      .toBuffer();
  });
}
