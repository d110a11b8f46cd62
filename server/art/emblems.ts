import {
  box,
  disc,
  discPath,
  fill,
  line,
  type Pen,
  type Point,
  poly,
  rectPath,
  round,
  shape,
  smooth,
  starPath,
} from './svg.ts';

/** Turns of the hue for things that lie side by side. */
const TURNS = [0, 28, -26, 52, -48, 78, 14, -14] as const;

/** By how much the emblem of this place is turned, in degrees. */
export function turnOf(i: number): number {
  return TURNS[i % TURNS.length] ?? 0;
}

/** Badge of a rank: shield, laurel or wings, stars below. */
export function badge(p: Pen): string {
  const { w, h } = p;
  const cx = w / 2;
  const cy = h * 0.45;
  const k = h / 118;
  let out = '';
  let rays = '';
  for (let i = 0; i < 12; i++) {
    const a = (i / 12) * Math.PI * 2 + 0.13;
    rays += poly([
      [cx, cy],
      [cx + Math.cos(a - 0.1) * w, cy + Math.sin(a - 0.1) * w],
      [cx + Math.cos(a + 0.1) * w, cy + Math.sin(a + 0.1) * w],
    ]);
  }
  out += fill(rays, '#fff', 0.07);
  const floor = Array.from({ length: 6 }, (_, i): Point => [(w * i) / 5, h * 0.84 + p.between(-6, 6) * k]);
  out += fill(smooth(floor, { floor: h }), p.tone(0.36, 0.065, 10));
  out += p.next() < 0.5 ? wings(cx, cy, k, p) : laurel(cx, cy, k, p);
  const shield = (s: number) =>
    `M${round(cx)} ${round(cy - 33 * s)}C${round(cx + 10 * s)} ${round(cy - 26 * s)} ${round(cx + 20 * s)} ${round(cy - 25 * s)} ${round(cx + 27 * s)} ${round(cy - 25 * s)}V${round(cy - 2 * s)}C${round(cx + 27 * s)} ${round(cy + 18 * s)} ${round(cx + 14 * s)} ${round(cy + 28 * s)} ${round(cx)} ${round(cy + 35 * s)}C${round(cx - 14 * s)} ${round(cy + 28 * s)} ${round(cx - 27 * s)} ${round(cy + 18 * s)} ${round(cx - 27 * s)} ${round(cy - 2 * s)}V${round(cy - 25 * s)}C${round(cx - 20 * s)} ${round(cy - 25 * s)} ${round(cx - 10 * s)} ${round(cy - 26 * s)} ${round(cx)} ${round(cy - 33 * s)}Z`;
  out += fill(shield(k), '#fff') + fill(shield(k * 0.87), p.tone(0.4, 0.09, turnOf(p.whole(0, 7)) * 0.5));
  out += fill(
    `M${round(cx)} ${round(cy - 28.7 * k)}V${round(cy + 30.4 * k)}C${round(cx - 12.2 * k)} ${round(cy + 24.4 * k)} ${round(cx - 23.5 * k)} ${round(cy + 15.7 * k)} ${round(cx - 23.5 * k)} ${round(cy - 1.7 * k)}V${round(cy - 21.8 * k)}C${round(cx - 17.4 * k)} ${round(cy - 21.8 * k)} ${round(cx - 8.7 * k)} ${round(cy - 22.6 * k)} ${round(cx)} ${round(cy - 28.7 * k)}Z`,
    '#fff',
    0.12,
  );
  const emblem = p.whole(0, 2);
  if (emblem === 0) out += fill(starPath(cx, cy, 15 * k, 6.4 * k), '#fff');
  else if (emblem === 1) out += fill(shape('-15 10,-17 -9,-7.5 -1,0 -14,7.5 -1,17 -9,15 10', cx, cy, k), '#fff');
  else
    out +=
      fill(shape('-13 -6,-6 -14,6 -14,13 -6,0 15', cx, cy, k), '#fff') +
      line(
        `M${round(cx - 13 * k)} ${round(cy - 6 * k)}h${round(26 * k)}M${round(cx - 4 * k)} ${round(cy - 6 * k)}l${round(4 * k)} ${round(20 * k)}l${round(4 * k)}-${round(20 * k)}`,
        p.tone(0.45, 0.09),
        1.1,
        0.7,
      );
  const n = p.whole(3, 5);
  let stars = '';
  for (let i = 0; i < n; i++) stars += starPath(cx + (i - (n - 1) / 2) * 13 * k, h * 0.9, 5 * k, 2.2 * k);
  return out + fill(stars, p.tone(0.92, 0.07, 40));
}

