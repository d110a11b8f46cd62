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

/** A character's page: a crystal on the left, its values as lines on the right. */
function sheet(hue: number, seed: number): string {
  const tone = (l: number, c: number) => oklch(l, c, hue);
  let names = '';
  let values = '';
  const rows = 8 + dice(3, seed, 4);
  const step = (SCREEN_HEIGHT - 84) / rows;
  for (let i = 0; i < rows; i++) {
    const y = round(62 + i * step);
    const long = 60 + dice(70, seed, i, 5);
    names += `M300 ${y}h${long}v9h-${long}z`;
    const wide = 40 + dice(90, seed, i, 6);
    values += `M${610 - wide} ${y}h${wide}v9h-${wide}z`;
  }
  return (
    box(20, 50, 240, 290, 8, tone(0.33, 0.05)) +
    fill('M140 84 196 178 140 306 84 178z', tone(0.62, 0.11)) +
    fill('M140 84 196 178H140z', tone(0.76, 0.1)) +
    fill('M140 306 84 178h56z', tone(0.5, 0.1)) +
    fill(names, tone(0.5, 0.02)) +
    fill(values, oklch(0.85, 0.1, 85))
  );
}

/** A screenshot as sellers of the demo market show it: the bar of a game, then an inventory or a character's page. */
export function drawScreen({ hue, seed, index }: { hue: number; seed: number; index: number }): string {
  const own = dice(2 ** 31, seed, index, 7);
  const bar = `${fill('M20 20h110v10H20z', '#fff')}${[0, 1, 2].map((i) => `<circle cx="${572 + i * 20}" cy="25" r="6" fill="${oklch(0.72, 0.13, [25, 85, 150][i] ?? 0)}"/>`).join('')}`;
  const body = (index + seed) % 2 === 0 ? inventory(own) : sheet(hue, own);
  return svg(
    SCREEN_WIDTH,
    SCREEN_HEIGHT,
    `${fill('M0 0h640v360H0z', oklch(0.2, 0.03, hue))}${fill('M0 0h640v42H0z', oklch(0.26, 0.045, hue))}${bar}${body}`,
  );
}
