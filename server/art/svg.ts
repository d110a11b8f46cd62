const SANS = `'PingFang SC','HarmonyOS Sans SC','Microsoft YaHei','Noto Sans CJK SC',sans-serif`;
export const SERIF = `'Noto Serif CJK SC','Source Han Serif SC','Songti SC',STSong,SimSun,serif`;

/** One decimal: enough for any canvas here. */
export const round = (n: number): number => Math.round(n * 10) / 10;

function linearToByte(x: number): number {
  const v = x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055;
  return Math.round(Math.min(1, Math.max(0, v)) * 255);
}

/** OKLCH as #rrggbb: picture rasterisers do not know oklch(). Chroma is reduced until the colour exists in sRGB. */
export function oklch(lightness: number, chroma: number, hue: number): string {
  const rad = (hue * Math.PI) / 180;
  for (let c = chroma; ; c -= 0.004) {
    const a = Math.max(0, c) * Math.cos(rad);
    const b = Math.max(0, c) * Math.sin(rad);
    const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
    const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
    const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
    const rgb = [
      4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
      -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
      -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
    ];
    if (c <= 0 || rgb.every((x) => x >= -0.0005 && x <= 1.0005)) {
      return `#${rgb.map((x) => linearToByte(x).toString(16).padStart(2, '0')).join('')}`;
    }
  }
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text that cannot leave its element or attribute; control characters are dropped because XML forbids them. */
export function escapeText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\u0000-\u001f\u007f\ufffe\uffff]/g, '')
    .replace(/[&<>"']/g, (c) => escapes[c] ?? '');
}

const graphemes = new Intl.Segmenter('zh');

/** The characters of a text as a reader counts them: an emoji of several code points is one. */
const charactersOf = (text: string): string[] => Array.from(graphemes.segment(text), ({ segment }) => segment);

/** First character of a name as a reader sees it; empty for an empty name. */
export const firstCharacter = (text: string): string => charactersOf(text.trim())[0] ?? '';

/** Approximate width of a text in em: 1 for a CJK character or an emoji, 0.57 for any other. */
export const widthOf = (text: string): number =>
  charactersOf(text).reduce((sum, c) => sum + (c > '\u2e7f' ? 1 : c === '→' ? 1 : 0.57), 0);

/** The largest whole font size up to `max` with which a text is at most `width` units wide. */
export const fitted = (text: string, max: number, width: number): number =>
  Math.min(max, Math.floor(width / Math.max(0.1, widthOf(text))));

/** Characters that a truncated text must not end with. */
const SEPARATORS: readonly string[] = [' ', '·', '、'];

/** Truncates the text with … so that it is at most `width` units wide at the font size. */
export function cutTo(text: string, size: number, width: number): string {
  if (widthOf(text) * size <= width) return text;
  const kept = charactersOf(text);
  while (kept.length > 0 && (widthOf(kept.join('')) + 1) * size > width) kept.pop();
  while (SEPARATORS.includes(kept.at(-1) ?? '')) kept.pop();
  return `${kept.join('')}…`;
}

/** Filled path. */
export const fill = (d: string, colour: string): string => `<path d="${d}" fill="${colour}"/>`;

/** Stroked path with round ends. */
export const line = (d: string, colour: string, width: number): string =>
  `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`;

/** A filled circle about (x, y). */
export const disc = (x: number, y: number, r: number, colour: string): string =>
  `<circle cx="${round(x)}" cy="${round(y)}" r="${round(r)}" fill="${colour}"/>`;

/** A filled rectangle with corners of radius `r`. */
export const box = (x: number, y: number, w: number, h: number, r: number, colour: string): string =>
  `<rect x="${round(x)}" y="${round(y)}" width="${round(w)}" height="${round(h)}"${r === 0 ? '' : ` rx="${round(r)}"`} fill="${colour}"/>`;

interface TextStyle {
  size: number;
  colour: string;
  weight?: 600 | 700 | 900;
  anchor?: 'middle' | 'end';
  family?: string;
}

/** One line of text at its baseline; escaped. */
export function write(x: number, y: number, text: string, { size, colour, weight, anchor, family }: TextStyle): string {
  const attributes = [
    family === undefined ? '' : ` font-family="${family}"`,
    weight === undefined ? '' : ` font-weight="${weight}"`,
    anchor === undefined ? '' : ` text-anchor="${anchor}"`,
  ];
  return `<text x="${round(x)}" y="${round(y)}" font-size="${size}" fill="${colour}"${attributes.join('')}>${escapeText(text)}</text>`;
}

/** A drawing without its lines of text. */
export const withoutText = (drawn: string): string =>
  drawn
    .split('<text')
    .map((part, i) => (i === 0 ? part : part.slice(part.indexOf('</text>') + '</text>'.length)))
    .join('');

/** A whole picture of the canvas; `alt` is its text for screen readers when the picture is opened. */
export function svg(width: number, height: number, body: string, alt = ''): string {
  const label = alt === '' ? '' : ` role="img" aria-label="${escapeText(alt)}"`;
  const family = body.includes('<text') ? ` font-family="${SANS}"` : '';
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" preserveAspectRatio="xMidYMid slice"${family}${label}>${body}</svg>`;
}