function wings(cx: number, cy: number, k: number, p: Pen): string {
  let d = '';
  for (const side of [-1, 1]) {
    for (let i = 0; i < 4; i++) {
      const y = cy + (-14 + i * 9) * k;
      const reach = (66 - i * 11) * k;
      d += `M${round(cx + side * 20 * k)} ${round(y + 9 * k)}Q${round(cx + side * reach * 0.7)} ${round(y + 10 * k)} ${round(cx + side * reach)} ${round(y - 14 * k)}Q${round(cx + side * reach * 0.94)} ${round(y + 16 * k)} ${round(cx + side * 20 * k)} ${round(y + 17 * k)}z`;
    }
  }
  return fill(d, p.tone(0.84, 0.04), 0.75);
}

function laurel(cx: number, cy: number, k: number, p: Pen): string {
  let leaves = '';
  let stem = '';
  for (const side of [-1, 1]) {
    stem += `M${round(cx + side * 6 * k)} ${round(cy + 41 * k)}Q${round(cx + side * 46 * k)} ${round(cy + 32 * k)} ${round(cx + side * 44 * k)} ${round(cy - 22 * k)}`;
    for (let i = 0; i < 6; i++) {
      const t = (i + 0.6) / 6.2;
      const x = cx + side * ((1 - t) ** 2 * 6 + 2 * (1 - t) * t * 46 + t * t * 44) * k;
      const y = cy + ((1 - t) ** 2 * 41 + 2 * (1 - t) * t * 32 - t * t * 22) * k;
      const dx = side * 11 * k;
      leaves += `M${round(x)} ${round(y)}q${round(dx * 0.2)} ${round(-9 * k)} ${round(dx)} ${round(-11 * k)}q${round(dx * 0.2)} ${round(8 * k)} ${round(-dx)} ${round(11 * k)}z`;
      leaves += `M${round(x)} ${round(y)}q${round(-dx * 0.9)} ${round(-2 * k)} ${round(-dx)} ${round(-11 * k)}q${round(dx * 0.9)} ${round(1 * k)} ${round(dx)} ${round(11 * k)}z`;
    }
  }
  return line(stem, p.tone(0.84, 0.05, 20), 1.2, 0.8) + fill(leaves, p.tone(0.84, 0.05, 20), 0.85);
}

/** Things in a bag, in a box of 20 around the middle. */
const THINGS: readonly ((x: number, y: number, k: number) => string)[] = [
  (x, y, k) =>
    shape('6 -8,8 -8,8 -6,-2 4,0 6,-1.6 7.6,-3.4 5.8,-6.4 8.6,-8.4 6.6,-5.6 3.6,-7.4 1.8,-5.8 .2,-4 2', x, y, k),
  (x, y, k) => shape('-7 -3,-3.6 -7,3.6 -7,7 -3,0 8', x, y, k),
  (x, y, k) => {
    const n = (v: number) => round(v * k);
    return `M${round(x - 2 * k)} ${round(y - 8 * k)}h${n(4)}v${n(4)}q${n(5)} ${n(3)} ${n(5)} ${n(7)}a${n(7)} ${n(6)} 0 0 1-${n(14)} 0q0-${n(4)} ${n(5)}-${n(7)}z`;
  },
  (x, y, k) => {
    const n = (v: number) => round(v * k);
    return `M${round(x)} ${round(y - 8 * k)}q${n(4)} ${n(2.4)} ${n(7)} ${n(2.4)}v${n(5)}q0 ${n(6)}-${n(7)} ${n(9)}q-${n(7)}-${n(3)}-${n(7)}-${n(9)}v-${n(5)}q${n(3)} 0 ${n(7)}-${n(2.4)}z`;
  },
  (x, y, k) => starPath(x, y, 8.4 * k, 3.6 * k),
  (x, y, k) => discPath(x, y, 7 * k),
  (x, y, k) =>
    shape('-8 4,-8 -5,-3.6 -.6,0 -7,3.6 -.6,8 -5,8 4', x, y, k) + rectPath(x - 8 * k, y + 5.4 * k, 16 * k, 2.4 * k),
  (x, y, k) => {
    const n = (v: number) => round(v * k);
    return `M${round(x - 7 * k)} ${round(y - k)}v${n(8)}h${n(14)}v-${n(8)}zM${round(x - 7 * k)} ${round(y - 2.4 * k)}q0-${n(5)} ${n(5)}-${n(5)}h${n(4)}q${n(5)} 0 ${n(5)} ${n(5)}z`;
  },
];

