import { box, fill, oklch, round, svg } from './svg.ts';

/** Size of a drawn screenshot. */
export const SCREEN_WIDTH = 640;
export const SCREEN_HEIGHT = 360;

/** Quality colours of items, as games use them: hue and lightness. */
const QUALITIES = [
  [72, 0.62],
  [300, 0.5],
  [245, 0.5],
  [150, 0.52],
  [25, 0.55],
] as const;

/** A number from 0 to `below` - 1 that depends on all parts. */
function dice(below: number, ...parts: readonly number[]): number {
  let h = 0x9e3779b9;
  for (const part of parts) {
    h = Math.imul(h ^ part, 0x85ebca6b);
    h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
    h ^= h >>> 16;
  }
  return (h >>> 0) % below;
}

/** Shapes that stand for an item in its cell, in a box of 100. */
const SHAPES = [
  'M50 14 78 82H22z',
  'M50 12 82 50 50 88 18 50z',
  'M24 20h52v36c0 18-14 26-26 32-12-6-26-14-26-32z',
  'M50 12a38 38 0 1 0 .1 0zM50 30a20 20 0 1 0 .1 0z',
  'M44 10h12v52h16v12H56v16H44V74H28V62h16z',
] as const;

const GRIDS = [
  [7, 4],
  [6, 3],
  [8, 4],
] as const;

/** An inventory: a grid of cells in their quality's colour. */
function inventory(seed: number): string {
  const [columns, rows] = GRIDS[dice(GRIDS.length, seed, 1)] ?? GRIDS[0];
  const gap = 10;
  const w = (SCREEN_WIDTH - 40 - gap * (columns - 1)) / columns;
  const h = (SCREEN_HEIGHT - 66 - gap * (rows - 1)) / rows;
  const paths = QUALITIES.map(() => ({ cells: '', items: '', bars: '' }));
  for (let i = 0; i < columns * rows; i++) {
    const x = round(20 + (i % columns) * (w + gap));
    const y = round(50 + Math.floor(i / columns) * (h + gap));
    // The rare ones come first, as games sort them.
    const path = paths[Math.min(QUALITIES.length - 1, Math.floor((i / (columns * rows)) * 3.4) + dice(2, seed, i, 2))];
    if (!path) continue;
    path.cells += `M${x} ${y}h${round(w)}v${round(h)}h-${round(w)}z`;
    path.bars += `M${x} ${round(y + h - 7)}h${round(w)}v7h-${round(w)}z`;
    const k = Math.min(w, h) * 0.0062;
    path.items += `<path d="${SHAPES[dice(SHAPES.length, seed, i, 3)] ?? SHAPES[0]}" transform="translate(${round(x + w / 2 - 50 * k)} ${round(y + (h - 7) / 2 - 50 * k)}) scale(${Math.round(k * 100) / 100})"/>`;
  }
  return paths
    .map(({ cells, items, bars }, i) => {
      const [hue, light] = QUALITIES[i] ?? QUALITIES[0];
      return `${fill(cells, oklch(light * 0.62, 0.075, hue))}<g fill="${oklch(light + 0.24, 0.1, hue)}">${items}</g>${fill(bars, oklch(light, 0.12, hue))}`;
    })
    .join('');
}

/** Short bars one under another, as a list of values: names from the left, values from the right. */
function bars(left: number, right: number, rows: number, seed: number): { names: string; values: string } {
  const step = (SCREEN_HEIGHT - 84) / rows;
  let names = '';
  let values = '';
  for (let i = 0; i < rows; i++) {
    const y = round(62 + i * step);
    const long = 24 + dice((right - left) / 3, seed, i, 5);
    const wide = 16 + dice((right - left) / 4, seed, i, 6);
    names += `M${left} ${y}h${long}v9h-${long}z`;
    values += `M${right - wide} ${y}h${wide}v9h-${wide}z`;
  }
  return { names, values };
}

/** A character's page: a crystal, its values, and what it wears. Its middle stays readable in a square. */
function sheet(hue: number, seed: number): string {
  const tone = (l: number, c: number) => oklch(l, c, hue);
  const { names, values } = bars(362, 616, 8 + dice(3, seed, 4), seed);
  const worn = Array.from({ length: 8 }, (_, i) => `M${24 + (i % 2) * 62} ${56 + Math.floor(i / 2) * 72}h52v58h-52z`);
  return (
    fill(worn.join(''), tone(0.33, 0.05)) +
    box(156, 50, 188, 290, 8, tone(0.33, 0.05)) +
    fill('M250 84 306 178 250 306 194 178z', tone(0.62, 0.11)) +
    fill('M250 84 306 178H250z', tone(0.76, 0.1)) +
    fill('M250 306 194 178h56z', tone(0.5, 0.1)) +
    fill(names, tone(0.5, 0.02)) +
    fill(values, oklch(0.85, 0.1, 85))
  );
}

/** Rows of tall cards with their grade in points: the characters or skins that an account has. */
function roster(hue: number, seed: number): string {
  const columns = 5 + dice(2, seed, 8);
  const w = (SCREEN_WIDTH - 40 - 10 * (columns - 1)) / columns;
  const cards = Array.from({ length: columns * 2 }, (_, i) => {
    const x = round(20 + (i % columns) * (w + 10));
    const y = 52 + Math.floor(i / columns) * 152;
    const turned = hue + ([0, 30, -30, 60, -55][dice(5, seed, i, 9)] ?? 0);
    const points = 3 + dice(3, seed, i, 10);
    const from = round(x + w / 2 - (points - 1) * 6);
    return (
      box(x, y, w, 142, 6, oklch(0.36, 0.06, turned)) +
      `<path d="${SHAPES[dice(SHAPES.length, seed, i, 11)] ?? SHAPES[0]}" transform="translate(${round(x + w / 2 - 40)} ${y + 16}) scale(.8)" fill="${oklch(0.7, 0.1, turned)}"/>` +
      `<path d="M${from} ${y + 126}h${(points - 1) * 12}.1" stroke="${oklch(0.88, 0.11, 85)}" stroke-width="7" stroke-linecap="round" stroke-dasharray="0 12"/>`
    );
  });
  return cards.join('');
}

/** A screenshot as sellers of the demo market show it: the bar of a game, then an inventory, a character's page or a roster. */
export function drawScreen({ hue, seed, index }: { hue: number; seed: number; index: number }): string {
  const own = dice(2 ** 31, seed, index, 7);
  const bar = `${fill('M20 20h110v10H20z', '#fff')}${[0, 1, 2].map((i) => `<circle cx="${572 + i * 20}" cy="25" r="6" fill="${oklch(0.72, 0.13, [25, 85, 150][i] ?? 0)}"/>`).join('')}`;
  const body = [inventory(own), sheet(hue, own), roster(hue, own)][(index + seed) % 3] ?? '';
  return svg(
    SCREEN_WIDTH,
    SCREEN_HEIGHT,
    `${fill('M0 0h640v360H0z', oklch(0.2, 0.03, hue))}${fill('M0 0h640v42H0z', oklch(0.26, 0.045, hue))}${bar}${body}`,
  );
}
