import { box, disc, escapeText, fill, glintPath, oklch, round, smooth, type Point, poly, rectPath } from './svg.ts';

const SERIF = `'Noto Serif CJK SC','Source Han Serif SC','Songti SC',STSong,SimSun,serif`;
const SANS = `'PingFang SC','Microsoft YaHei','Noto Sans CJK SC',sans-serif`;

/** First character of a name as a person sees it; empty for an empty name. */
function firstCharacter(text: string): string {
  const [first] = new Intl.Segmenter('zh').segment(text.trim());
  return first?.segment ?? '';
}

/** One character in the middle of a square of 96. */
export function glyph(
  char: string,
  o: { size: number; colour: string; serif: boolean; dy: number; opacity?: number; dx?: number },
): string {
  const opacity = o.opacity === undefined ? '' : ` opacity="${o.opacity}"`;
  return `<text x="${48 + (o.dx ?? 0)}" y="${o.dy}" font-family="${o.serif ? SERIF : SANS}" font-size="${o.size}" font-weight="${o.serif ? 900 : 600}" text-anchor="middle" fill="${o.colour}"${opacity}>${escapeText(firstCharacter(char))}</text>`;
}

/** A person's picture: the first character of the name on a quiet ground of this hue. */
export function avatar(hue: number, char: string): string {
  const ground = `<rect width="96" height="96" fill="${oklch(0.905, 0.04, hue)}"/>`;
  const letter = firstCharacter(char);
  if (letter !== '') return ground + glyph(letter, { size: 42, colour: oklch(0.4, 0.08, hue), serif: false, dy: 63 });
  const dark = oklch(0.56, 0.07, hue);
  return ground + disc(48, 38, 16, dark) + fill('M16 96a32 34 0 0 1 64 0z', dark);
}

/** Stall under an awning, 64 wide, drawn into a box of 96. */
function stall(colour: string, cut: string): string {
  const scallops = Array.from({ length: 5 }, (_, i) => `M${18 + i * 12} 40a6 7 0 0 0 12 0z`).join('');
  return (
    fill('M24 22h48l6 18H18z', colour) +
    fill(scallops, colour) +
    fill('M25 46h4.6v28H25zM66.4 46h4.6v28h-4.6z', colour) +
    box(21, 72, 54, 6, 2, colour) +
    fill('M44.5 52h7v5.5h5.5v7h-5.5v5.5h-7v-5.5H39v-7h5.5z', colour) +
    `<path d="M36 24l-4 16M48 24v16M60 24l4 16" stroke="${cut}" stroke-width="2" stroke-opacity=".55" fill="none"/>`
  );
}

export type LogoKind = 'stall' | 'moon' | 'star' | 'seal';

/** Mark of a brand on its ground of one colour. */
export function logo(hue: number, char: string, kind: LogoKind): string {
  const ground = oklch(0.425, 0.08, hue);
  const base = `<rect width="96" height="96" rx="22" fill="${ground}"/>`;
  const ink = '#fff';
  const glow = oklch(0.86, 0.09, hue + 24);
  switch (kind) {
    case 'stall':
      return base + stall(ink, ground);
    case 'moon':
      return (
        base +
        fill('M58 16a33 33 0 1 0 22 46a27 27 0 0 1-22-46z', ink) +
        fill(glintPath(70, 32, 9), glow) +
        disc(80, 49, 2, ink)
      );
    case 'star':
      return (
        base +
        fill(glintPath(46, 50, 33), ink) +
        fill(glintPath(74, 24, 11), glow) +
        `<ellipse cx="46" cy="50" rx="35" ry="12" transform="rotate(-24 46 50)" fill="none" stroke="${glow}" stroke-width="3" stroke-dasharray="74 36" stroke-dashoffset="-18"/>`
      );
    case 'seal':
      return (
        base +
        `<rect x="12" y="12" width="72" height="72" rx="12" fill="none" stroke="#fff" stroke-opacity=".5" stroke-width="2.5"/>` +
        glyph(char, { size: 50, colour: ink, serif: true, dy: 66 })
      );
  }
}

/** Hill line across the banner. */
function hill(points: readonly Point[], floor: number): string {
  return smooth(points, { floor });
}

/** Ridges of the banner's hills, left to right, back to front. */
const FAR: readonly Point[] = [
  [330, 322],
  [480, 286],
  [610, 236],
  [740, 158],
  [860, 176],
  [1000, 210],
  [1110, 156],
  [1210, 150],
];
const MIDDLE: readonly Point[] = [
  [400, 326],
  [580, 300],
  [700, 246],
  [800, 224],
  [900, 246],
  [1010, 232],
  [1120, 190],
  [1210, 206],
];
const NEAR: readonly Point[] = [
  [520, 326],
  [690, 312],
  [830, 268],
  [940, 260],
  [1050, 282],
  [1140, 252],
  [1210, 240],
];
const FRONT: readonly Point[] = [
  [640, 326],
  [800, 322],
  [930, 304],
  [1060, 306],
  [1150, 290],
  [1210, 292],
];

