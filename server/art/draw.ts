import { arch, bamboo, castle, city, lantern, shrine } from './buildings.ts';
import { record, sheet, wall } from './details.ts';
import { badge, bag, rack, radar } from './emblems.ts';
import { contour, dunes, forest, islands, ridge, road } from './landscapes.ts';
import { avatar, banner, glyph, type LogoKind, logo } from './brands.ts';
import { backdrop, box, escapeText, mix, oklch, type Pen, pen } from './svg.ts';
import { cards, clouds, crystal, hex, orbit, waves } from './fantasy.ts';

/** Landscapes for a game's scene. */
const LANDSCAPES: Readonly<Record<string, (p: Pen) => string>> = {
  ridge,
  contour,
  arch,
  crystal,
  city,
  orbit,
  hex,
  road,
  waves,
  clouds,
  castle,
  bamboo,
  lantern,
  forest,
  dunes,
  cards,
  islands,
  shrine,
};

/** Pictures of what an account holds. */
const DETAILS: readonly ((p: Pen) => string)[] = [wall, sheet, badge, bag, radar, record];

/** Scenes of games that are played with firearms. */
const FIREARMS: readonly string[] = ['city', 'contour', 'dunes'];

/** Names of the landscapes, for forms that choose one. */
export const SCENE_KINDS: readonly string[] = Object.keys(LANDSCAPES);

function svg(width: number, height: number, viewBox: string, body: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${viewBox}" preserveAspectRatio="xMidYMid slice">${body}</svg>`;
}

/** Leaves out zeros before a decimal point and spaces before a minus; only for drawn shapes, never for text. */
function terse(shapes: string): string {
  return shapes.replace(/([^\d.])0\.(\d)/g, '$1.$2').replace(/(\d) -/g, '$1-');
}

/** Landscape of a scene; an unknown one shows mountains, because staff may name a scene before it is drawn. */
function landscape(scene: string): (p: Pen) => string {
  return LANDSCAPES[scene] ?? ridge;
}

/** How far the hue of a listing may differ from its game's: mostly a little, sometimes enough to distinguish neighbours. */
function hueTurn(seed: number): number {
  const dice = mix(seed, 11) % 100;
  const wide = mix(seed, 12) % 1000;
  return dice < 55 ? (wide / 1000 - 0.5) * 28 : (wide / 1000 - 0.5) * 160;
}

/** Drawer of picture `index`: the cover alternates between the game's scene and the account's contents; neighbours always differ. */
function drawerOf(scene: string, seed: number, index: number): (p: Pen) => string {
  const all = [landscape(scene), ...DETAILS, (p: Pen) => rack(p, FIREARMS.includes(scene))];
  const cover = [0, 0, 1, 1, 1, 1, 3, 3, 2, 2, 4, 5, 6, 7][mix(seed, 21) % 14] ?? 0;
  if (index === 0) return all[cover] ?? wall;
  const rest = all.map((_, i) => i).filter((i) => i !== cover);
  const order = rest.toSorted((a, b) => mix(seed, 22, a) - mix(seed, 22, b));
  const position = (index - 1) % all.length;
  return all[position < order.length ? (order[position] ?? 0) : cover] ?? wall;
}

export interface GoodsArt {
  /** Hue of the game, 0 to 360. */
  hue: number;
  /** Landscape of the game, one of SCENE_KINDS. */
  scene: string;
  /** The listing's seed: the same seed draws the same pictures. */
  seed: number;
  /** Index of the picture; 0 is the cover. */
  index: number;
  /** Pixels; only their ratio changes the drawing. */
  width: number;
  height: number;
  /** Small text in the lower left corner, such as the listing's number. */
  label?: string;
}

