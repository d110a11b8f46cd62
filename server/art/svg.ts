/** What a scene draws with: a canvas 160 units wide, random numbers of its own, and colours of one hue. */
export interface Pen {
  readonly w: number;
  readonly h: number;
  readonly hue: number;
  /** Prefix for ids, unique per picture, so that several can stand in one page. */
  readonly id: string;
  /** Next random number in [0, 1). */
  next(): number;
  /** Random number between two bounds. */
  between(low: number, high: number): number;
  /** Random whole number between two bounds, both included. */
  whole(low: number, high: number): number;
  /** Colour of this picture's hue: lightness and chroma of OKLCH, and how far the hue is turned. */
  tone(lightness: number, chroma?: number, turn?: number): string;
}

export type Point = readonly [x: number, y: number];

/** Mixes whole numbers into one unsigned 32-bit number; neighbours give unlike results. */
export function mix(...values: number[]): number {
  let h = 0x9e3779b9;
  for (const value of values) {
    h = Math.imul(h ^ (value | 0), 0x85ebca6b);
    h ^= h >>> 13;
    h = Math.imul(h, 0xc2b2ae35);
    h ^= h >>> 16;
  }
  return h >>> 0;
}

/** Pen for one picture (mulberry32 for the random numbers). */
export function pen(o: { hue: number; seed: number; width: number; height: number }): Pen {
  let state = o.seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const between = (low: number, high: number) => low + (high - low) * next();
  return {
    w: 160,
    h: round((160 * o.height) / o.width),
    hue: o.hue,
    id: `a${mix(o.seed, Math.round(o.hue)).toString(36)}`,
    next,
    between,
    whole: (low, high) => Math.floor(between(low, high + 1)),
    tone: (lightness, chroma = 0.07, turn = 0) => {
      // Dark yellows turn to mud; a little more light keeps them olive and gold.
      const lift = 0.035 * Math.max(0, Math.cos(((o.hue + turn - 92) * Math.PI) / 180));
      return oklch(Math.min(0.97, lightness + lift), chroma, o.hue + turn);
    },
  };
}

/** One decimal is finer than a pixel of the largest picture. */
export function round(n: number): number {
  return Math.round(n * 10) / 10;
}

/** Two decimals, for opacities and stroke widths. */
function round2(n: number): number {
  return Math.round(n * 100) / 100;
}

function linearToByte(x: number): number {
  const v = x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055;
  return Math.round(Math.min(1, Math.max(0, v)) * 255);
}

/** OKLCH as #rrggbb: picture rasterisers do not know oklch(). Chroma is taken back until the colour exists in sRGB. */
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

/** Path of straight lines, closed. */
export function poly(points: readonly Point[]): string {
  return `M${points.map(([x, y]) => `${round(x)} ${round(y)}`).join('L')}Z`;
}

/** Closed outline given as 'x y,x y,…' around (0, 0), moved to (x, y) and scaled. */
export function shape(outline: string, x: number, y: number, k: number): string {
  return poly(
    outline.split(',').map((pair): Point => {
      const [dx = 0, dy = 0] = pair.split(' ').map(Number);
      return [x + dx * k, y + dy * k];
    }),
  );
}

/** Smooth path through the midpoints between the points; with `close` it is closed, else it continues down to `floor`. */
export function smooth(points: readonly Point[], end: { close: true } | { floor: number }): string {
  const mid = (a: Point, b: Point): Point => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
  const say = ([x, y]: Point) => `${round(x)} ${round(y)}`;
  const first = points[0] ?? [0, 0];
  const last = points.at(-1) ?? first;
  if ('close' in end) {
    const parts = points.map((p, i) => `Q${say(p)} ${say(mid(p, points[(i + 1) % points.length] ?? first))}`);
    return `M${say(mid(last, first))}${parts.join('')}Z`;
  }
  const inner = points.slice(1, -1).map((p, i) => `Q${say(p)} ${say(mid(p, points[i + 2] ?? last))}`);
  return `M${say([first[0], end.floor])}L${say(first)}${inner.join('')}L${say(last)}L${say([last[0], end.floor])}Z`;
}

/** Filled path. */
export function fill(d: string, colour: string, opacity?: number): string {
  return `<path d="${d}" fill="${colour}"${opacity === undefined ? '' : ` opacity="${round2(opacity)}"`}/>`;
}

