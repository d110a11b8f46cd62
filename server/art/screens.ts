import { box, disc, fill, line, oklch, round, svg, write } from './svg.ts';

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

/** Shapes that represent an item in its cell, in a box of 100. */
const SHAPES = [
  'M50 14 78 82H22z',
  'M50 12 82 50 50 88 18 50z',
  'M24 20h52v36c0 18-14 26-26 32-12-6-26-14-26-32z',
  'M50 12a38 38 0 1 0 .1 0zM50 30a20 20 0 1 0 .1 0z',
  'M44 10h12v52h16v12H56v16H44V74H28V62h16z',
] as const;

/** Words that any game has, so that a drawing reads as a page of one. */
const TITLES = ['背包', '角色', '收藏'] as const;
const TABS = [
  ['全部', '装备', '道具', '外观'],
  ['属性', '装备', '天赋', '外观'],
  ['全部', '已拥有', '限定', '常驻'],
] as const;
const VALUES = ['等级', '战力', '生命', '攻击', '防御', '暴击', '命中', '速度', '抗性', '好感', '收集'] as const;
const NAMES = ['流光', '霜华', '赤焰', '惊鸿', '夜行', '星河', '青岚', '逐浪', '听雪', '破晓', '长歌', '云隐'] as const;

const INK = '#fff';
const GOLD = oklch(0.85, 0.1, 85);

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
  let counts = '';
  for (let i = 0; i < columns * rows; i++) {
    const x = round(20 + (i % columns) * (w + gap));
    const y = round(50 + Math.floor(i / columns) * (h + gap));
    // Rare items come first, as in games.
    const path = paths[Math.min(QUALITIES.length - 1, Math.floor((i / (columns * rows)) * 3.4) + dice(2, seed, i, 2))];
    if (!path) continue;
    path.cells += `M${x} ${y}h${round(w)}v${round(h)}h-${round(w)}z`;
    path.bars += `M${x} ${round(y + h - 7)}h${round(w)}v7h-${round(w)}z`;
    const k = Math.min(w, h) * 0.0062;
    path.items += `<path d="${SHAPES[dice(SHAPES.length, seed, i, 3)] ?? SHAPES[0]}" transform="translate(${round(x + w / 2 - 50 * k)} ${round(y + (h - 7) / 2 - 50 * k)}) scale(${Math.round(k * 100) / 100})"/>`;
    counts += write(x + w - 5, y + h - 11, `×${1 + dice(i < columns ? 3 : 99, seed, i, 12)}`, {
      size: 14,
      colour: INK,
      anchor: 'end',
    });
  }
  const cells = paths.map((path, i) => {
    const [hue, light] = QUALITIES[i] ?? QUALITIES[0];
    return `${fill(path.cells, oklch(light * 0.62, 0.075, hue))}<g fill="${oklch(light + 0.24, 0.1, hue)}">${path.items}</g>${fill(path.bars, oklch(light, 0.12, hue))}`;
  });
  return cells.join('') + counts;
}

/** Names from the left and values from the right, one under another. */
function valueList(left: number, right: number, rows: number, seed: number): string {
  const step = (SCREEN_HEIGHT - 74) / rows;
  return Array.from({ length: rows }, (_, i) => {
    const y = 76 + i * step;
    const value = i === 0 ? 40 + dice(60, seed, 5) : 200 + dice(9000, seed, i, 6);
    return (
      write(left, y, VALUES[i % VALUES.length] ?? '', { size: 16, colour: oklch(0.78, 0.02, 235) }) +
      write(right, y, i === 0 ? `Lv.${value}` : value.toLocaleString('en-US'), {
        size: 16,
        colour: GOLD,
        weight: 600,
        anchor: 'end',
      })
    );
  }).join('');
}