/** A picture of a demo listing as SVG text: generated, so that the demo market needs no real screenshots. */
export function drawGoods({ hue, scene, seed, index, width, height, label }: GoodsArt): string {
  const p = pen({ hue: hue + hueTurn(seed), seed: mix(seed, index, 3), width, height });
  const drop = index === 0 ? 0 : p.between(-0.02, 0.03);
  let body = terse(
    backdrop(p, p.tone(0.72 + drop, 0.072), p.tone(0.47 + drop, 0.082, 10)) + drawerOf(scene, seed, index)(p),
  );
  if (label !== undefined && label !== '') {
    const escapedLabel = escapeText(label.slice(0, 40));
    const wide = Math.min(
      p.w - 6,
      8 + Array.from(label.slice(0, 40), (c) => (c > '\u2e80' ? 5 : 2.9)).reduce((a, b) => a + b, 0),
    );
    body += box(3, p.h - 11, wide, 8, 2, '#000', 0.34);
    body += `<text x="6.5" y="${Math.round((p.h - 5.2) * 10) / 10}" font-family="'PingFang SC','Microsoft YaHei','Noto Sans CJK SC',sans-serif" font-size="5" fill="#fff" fill-opacity=".92">${escapedLabel}</text>`;
  }
  return svg(width, height, `0 0 ${p.w} ${p.h}`, body);
}

/** Square icon of a game: its scene under one serif character. Full bleed; the page rounds the corners. */
export function drawGame({ hue, scene, char }: { hue: number; scene: string; char: string }): string {
  const p = pen({ hue, seed: mix(hue, char.codePointAt(0) ?? 0, 5), width: 160, height: 160 });
  const veil = `<rect width="160" height="160" fill="${oklch(0.4, 0.08, hue)}" opacity=".3"/>`;
  const scenery = terse(
    `<g transform="scale(.6)">${backdrop(p, p.tone(0.69, 0.08), p.tone(0.43, 0.085, 8))}${landscape(scene)(p)}${veil}</g>`,
  );
  const shadow = glyph(char, { size: 50, colour: oklch(0.25, 0.06, hue), serif: true, dy: 67.5, opacity: 0.45 });
  return svg(96, 96, '0 0 96 96', scenery + shadow + glyph(char, { size: 50, colour: '#fff', serif: true, dy: 66 }));
}

/** Avatar: the first character of a name on a tint, or a plain figure when there is no name. */
export function drawAvatar({ hue, char }: { hue: number; char: string }): string {
  return svg(96, 96, '0 0 96 96', avatar(hue, char));
}

/** Wide banner in a distributor's hue; the left half is plain, for text. */
export function drawBanner({ hue, dark = false }: { hue: number; dark?: boolean }): string {
  return svg(1200, 320, '0 0 1200 320', banner(hue, dark));
}

/** Logo of a distributor. `char` is used by the kind 'seal' only. */
export function drawLogo({ hue, char, kind }: { hue: number; char: string; kind: LogoKind }): string {
  return svg(96, 96, '0 0 96 96', logo(hue, char, kind));
}

/** A certificate picture of the demo market: a seal and a text. Distributors upload real ones. */
export function drawCertificate({ hue, text }: { hue: number; text: string }): string {
  const escapedText = escapeText([...text].slice(0, 6).join(''));
  const body = `<rect x=".5" y=".5" width="95" height="31" rx="4" fill="${oklch(0.98, 0.01, hue)}" stroke="${oklch(0.8, 0.05, hue)}"/><circle cx="16" cy="16" r="9" fill="${oklch(0.5, 0.1, hue)}"/><path d="M12 16l3 3 5.5-6" fill="none" stroke="#fff" stroke-width="2"/><text x="30" y="15" font-family="'PingFang SC','Microsoft YaHei','Noto Sans CJK SC',sans-serif" font-size="11" font-weight="600" fill="${oklch(0.3, 0.05, hue)}">${escapedText}</text><text x="30" y="25.5" font-family="'PingFang SC','Microsoft YaHei','Noto Sans CJK SC',sans-serif" font-size="7.5" fill="${oklch(0.5, 0.03, hue)}">演示资质</text>`;
  return svg(96, 32, '0 0 96 32', body);
}
