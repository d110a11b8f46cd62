/**
 * Colours of a brand: OKLCH to sRGB, contrast by WCAG 2.2, and the constraints on hue and strength. A brand sets a hue (0 to 359) and a
 * strength (`chroma`, a factor on the chroma of every brand token in web/styles/base/tokens.css).
 */

/** Lightness, chroma and hue of a colour. */
export interface Oklch {
  l: number;
  c: number;
  h: number;
}

type Rgb = readonly [number, number, number];

/** Linear sRGB of a colour; a component outside 0 to 1 lies outside the gamut of a common screen. */
function linear({ l, c, h }: Oklch): Rgb {
  const angle = (h * Math.PI) / 180;
  const a = c * Math.cos(angle);
  const b = c * Math.sin(angle);
  const long = (l + 0.396_337_777_4 * a + 0.215_803_757_3 * b) ** 3;
  const medium = (l - 0.105_561_345_8 * a - 0.063_854_172_8 * b) ** 3;
  const short = (l - 0.089_484_177_5 * a - 1.291_485_548 * b) ** 3;
  return [
    4.076_741_662_1 * long - 3.307_711_591_3 * medium + 0.230_969_929_2 * short,
    -1.268_438_004_6 * long + 2.609_757_401_1 * medium - 0.341_319_396_5 * short,
    -0.004_196_086_3 * long - 0.703_418_614_7 * medium + 1.707_614_701 * short,
  ];
}

const SLACK = 0.002;
const inGamut = (rgb: Rgb): boolean => rgb.every((part) => part >= -SLACK && part <= 1 + SLACK);
const clamped = (part: number): number => Math.min(1, Math.max(0, part));

/** Relative luminance according to WCAG 2.2, after clipping to the gamut. */
export function luminance(colour: Oklch): number {
  const [r, g, b] = linear(colour).map(clamped);
  return 0.2126 * (r ?? 0) + 0.7152 * (g ?? 0) + 0.0722 * (b ?? 0);
}

/** Contrast of two colours by WCAG 2.2: 1 to 21. */
export function contrast(one: Oklch, other: Oklch): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

/** A colour as #rrggbb, clipped to the gamut. */
export function hexOf(colour: Oklch): string {
  const parts = linear(colour).map((part) => {
    const value = clamped(part);
    const encoded = value <= 0.003_130_8 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055;
    return Math.round(encoded * 255)
      .toString(16)
      .padStart(2, '0');
  });
  return `#${parts.join('')}`;
}