/** A character's page: what it wears, its crest with its name, and its values. Its middle stays readable in a square. */
function sheet(hue: number, seed: number): string {
  const tone = (l: number, c: number) => oklch(l, c, hue);
  const shape = (i: number) => SHAPES[dice(SHAPES.length, seed, i, 14)] ?? SHAPES[0];
  const worn = Array.from({ length: 8 }, (_, i) => {
    const [x, y] = [24 + (i % 2) * 62, 56 + Math.floor(i / 2) * 72];
    const [qualityHue, light] = QUALITIES[dice(QUALITIES.length, seed, i, 15)] ?? QUALITIES[0];
    return (
      box(x, y, 52, 58, 5, oklch(light * 0.6, 0.07, qualityHue)) +
      `<path d="${shape(i)}" transform="translate(${x + 8} ${y + 11}) scale(.36)" fill="${oklch(light + 0.24, 0.1, qualityHue)}"/>`
    );
  });
  const crest =
    disc(250, 158, 84, tone(0.4, 0.07)) +
    line('M250 82a76 76 0 1 1-54 22', tone(0.66, 0.11), 6) +
    `<path d="${shape(9)}" transform="translate(190 98) scale(1.2)" fill="${tone(0.78, 0.1)}"/>`;
  return (
    worn.join('') +
    box(156, 50, 188, 290, 8, tone(0.3, 0.045)) +
    crest +
    write(250, 286, NAMES[dice(NAMES.length, seed, 16)] ?? '', {
      size: 26,
      colour: INK,
      weight: 700,
      anchor: 'middle',
    }) +
    write(250, 318, `评分 ${(3000 + dice(6800, seed, 17)).toLocaleString('en-US')}`, {
      size: 16,
      colour: GOLD,
      anchor: 'middle',
    }) +
    valueList(364, 616, 8 + dice(3, seed, 4), seed)
  );
}

/** Rows of tall cards with their names and their grade in points: the characters or skins that an account has. */
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
      `<path d="${SHAPES[dice(SHAPES.length, seed, i, 11)] ?? SHAPES[0]}" transform="translate(${round(x + w / 2 - 38)} ${y + 12}) scale(.76)" fill="${oklch(0.7, 0.1, turned)}"/>` +
      write(x + w / 2, y + 110, NAMES[(dice(NAMES.length, seed, 13) + i * 5) % NAMES.length] ?? '', {
        size: 17,
        colour: INK,
        weight: 600,
        anchor: 'middle',
      }) +
      `<path d="M${from} ${y + 126}h${(points - 1) * 12}.1" stroke="${oklch(0.88, 0.11, 85)}" stroke-width="7" stroke-linecap="round" stroke-dasharray="0 12"/>`
    );
  });
  return cards.join('');
}

/** The bar of a game above its page: the page's name, its tabs, and what the player has to spend. */
function topBar(kind: number, hue: number, seed: number): string {
  const tabs = (TABS[kind] ?? TABS[0]).map((tab, i) =>
    write(141 + i * 68, 28, tab, { size: 15, colour: i === 0 ? GOLD : oklch(0.76, 0.02, 235), anchor: 'middle' }),
  );
  return (
    fill('M0 0h640v42H0z', oklch(0.26, 0.045, hue)) +
    line('M26 14 18 21 26 28', INK, 3) +
    write(40, 29, TITLES[kind] ?? '', { size: 20, colour: INK, weight: 700 }) +
    tabs.join('') +
    fill('M126 36h30v4H126z', GOLD) +
    disc(548, 21, 7, GOLD) +
    write(616, 27, (10_000 + dice(90_000, seed, 18)).toLocaleString('en-US'), { size: 16, colour: INK, anchor: 'end' })
  );
}

/** A screenshot as sellers of the demo market show it: the bar of a game, then an inventory, a character's page or a roster. */
export function drawScreen({ hue, seed, index }: { hue: number; seed: number; index: number }): string {
  const own = dice(2 ** 31, seed, index, 7);
  const kind = (index + seed) % 3;
  const body = [inventory(own), sheet(hue, own), roster(hue, own)][kind] ?? '';
  return svg(
    SCREEN_WIDTH,
    SCREEN_HEIGHT,
    `${fill('M0 0h640v360H0z', oklch(0.2, 0.03, hue))}${topBar(kind, hue, own)}${body}`,
  );
}
