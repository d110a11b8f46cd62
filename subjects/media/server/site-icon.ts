import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { drawLogo, type LogoKind } from '#server/art/marks.ts';
import { oklch } from '#server/art/svg.ts';
import type { Context } from '#server/context.ts';
import type { Distributor } from '#server/directory/directory.ts';
import { sizeOfKey } from '#server/kernel/picture-key.ts';
import { servingWidth, storageKey } from './rules.ts';

/** The brands whose logos this project has drawn; every other one has a seal with its first character. */
export const LOGOS: Readonly<Record<string, LogoKind>> = { youshi: 'stall', moon: 'moon', star: 'star' };

/** The ground of a brand's icon, and the colour of an installed site's title bar. */
export const siteColour = (hue: number, chroma: number): string => oklch(0.425, 0.08 * chroma, hue);

/** The safe area of a maskable icon, which no platform cuts off: a circle of 80 %, and the square inside it. */
const SAFE_PART = 0.62;

/** The source picture of an icon: the brand's own, otherwise its logo. A seal is replaced, because a machine without fonts cannot draw it. */
async function loadSource(ctx: Context, { conf, code }: Distributor, width: number): Promise<Buffer> {
  const key = /^\/img\/([^/?]+)/.exec(conf.pictArea.webIcon)?.[1];
  const size = key === undefined ? undefined : sizeOfKey(key);
  const object = key && size ? await ctx.storage.read(storageKey(key, servingWidth(size.width, width))) : undefined;
  if (object) return await buffer(object.body);
  return Buffer.from(drawLogo({ hue: conf.theme.hue, char: '', kind: LOGOS[code] ?? 'stall' }));
}

/**
 * The icon of an installed site, a square PNG. `maskable` leaves a margin that platforms may cut off; `opaque` has no
 * transparent corners, for platforms that paint them black.
 */
export async function drawSiteIcon(
  ctx: Context,
  dist: Distributor,
  { size, kind }: { size: number; kind: 'any' | 'maskable' | 'opaque' },
): Promise<Buffer> {
  const inner = kind === 'maskable' ? Math.round(size * SAFE_PART) : size;
  const source = await loadSource(ctx, dist, size);
  const transparent = { r: 0, g: 0, b: 0, alpha: 0 };
  // Drawn pictures are of 96 pixels: a higher density keeps their edges sharp.
  const mark = await sharp(source, { density: (72 * inner) / 96 })
    .resize(inner, inner, { fit: 'contain', background: transparent })
    .png()
    .toBuffer();
  if (kind === 'any') return mark;
  const { hue, chroma } = dist.conf.theme;
  return await sharp({ create: { width: size, height: size, channels: 4, background: siteColour(hue, chroma) } })
    .composite([{ input: mark, gravity: 'centre' }])
    .flatten()
    .png()
    .toBuffer();
}
