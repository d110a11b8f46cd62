import { AtRule, type Declaration, type Plugin, type Rule } from 'postcss';

/**
 * Colours for browsers below Chromium 111 and Firefox 113, which support neither oklch() nor color-mix(): each rule with such a colour is followed
 * by the same in sRGB, in a block that all others skip. The tokens are custom properties, so a fallback declaration would not work.
 */

const UNKNOWN = 'not (color: oklch(0 0 0))';
const HAS_NEW_COLOUR = /\b(?:oklch|color-mix)\(/;

/** Hues for which a variable one is fitted; the brand's are exact at the platform's own (tokens.css). */
const BRAND_HUE = 221;
const ALL_HUES = Array.from({ length: 12 }, (_, i) => i * 30 + 15);

type Triple = readonly [number, number, number];

/** sRGB from 0 to 1 of a colour in OKLCH, cut to the gamut (https://bottosson.github.io/posts/oklab/). */
function toRgb(lightness: number, chroma: number, hue: number): Triple {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const gamma = (x: number): number => {
    const y = x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055;
    return Math.min(1, Math.max(0, y));
  };
  return [
    gamma(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    gamma(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    gamma(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

/** Hue in degrees, saturation and lightness in percent. */
function toHsl([r, g, b]: Triple): Triple {
  const max = Math.max(r, g, b);
  const min = Math.min(r, g, b);
  const range = max - min;
  const lightness = (max + min) / 2;
  if (range === 0) return [0, 0, lightness * 100];
  const sixth = max === r ? ((g - b) / range + 6) % 6 : max === g ? (b - r) / range + 2 : (r - g) / range + 4;
  return [sixth * 60, (range / (1 - Math.abs(2 * lightness - 1))) * 100, lightness * 100];
}

/** Parts of a text between signs that are outside of brackets. */
function split(text: string, sign: RegExp): string[] {
  const parts = [''];
  let depth = 0;
  for (const character of text) {
    if (character === '(') depth++;
    if (character === ')') depth--;
    if (depth === 0 && sign.test(character)) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts.map((part) => part.trim()).filter(Boolean);
}

/** A lightness as a number or in percent. */
const numberOf = (text: string): number => (text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : Number(text));
const mean = (list: readonly number[]): number => list.reduce((sum, x) => sum + x, 0) / list.length;

/** A hue set by a custom property: its name and the added offset. */
function variableHue(text: string): { name: string; added: number } | null {
  const [, name, sign, added] = /^(?:calc\()?var\((--[\w-]+)\)(?:\s*([+-])\s*([\d.]+)\))?$/.exec(text) ?? [];
  return name === undefined ? null : { name, added: Number(`${sign ?? '+'}${added ?? 0}`) };
}

/** hsl() with the hue and the strength of the colour still variable: exact for the fitted hue, close for all others. */
function fitted(lightness: number, chroma: number, text: string, strength: string, alpha: string): string {
  const hue = variableHue(text);
  if (!hue) throw new Error(`unsupported hue for web/build/plain-colours.ts: ${text}`);
  const hues = hue.name === '--brand-h' ? [BRAND_HUE] : ALL_HUES;
  const all = hues.map((one) => ({ one, hsl: toHsl(toRgb(lightness, chroma, one + hue.added)) }));
  const offset = Math.round(mean(all.map(({ one, hsl }) => ((hsl[0] - one + 540) % 360) - 180)));
  const saturation = Math.round(mean(all.map(({ hsl }) => hsl[1])));
  const sign = offset < 0 ? '-' : '+';
  const strong = strength === '' ? `${saturation}%` : `calc(${saturation}% * ${strength})`;
  return `hsl(calc(var(${hue.name}) ${sign} ${Math.abs(offset)}) ${strong} ${Math.round(mean(all.map(({ hsl }) => hsl[2])))}%${alpha && ` / ${alpha}`})`;
}

/** The replacement of one `oklch(…)`. */
function plainOklch(inner: string): string {
  const [colour = '', alpha = ''] = split(inner, /\//);
  const [l = '', c = '', h = ''] = split(colour, /\s/);
  const [, factor = c, strength = ''] = /^calc\(([\d.]+)\s*\*\s*(var\(--[\w-]+\))\)$/.exec(c) ?? [];
  const [lightness, chroma, hue] = [numberOf(l), Number(factor), Number(h)];
  if (!Number.isFinite(lightness) || !Number.isFinite(chroma))
    throw new Error(`unsupported colour for web/build/plain-colours.ts: oklch(${inner})`);
  if (strength !== '' || !Number.isFinite(hue)) return fitted(lightness, chroma, h, strength, alpha);
  const channels = toRgb(lightness, chroma, hue).map((x) => Math.round(x * 255));
  if (alpha !== '') return `rgb(${channels.join(' ')} / ${alpha})`;
  return `#${channels.map((x) => x.toString(16).padStart(2, '0')).join('')}`;
}

/** The value with every oklch() in sRGB; a mixture is replaced by its first colour. */
export function plainColours(value: string): string {
  let plain = '';
  for (let i = 0; i < value.length; ) {
    const start = /\b(oklch|color-mix)\(/.exec(value.slice(i));
    if (!start) return plain + value.slice(i);
    const from = i + start.index + start[0].length;
    let end = from;
    for (let depth = 1; depth > 0; end++) depth += value[end] === '(' ? 1 : value[end] === ')' ? -1 : 0;
    const inner = value.slice(from, end - 1);
    plain += value.slice(i, i + start.index);
    plain +=
      start[1] === 'oklch' ? plainOklch(inner) : plainColours((split(inner, /,/)[1] ?? '').replace(/\s[\d.]+%$/, ''));
    i = end;
  }
  return plain;
}

/** Whether a rule is already for browsers that know these colours, or is a step of an animation. */
function isApart(rule: Rule): boolean {
  for (let at = rule.parent; at; at = at.parent as typeof at) {
    if (at.type !== 'atrule') continue;
    const { name, params } = at as AtRule;
    if (/keyframes$/.test(name) || (name === 'supports' && HAS_NEW_COLOUR.test(params))) return true;
  }
  return false;
}

/** Adds the blocks to a style sheet. */
export function plainColoursPlugin(): Plugin {
  return {
    postcssPlugin: 'plain-colours',
    OnceExit(root) {
      root.walkRules((rule) => {
        const coloured = (rule.nodes ?? []).filter(
          (node): node is Declaration => node.type === 'decl' && HAS_NEW_COLOUR.test(node.value),
        );
        if (coloured.length === 0 || isApart(rule)) return;
        const nodes = coloured.map((one) => one.clone({ value: plainColours(one.value) }));
        rule.after(new AtRule({ name: 'supports', params: UNKNOWN, nodes: [rule.clone({ nodes })] }));
      });
    },
  };
}
