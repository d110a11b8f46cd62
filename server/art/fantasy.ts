import { hills } from './landscapes.ts';
import {
  box,
  disc,
  discPath,
  dot,
  dots,
  fill,
  glintPath,
  line,
  type Pen,
  type Point,
  poly,
  rectPath,
  round,
  shape,
  starPath,
  sun,
  tri,
} from './svg.ts';

/** Crystals in two tones over broken ground. */
export function crystal(p: Pen): string {
  const { w, h } = p;
  let out = sun(w * p.between(0.15, 0.32), h * 0.26, h * 0.1);
  out += fill(hills(p, h * 0.66, h * 0.09, 6), p.tone(0.57, 0.07));
  const spots: [x: number, tall: number, half: number][] = [
    [0.12, 0.5, 0.055],
    [0.86, 0.46, 0.06],
    [0.3, 0.62, 0.06],
    [0.7, 0.64, 0.065],
    [0.41, 0.84, 0.075],
    [0.57, 0.74, 0.07],
    [0.2, 0.34, 0.05],
    [0.78, 0.32, 0.055],
  ];
  spots.forEach(([x0, tall, half], i) => {
    const x = w * (x0 + p.between(-0.03, 0.03));
    const top = h * (1 - tall - p.between(-0.05, 0.05));
    const d = w * half;
    const lean = p.between(-0.3, 0.3) * d;
    const k = i * 0.016;
    const turn = p.between(-14, 22);
    out += fill(
      poly([
        [x + lean, top],
        [x + d + lean * 0.4, top + d * 1.5],
        [x + d * 0.8, h],
        [x, h],
      ]),
      p.tone(0.51 - k, 0.09, turn),
    );
    out += fill(
      poly([
        [x + lean, top],
        [x - d + lean * 0.4, top + d * 1.3],
        [x - d * 0.8, h],
        [x, h],
      ]),
      p.tone(0.68 - k, 0.08, turn),
    );
    out += fill(
      poly([
        [x + lean, top],
        [x + d * 0.34 + lean * 0.5, top + d * 1.7],
        [x, h],
        [x - d * 0.2 + lean * 0.5, top + d * 1.5],
      ]),
      '#fff',
      0.13,
    );
  });
  out += fill(hills(p, h * 0.93, h * 0.04, 5), p.tone(0.35, 0.065, 14));
  return (
    out +
    fill(
      glintPath(w * 0.48, h * 0.14, 5) + glintPath(w * 0.64, h * 0.24, 3) + glintPath(w * 0.9, h * 0.2, 3.4),
      '#fff',
      0.85,
    )
  );
}

/** Planet with a ring, a chart of stars around it. */
export function orbit(p: Pen): string {
  const { w, h } = p;
  const cx = round(w * p.between(0.52, 0.66));
  const cy = round(h * p.between(0.46, 0.56));
  const r = round(h * p.between(0.2, 0.26));
  let out = '';
  for (const k of [1.75, 2.5]) {
    out += `<ellipse cx="${cx}" cy="${cy}" rx="${round(r * k * 1.15)}" ry="${round(r * k * 0.5)}" transform="rotate(-16 ${cx} ${cy})" fill="none" stroke="#fff" stroke-opacity=".3" stroke-width=".7"/>`;
  }
  out += disc(cx, cy, r * 1.35, '#fff', 0.08) + disc(cx, cy, r, p.tone(0.8, 0.07, 14));
  const shade = `M${round(cx + r * 0.5)} ${round(cy - r * 0.866)}A${r} ${r} 0 0 1 ${round(cx - r * 0.866)} ${round(cy + r * 0.5)}A${round(r * 1.25)} ${round(r * 1.25)} 0 0 0 ${round(cx + r * 0.5)} ${round(cy - r * 0.866)}Z`;
  out += fill(shade, p.tone(0.57, 0.09, 8), 0.8);
  out += line(
    `M${round(cx - r * 1.9)} ${round(cy + r * 0.55)}Q${cx} ${round(cy + r * 0.75)} ${round(cx + r * 1.9)} ${round(cy - r * 0.6)}`,
    '#fff',
    2,
    0.75,
  );
  const stars = Array.from(
    { length: 6 },
    (_, i): Point => [round(w * (0.07 + i * 0.065)), round(h * p.between(0.12, 0.82))],
  );
  out += line(`M${stars.map(([x, y]) => `${x} ${y}`).join('L')}`, '#fff', 0.6, 0.45);
  out += fill(
    stars.map(([x, y], i) => (i % 3 === 1 ? glintPath(x, y, 4.6) : discPath(x, y, 1.3))).join(''),
    '#fff',
    0.9,
  );
  const dust = ['', ''];
  for (let i = 0; i < 24; i++) dust[i % 2] += dot(p.between(0, w), p.between(0, h));
  return out + dots(dust[0] ?? '', '#fff', 0.9, 0.8) + dots(dust[1] ?? '', '#fff', 1.5, 0.8);
}