function thing(kind: number, x: number, y: number, k: number): string {
  return THINGS[kind]?.(x, y, k) ?? '';
}

/** Bag: a grid of things, the better ones on brighter ground. */
export function bag(p: Pen): string {
  const { w, h } = p;
  const cols = h > 125 ? 5 : 6;
  const size = (w - 14 - 3 * (cols - 1)) / cols;
  const rows = Math.min(3, Math.max(2, Math.floor((h - 22) / (size + 3))));
  const top = (h - rows * (size + 3) + 3 + 8) / 2;
  let out =
    box(4, top - 13, w - 8, rows * (size + 3) + 16, 4, '#000', 0.16) +
    box(9, top - 8.6, 34, 3.4, 1.7, '#fff', 0.75) +
    box(w - 29, top - 8.6, 20, 3.4, 1.7, '#fff', 0.4);
  const ranks = ['', '', '', ''];
  let empty = '';
  let glyphs = '';
  let faint = '';
  const free = p.whole(1, 4);
  for (let i = 0; i < rows * cols; i++) {
    const x = round(7 + (i % cols) * (size + 3));
    const y = round(top + Math.floor(i / cols) * (size + 3));
    const cell = rectPath(x + 1, y + 1, size - 2, size - 2);
    if (i >= rows * cols - free) {
      empty += cell;
      continue;
    }
    const rank = p.whole(0, 3);
    ranks[rank] += cell;
    const d = thing(p.whole(0, 7), x + size / 2, y + size / 2 - 0.6, size / 23);
    if (rank > 0) glyphs += d;
    else faint += d;
  }
  const cells = (d: string, colour: string) =>
    d === '' ? '' : `<path d="${d}" fill="${colour}" stroke="${colour}" stroke-width="2" stroke-linejoin="round"/>`;
  out +=
    ranks.map((d, rank) => cells(d, p.tone(0.48 + rank * 0.05, 0.085, turnOf(rank * 2 + 1) * 1.2))).join('') +
    cells(empty, p.tone(0.42, 0.05));
  return out + (faint === '' ? '' : fill(faint, '#fff', 0.66)) + fill(glyphs, '#fff', 0.95);
}