/** Wide home picture, 1200 × 320: hills and sun, the market stall on the right, the left left free for words. */
export function banner(hue: number, dark: boolean): string {
  // In the dark theme the far hills are the darkest and the near ones come forward, so the scale is turned round.
  const tone = (l: number, c: number) => oklch(dark ? 0.56 - l * 0.36 : l, dark ? c * 0.6 + 0.015 : c, hue);
  const deep = dark ? oklch(0.44, 0.07, hue) : oklch(0.425, 0.08, hue);
  const paper = dark ? oklch(0.9, 0.03, hue) : '#fff';
  const awning = dark ? oklch(0.62, 0.09, hue) : oklch(0.35, 0.066, hue);
  const warm = oklch(0.86, 0.09, 75);
  let out = `<rect width="1200" height="320" fill="${tone(0.938, 0.026)}"/>`;
  out += disc(905, 106, 92, paper, dark ? 0.05 : 0.35) + disc(905, 106, 56, paper, dark ? 0.85 : 1);
  out += `<g fill="${paper}" opacity="${dark ? 0.14 : 0.75}">${cloud(640, 86, 1)}${cloud(1085, 70, 0.8)}${cloud(432, 140, 0.6)}</g>`;
  out += fill(hill(FAR, 320), tone(0.88, 0.045));
  out += fill(hill(MIDDLE, 320), tone(0.79, 0.07));
  out += poplars(tone(0.62, 0.085));
  out += fill(hill(NEAR, 320), dark ? oklch(0.38, 0.06, hue) : oklch(0.6, 0.098, hue));
  out += market(awning, paper, deep, warm);
  out += fill(hill(FRONT, 320), deep);
  return out + birds(dark ? paper : oklch(0.5, 0.09, hue));
}

function cloud(x: number, y: number, k: number): string {
  const n = (v: number) => round(v * k);
  return `<path d="M${x} ${y}h${n(104)}a${n(17)} ${n(17)} 0 0 0-${n(19)}-${n(23)}a${n(29)} ${n(29)} 0 0 0-${n(53)}-${n(9)}a${n(19)} ${n(19)} 0 0 0-${n(27)} ${n(15)}a${n(12)} ${n(12)} 0 0 0-${n(5)} ${n(17)}z"/>`;
}

function poplars(colour: string): string {
  const spots: [number, number, number][] = [
    [742, 262, 30],
    [758, 262, 42],
    [775, 260, 26],
    [1150, 232, 34],
    [1166, 232, 24],
  ];
  return fill(
    spots
      .map(
        ([x, y, k]) =>
          `M${x} ${y}c-9 0-9-${round(k * 0.9)} 0-${k}c9 ${round(k * 0.1)} 9 ${k} 0 ${k}z${rectPath(x - 1, y - 2, 2, 9)}`,
      )
      .join(''),
    colour,
  );
}

function birds(colour: string): string {
  return `<path d="M806 74q7-7 12 0q6-7 12 0M838 56q5-5 9 0q5-5 9 0M778 104q5-5 8 0q5-5 8 0" fill="none" stroke="${colour}" stroke-width="2.2" stroke-linecap="round"/>`;
}

/** Market stall with awning, goods on the counter, a lantern and a sign. */
function market(awning: string, paper: string, deep: string, warm: string): string {
  const left = 968;
  const scallop = (i: number) => `M${left + 12 + i * 24} 211.5a12 13 0 0 1-24 0z`;
  const odd = [0, 2, 4, 6].map(scallop).join('');
  const even = [1, 3, 5].map(scallop).join('');
  const roof = (i: number) =>
    poly([
      [left + 4 + i * 19.4, 178],
      [left + 4 + (i + 1) * 19.4, 178],
      [left - 12 + (i + 1) * 24, 213],
      [left - 12 + i * 24, 213],
    ]);
  let out =
    box(left + 2, 208, 7, 96, 0, awning) +
    box(left + 135, 208, 7, 96, 0, awning) +
    box(left + 9, 214, 126, 52, 0, deep, 0.32);
  out += fill([0, 2, 4, 6].map(roof).join('') + odd, awning) + fill([1, 3, 5].map(roof).join('') + even, paper);
  out += box(left + 2, 172, 140, 8, 3, awning);
  out +=
    fill(`M${left + 22} 266v-16h20v16zM${left + 46} 266v-11h16v11z`, paper, 0.9) +
    fill(glintPath(left + 32, 241, 8), warm);
  out +=
    box(left + 72, 240, 15, 26, 3, paper) +
    fill(
      poly([
        [left + 96, 266],
        [left + 103, 247],
        [left + 112, 247],
        [left + 119, 266],
      ]),
      warm,
    );
  out +=
    disc(left + 107, 242, 5, paper) +
    disc(left + 32, 258, 3, awning) +
    box(left + 75, 245, 9, 2.6, 1, awning) +
    box(left + 75, 250, 6, 2.6, 1, awning);
  out += box(left - 8, 264, 160, 10, 3, paper) + box(left, 274, 144, 32, 0, awning);
  out += fill(`M${left + 64} 280h16v5h5v9h-5v5h-16v-5h-5v-9h5z`, paper);
  out +=
    box(left - 2, 215, 1.6, 8, 0, awning) +
    `<ellipse cx="${left - 1}" cy="232" rx="8" ry="9.5" fill="${warm}"/>` +
    box(left - 4, 221, 6, 2.5, 1, awning) +
    box(left - 4, 240.5, 6, 2.5, 1, awning);
  return out;
}