/** Stroked path. */
export function line(d: string, colour: string, width: number, opacity = 1): string {
  const o = opacity === 1 ? '' : ` stroke-opacity="${round2(opacity)}"`;
  return `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${round2(width)}" stroke-linecap="round" stroke-linejoin="round"${o}/>`;
}

/** A filled circle about (x, y). */
export function disc(x: number, y: number, r: number, colour: string, opacity?: number): string {
  const o = opacity === undefined ? '' : ` opacity="${round2(opacity)}"`;
  return `<circle cx="${round(x)}" cy="${round(y)}" r="${round(r)}" fill="${colour}"${o}/>`;
}

/** Sun or moon: a disc with its halo. */
export function sun(x: number, y: number, r: number): string {
  return disc(x, y, r * 1.7, '#fff', 0.1) + disc(x, y, r, '#fff', 0.6);
}

/** A filled rectangle with corners of radius `r`. */
export function box(x: number, y: number, w: number, h: number, r: number, colour: string, opacity?: number): string {
  const o = opacity === undefined ? '' : ` opacity="${round2(opacity)}"`;
  return `<rect x="${round(x)}" y="${round(y)}" width="${round(w)}" height="${round(h)}"${r === 0 ? '' : ` rx="${round(r)}"`} fill="${colour}"${o}/>`;
}

/** Vertical gradient and the rectangle that it fills. */
export function backdrop(p: Pen, top: string, bottom: string): string {
  return (
    `<defs><linearGradient id="${p.id}" x2="0" y2="1"><stop stop-color="${top}"/><stop offset="1" stop-color="${bottom}"/></linearGradient></defs>` +
    `<rect width="${p.w}" height="${p.h}" fill="url(#${p.id})"/>`
  );
}

/** Sub-path of a rectangle, so that many share one path element. */
export function rectPath(x: number, y: number, w: number, h: number): string {
  return `M${round(x)} ${round(y)}h${round(w)}v${round(h)}h${round(-w)}z`;
}

/** Sub-path of a disc. */
export function discPath(x: number, y: number, r: number): string {
  const d = round(r * 2);
  return `M${round(x - r)} ${round(y)}a${round(r)} ${round(r)} 0 1 0 ${d} 0a${round(r)} ${round(r)} 0 1 0-${d} 0z`;
}

/** Sub-path of a triangle standing on its base, written relatively because that is half as long. */
export function tri(x: number, top: number, half: number, height: number): string {
  return `M${round(x)} ${round(top)}l${round(half)} ${round(height)}h${round(-2 * half)}z`;
}

/** Sub-path of a dot for `dots`. */
export function dot(x: number, y: number): string {
  return `M${round(x)} ${round(y)}h.01`;
}

/** Many discs of one size as one path: lines of no length with round ends. */
export function dots(d: string, colour: string, diameter: number, opacity?: number): string {
  return d === '' ? '' : line(d, colour, diameter, opacity);
}

/** Light of lamps and windows: warm against every hue, turned as far as the hue allows. */
export function lamp(p: Pen): string {
  return oklch(0.86, 0.1, 78 + (((p.hue % 360) / 360) * 12 - 6));
}

/** Star with `n` points. */
export function starPath(x: number, y: number, outer: number, inner: number, n = 5): string {
  return poly(
    Array.from({ length: n * 2 }, (_, i): Point => {
      const r = i % 2 === 0 ? outer : inner;
      const a = (Math.PI * i) / n - Math.PI / 2;
      return [x + r * Math.cos(a), y + r * Math.sin(a)];
    }),
  );
}

/** Four-pointed glint with hollow sides. */
export function glintPath(x: number, y: number, r: number): string {
  const k = r * 0.16;
  const at = (dx: number, dy: number) => `${round(x + dx)} ${round(y + dy)}`;
  return `M${at(0, -r)}Q${at(k, -k)} ${at(r, 0)}Q${at(k, k)} ${at(0, r)}Q${at(-k, k)} ${at(-r, 0)}Q${at(-k, -k)} ${at(0, -r)}Z`;
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text that cannot leave its element; control characters are dropped because XML forbids them. */
export function escapeText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\u0000-\u001f\u007f\ufffe\uffff]/g, '')
    .replace(/[&<>"']/g, (c) => escapes[c] ?? '');
}