/** Values as a radar with a list beside it. */
export function radar(p: Pen): string {
  const { w, h } = p;
  const cx = w * 0.34;
  const cy = h * 0.5;
  const r = Math.min(h * 0.4, w * 0.27);
  const ring = (k: number) =>
    poly(
      Array.from(
        { length: 6 },
        (_, i): Point => [cx + Math.sin((i * Math.PI) / 3) * r * k, cy - Math.cos((i * Math.PI) / 3) * r * k],
      ),
    );
  let spokes = '';
  const tips: Point[] = Array.from({ length: 6 }, (_, i): Point => {
    const k = p.between(0.48, 0.98);
    const [s, c] = [Math.sin((i * Math.PI) / 3), Math.cos((i * Math.PI) / 3)];
    spokes += `M${round(cx)} ${round(cy)}L${round(cx + s * r)} ${round(cy - c * r)}`;
    return [cx + s * r * k, cy - c * r * k];
  });
  let out =
    fill(ring(1), '#fff', 0.12) + line(ring(1) + ring(0.75) + ring(0.5) + ring(0.25) + spokes, '#fff', 0.6, 0.4);
  out += `<path d="${poly(tips)}" fill="${p.tone(0.86, 0.09, 30)}" fill-opacity=".6" stroke="#fff" stroke-width="1.3" stroke-linejoin="round"/>`;
  out += fill(tips.map(([x, y]) => discPath(x, y, 1.9)).join(''), '#fff');
  const x = w * 0.66;
  const rows = Math.max(3, Math.floor((h - 16) / 17));
  for (let i = 0; i < rows; i++) {
    const y = (h * (i + 0.5)) / rows;
    out += box(x, y - 5, w - x - 9, 10, 2.4, '#000', 0.17) + disc(x + 6.4, y, 2.7, p.tone(0.84, 0.1, turnOf(i + 1)));
    out += box(x + 12, y - 1.4, p.between(12, 20), 2.8, 1.4, '#fff', 0.85);
  }
  return out;
}

/** Arms lying on their side, 56 long around the middle; the last three are firearms. */
const ARMS: readonly string[] = [
  '-27 -1.4,-15 -1.4,-15 -7,-12.4 -7,-12.4 -2.6,22 -3.4,28 0,22 3.4,-12.4 2.6,-12.4 7,-15 7,-15 1.4,-27 1.4',
  '-28 -1,-4 -1,-4 -2.6,0 -2.6,0 -1,10 -1,16 -7,28 0,16 7,10 1,0 1,0 2.6,-4 2.6,-4 1,-28 1',
  '-27 -1.2,9 -1.2,8 -7,4 -12,15 -9,26 -12,22 -7,21 -1.2,26 0,21 1.2,22 7,26 12,15 9,4 12,8 7,9 1.2,-27 1.2',
  '-28 4,-26 -1,-14 -2,-10 -5,6 -5,6 -2.4,27 -2.4,27 .2,8 .6,5 3,-2 3,-4 9,-9 9,-8 3,-14 3,-20 6',
  '-28 5,-27 -1,-12 -2.4,-9 -3.6,-6 -3.6,-6 -7,6 -7,6 -3.6,12 -3,28 -2,28 0,10 1,4 2,1 2,-1 7,-5 7,-5 2,-12 3,-19 7',
  '-15 -7,17 -7,17 -1,2 -1,0 2,-4 2,-7 11,-15 11,-12 -1,-15 -2',
];

/** Rack of arms: long shapes on cards, each with its bar; firearms, or those of old tales. */
export function rack(p: Pen, firearms: boolean): string {
  const { w, h } = p;
  const rows = h > 105 ? 3 : 2;
  const cw = (w - 18) / 2;
  const ch = (h - 6 - rows * 5) / rows;
  const first = p.whole(0, 2);
  let out = '';
  let arms = '';
  let names = '';
  for (let i = 0; i < rows * 2; i++) {
    const x = 6 + (i % 2) * (cw + 6);
    const y = 5.5 + Math.floor(i / 2) * (ch + 5);
    const turn = turnOf(i * 3 + p.whole(0, 3));
    out +=
      box(x, y, cw, ch, 3, p.tone(0.46, 0.08, turn * 0.8)) + box(x, y + ch - 2.4, cw, 2.4, 1.2, p.tone(0.8, 0.1, turn));
    arms += shape(ARMS[((i + first) % 3) + (firearms ? 3 : 0)] ?? '', x + cw / 2, y + ch * 0.45, (cw * 0.82) / 56);
    names += `M${round(x + 6)} ${round(y + ch - 7)}h${p.whole(12, 22)}`;
  }
  return out + fill(arms, '#fff', 0.92) + line(names, '#fff', 2.2, 0.55);
}