/** Board of hexagons, some of them lit. */
export function hex(p: Pen): string {
  const r = 16;
  const dx = Math.round(r * Math.sqrt(3));
  const shades = ['', '', '', ''];
  let marks = '';
  let lit = '';
  const rows = Math.ceil(p.h / (r * 1.5)) + 1;
  for (let row = 0; row < rows; row++) {
    for (let col = 0; col < 7; col++) {
      const x = col * dx + (row % 2 === 0 ? 0 : dx / 2);
      const y = row * r * 1.5;
      const cell = `M${x} ${round(y - 15)}l13 7.5v15l-13 7.5-13-7.5v-15z`;
      const dice = p.next();
      if (dice < 0.09) lit += cell;
      else shades[p.whole(0, 3)] += cell;
      if (dice > 0.9) marks += glintPath(x, y, 6);
      else if (dice > 0.83) marks += `M${x} ${y - 5}l5 5-5 5-5-5z`;
    }
  }
  let out = `<rect width="${p.w}" height="${p.h}" fill="${p.tone(0.37, 0.07, 8)}"/>`;
  out += shades.map((d, i) => fill(d, p.tone(0.43 + i * 0.055, 0.085, i * 7 - 8))).join('');
  return out + fill(lit, p.tone(0.7, 0.09, 24)) + fill(marks, '#fff', 0.72);
}

/** Rolling sea in bands with crests, a moon above. */
export function waves(p: Pen): string {
  const { w, h } = p;
  let out = sun(w * p.between(0.24, 0.76), h * 0.32, h * 0.2);
  for (let i = 0; i < 5; i++) {
    const y = round(h * (0.48 + i * 0.115));
    const n = 4 + (i % 2);
    const s = (w * 1.3) / n;
    const x0 = Math.round(-p.between(0, s));
    const a = h * (0.05 + i * 0.012);
    let d = `M${x0} ${h}V${y}`;
    let crest = '';
    for (let k = 0; k <= n; k++) {
      d += `c${round(s * 0.28)} 0 ${round(s * 0.42)}-${round(a * 1.9)} ${round(s * 0.72)}-${round(a)}q${round(s * 0.14)} ${round(a * 0.8)} ${round(s * 0.28)} ${round(a)}`;
      crest += `M${round(x0 + k * s + s * 0.36)} ${round(y - a * 0.72)}q${round(s * 0.18)}-${round(a)} ${round(s * 0.38)}-${round(a * 0.14)}`;
    }
    out += fill(`${d}V${h}Z`, p.tone(0.67 - i * 0.07, 0.08, i * 5)) + line(crest, '#fff', 1.2, 0.6 - i * 0.06);
  }
  return out;
}

/** One cloud with its flat foot at y. */
function puff(x: number, y: number, k: number): string {
  const n = (v: number) => round(v * k);
  return `M${round(x - 26 * k)} ${round(y)}h${n(52)}a${n(8)} ${n(8)} 0 0 0-${n(9)}-${n(11)}a${n(14)} ${n(14)} 0 0 0-${n(25)}-${n(5)}a${n(10)} ${n(10)} 0 0 0-${n(13)} ${n(9)}a${n(6)} ${n(6)} 0 0 0-${n(5)} ${n(7)}z`;
}