/** OKLCH of #rrggbb; null when the text is not a colour. */
export function oklchOf(hex: string): Oklch | null {
  const match = /^#?([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(hex.trim());
  if (!match) return null;
  const [r = 0, g = 0, b = 0] = match.slice(1).map((part) => {
    const value = Number.parseInt(part, 16) / 255;
    return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  const long = Math.cbrt(0.412_221_470_8 * r + 0.536_332_536_3 * g + 0.051_445_992_9 * b);
  const medium = Math.cbrt(0.211_903_498_2 * r + 0.680_699_545_1 * g + 0.107_396_956_6 * b);
  const short = Math.cbrt(0.088_302_461_9 * r + 0.281_718_837_6 * g + 0.629_978_700_5 * b);
  const l = 0.210_454_255_3 * long + 0.793_617_785 * medium - 0.004_072_046_8 * short;
  const a = 1.977_998_495_1 * long - 2.428_592_205 * medium + 0.450_593_709_9 * short;
  const bb = 0.025_904_037_1 * long + 0.782_771_766_2 * medium - 0.808_675_766 * short;
  return { l, c: Math.hypot(a, bb), h: ((Math.atan2(bb, a) * 180) / Math.PI + 360) % 360 };
}

/** Lightness and chroma of the brand tokens in light and dark, as in web/styles/base/tokens.css (colour.test.ts compares). */
export const brandTokens = {
  'brand-25': [
    [0.985, 0.006],
    [0.225, 0.018],
  ],
  'brand-50': [
    [0.968, 0.014],
    [0.25, 0.026],
  ],
  'brand-100': [
    [0.938, 0.026],
    [0.29, 0.038],
  ],
  'brand-200': [
    [0.88, 0.045],
    [0.36, 0.052],
  ],
  'brand-300': [
    [0.79, 0.07],
    [0.45, 0.066],
  ],
  'brand-500': [
    [0.6, 0.098],
    [0.66, 0.1],
  ],
  'brand-600': [
    [0.5, 0.09],
    [0.76, 0.092],
  ],
  'brand-700': [
    [0.425, 0.08],
    [0.81, 0.08],
  ],
  'brand-800': [
    [0.35, 0.066],
    [0.87, 0.06],
  ],
  'brand-900': [
    [0.265, 0.048],
    [0.93, 0.035],
  ],
  act: [
    [0.425, 0.08],
    [0.52, 0.092],
  ],
} as const satisfies Readonly<Record<string, readonly [readonly [number, number], readonly [number, number]]>>;

export type BrandToken = keyof typeof brandTokens;
export type Scheme = 'light' | 'dark';

/** A hue and a strength. */
export interface BrandColour {
  hue: number;
  chroma: number;
}

/** A brand token of a scheme, under a brand's colour. */
export function brandColour({ hue, chroma }: BrandColour, token: BrandToken, scheme: Scheme): Oklch {
  const [l, c] = brandTokens[token][scheme === 'light' ? 0 : 1];
  return { l, c: c * chroma, h: hue };
}

const WHITE: Oklch = { l: 1, c: 0, h: 0 };
const INK: Oklch = { l: 0.235, c: 0.016, h: 235 };
const DARK_PANEL: Oklch = { l: 0.208, c: 0.013, h: 235 };
const DARK_INK: Oklch = { l: 0.945, c: 0.005, h: 235 };

/** A pair of colours that must be distinguishable, with its figure. */
export interface ContrastCheck {
  name: string;
  fore: string;
  back: string;
  ratio: number;
  least: number;
  /** AAA, AA, or empty below `least`. */
  grade: 'AAA' | 'AA' | '';
}

const TEXT = 4.5;
const GRAPHIC = 3;

/** Every pair of a brand's colours that carries text or marks the focus, in both schemes. */
export function contrastsOf(brand: BrandColour): ContrastCheck[] {
  const token = (name: BrandToken, scheme: Scheme = 'light') => brandColour(brand, name, scheme);
  const pairs: readonly (readonly [name: string, fore: Oklch, back: Oklch, least: number])[] = [
    ['主按钮白字', WHITE, token('act'), TEXT],
    ['链接', token('brand-600'), WHITE, TEXT],
    ['选中项文字', token('brand-700'), token('brand-50'), TEXT],
    ['自己的气泡', INK, token('brand-100'), TEXT],
    ['图表与焦点框', token('brand-500'), WHITE, GRAPHIC],
    ['深色下的主按钮', WHITE, token('act', 'dark'), TEXT],
    ['深色下的链接', token('brand-600', 'dark'), DARK_PANEL, TEXT],
    ['深色下的气泡', DARK_INK, token('brand-100', 'dark'), TEXT],
  ];
  return pairs.map(([name, fore, back, least]) => {
    const ratio = Math.floor(contrast(fore, back) * 10) / 10;
    const grade = ratio < least ? '' : ratio >= (least === TEXT ? 7 : TEXT) ? 'AAA' : 'AA';
    return { name, fore: hexOf(fore), back: hexOf(back), ratio, least, grade };
  });
}

/** Hues of the colours that mean the same on every site (web/styles/base/tokens.css). */
const FIXED_HUES = [
  ['价格色', 33],
  ['安全色', 158],
  ['危险色', 18],
] as const;
export const MIN_HUE_DISTANCE = 30;
/** Below this strength a brand is grey: no hue is visible. */
const GREY = 0.25;
export const MAX_CHROMA = 2.5;

/** Distance of a hue from each colour of fixed meaning, in degrees. */
export function hueDistances(hue: number): { name: string; degrees: number }[] {
  return FIXED_HUES.map(([name, fixed]) => {
    const apart = Math.abs(hue - fixed) % 360;
    return { name, degrees: Math.round(Math.min(apart, 360 - apart)) };
  });
}

/** Hues that are far enough from the colours of fixed meaning, as inclusive ranges of whole degrees. */
function freeHues(): string {
  const isFree = (hue: number) => hueDistances(hue).every(({ degrees }) => degrees >= MIN_HUE_DISTANCE);
  const ranges: [number, number][] = [];
  for (let hue = 0; hue < 360; hue++) {
    if (!isFree(hue)) continue;
    const last = ranges.at(-1);
    if (last?.[1] === hue - 1) last[1] = hue;
    else ranges.push([hue, hue]);
  }
  return ranges.map(([from, to]) => `${from} 到 ${to}`).join('、');
}

/** The tokens in which a difference in strength is visible. In the pale ones a colour beyond the range of a screen looks the same. */
const STRONG = ['act', 'brand-500', 'brand-600', 'brand-700'] as const satisfies readonly BrandToken[];

/** The maximum strength of a hue that a common screen can show, in steps of 0.05; a stronger one looks the same there. */
export function greatestChroma(hue: number): number {
  const fits = (chroma: number) =>
    STRONG.every((token) =>
      (['light', 'dark'] as const).every((scheme) => inGamut(linear(brandColour({ hue, chroma }, token, scheme)))),
    );
  let chroma = MAX_CHROMA;
  while (chroma > 0.05 && !fits(chroma)) chroma = Math.round((chroma - 0.05) * 100) / 100;
  return chroma;
}

const lowContrast = (brand: BrandColour): ContrastCheck | undefined =>
  contrastsOf(brand).find(({ ratio, least }) => ratio < least);

/** The maximum strength below the brand's own at which every pair can be distinguished, in steps of 0.05. */
function readableChroma({ hue, chroma }: BrandColour): number {
  let less = Math.floor(chroma * 20) / 20;
  while (less > 0 && lowContrast({ hue, chroma: less })) less = Math.round((less - 0.05) * 100) / 100;
  return less;
}

/** The error in a brand's colour, with the field and an acceptable value; null when the colour may be published. */
export function colourFault(brand: BrandColour): { field: 'hue' | 'chroma'; text: string } | null {
  const near =
    brand.chroma < GREY ? undefined : hueDistances(brand.hue).find(({ degrees }) => degrees < MIN_HUE_DISTANCE);
  if (near)
    return {
      field: 'hue',
      text: `色相与${near.name}只差 ${near.degrees}°，会看混；至少差 ${MIN_HUE_DISTANCE}°，可用 ${freeHues()}`,
    };
  const lowest = lowContrast(brand);
  if (!lowest) return null;
  return {
    field: 'chroma',
    text: `${lowest.name}的对比度只有 ${lowest.ratio}，至少 ${lowest.least}；这个色相的浓度最多 ${readableChroma(brand)}`,
  };
}