/** Island afloat with trees and a small pagoda. */
function isle(p: Pen, x: number, y: number, k: number): string {
  const keel = shape('-30 0,30 0,17 14,6 17,-1 34,-9 16,-20 12', x, y, k);
  const shade = shape('30 0,17 14,6 17,-1 34,3 6', x, y, k);
  const trees = [-21, -14, 14, 21]
    .map((dx, i) => tri(x + dx * k, y - (12 + (i % 2) * 5) * k, 4.6 * k, (12 + (i % 2) * 5) * k))
    .join('');
  const walls = rectPath(x - 6 * k, y - 10 * k, 12 * k, 10 * k) + rectPath(x - 4.4 * k, y - 20 * k, 8.8 * k, 8 * k);
  const roofs = shape('-11 -9,-6 -13,6 -13,11 -9', x, y, k) + shape('-9 -18.5,-4 -23,0 -30,4 -23,9 -18.5', x, y, k);
  return (
    fill(keel, p.tone(0.49, 0.075, 8)) +
    fill(shade, p.tone(0.39, 0.07, 12)) +
    fill(trees, p.tone(0.52, 0.09, -26)) +
    fill(walls, p.tone(0.93, 0.02)) +
    fill(roofs, p.tone(0.36, 0.08, 16)) +
    box(x - 31 * k, y - 2 * k, 62 * k, 4.6 * k, 2.3 * k, p.tone(0.64, 0.09, -22))
  );
}

/** Islands over a sea of clouds. */
export function clouds(p: Pen): string {
  const { w, h } = p;
  let out = sun(w * p.between(0.66, 0.8), h * 0.28, h * 0.17);
  out += fill(puff(w * 0.14, h * 0.36, 0.6) + puff(w * 0.88, h * 0.48, 0.7), '#fff', 0.3);
  out +=
    isle(p, w * p.between(0.3, 0.42), h * 0.52, h / 92) +
    isle(p, w * p.between(0.76, 0.86), h * 0.66, (h / 92) * 0.5) +
    isle(p, w * 0.08, h * 0.68, (h / 92) * 0.36);
  for (let i = 0; i < 5; i++)
    out += fill(puff(w * (i * 0.25), h * p.between(0.93, 1.02), p.between(0.8, 1.1)), '#fff', 0.32);
  return out;
}

/** Cards fanned out on a table. */
export function cards(p: Pen): string {
  const { w, h } = p;
  const cx = w / 2;
  const cy = round(h * 1.34);
  const k = h / 120;
  let out = disc(cx, h * 0.62, h * 0.62, '#fff', 0.07);
  out += `<ellipse cx="${cx}" cy="${round(h * 1.04)}" rx="${round(w * 0.6)}" ry="${round(h * 0.3)}" fill="${p.tone(0.34, 0.06, 10)}"/>`;
  const shift = p.whole(0, 4);
  const x = cx - 21 * k;
  const y = cy - 122 * k;
  for (let i = 0; i < 5; i++) {
    const turn = [0, 40, -36, 70, -70][(i + shift) % 5] ?? 0;
    const art = (i + shift) % 2 === 0 ? starPath(cx, y + 24 * k, 10 * k, 4.4 * k) : glintPath(cx, y + 24 * k, 12 * k);
    out +=
      `<g transform="rotate(${i * 14 - 28} ${cx} ${cy})">` +
      box(x - 1.4, y - 1.4, 42 * k + 2.8, 60 * k + 2.8, 4.6, p.tone(0.92, 0.03)) +
      box(x, y, 42 * k, 60 * k, 3.6, p.tone(0.5, 0.09, turn)) +
      box(x + 4 * k, y + 4 * k, 34 * k, 40 * k, 2.4, p.tone(0.63, 0.09, turn + 10)) +
      fill(art, '#fff', 0.88) +
      line(
        `M${round(x + 7 * k)} ${round(y + 49 * k)}h${round(27 * k)}m${round(-27 * k)} ${round(5 * k)}h${round(16 * k)}`,
        '#fff',
        2.2 * k,
        0.5,
      ) +
      '</g>';
  }
  let dust = '';
  for (let i = 0; i < 12; i++) dust += dot(p.between(0, w), p.between(0, h * 0.5));
  return out + dots(dust, '#fff', 1.4, 0.6);
}
