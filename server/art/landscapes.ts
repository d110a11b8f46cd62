import { box, dot, dots, fill, line, type Pen, type Point, poly, rectPath, round, smooth, sun, tri } from './svg.ts';

/** Soft line of hills down to the foot of the picture. */
export function hills(p: Pen, y: number, rough: number, steps: number): string {
  const points = Array.from({ length: steps + 1 }, (_, i): Point => [(p.w * i) / steps, y + p.between(-rough, rough)]);
  return smooth(points, { floor: p.h });
}

/** Mountains with a side in the light and a side in the shade. */
export function ridge(p: Pen): string {
  const { w, h } = p;
  let out = sun(w * p.between(0.64, 0.84), h * p.between(0.22, 0.3), h * 0.13);
  const layers: [base: number, rise: number, peaks: number, lightness: number][] = [
    [0.56, 0.3, 4, 0.62],
    [0.74, 0.34, 4, 0.52],
    [0.93, 0.3, 5, 0.41],
  ];
  for (const [base, rise, peaks, l] of layers) {
    const step = w / (peaks - 0.6);
    const offset = p.between(-0.6, -0.1) * step;
    const outline: Point[] = [[-8, h]];
    let shade = '';
    for (let i = 0; i <= peaks; i++) {
      const x = offset + (i + p.between(-0.12, 0.12)) * step;
      const top = h * (base - rise * p.between(0.45, 1));
      const foot: Point = [x + step * p.between(0.44, 0.54), h * (base + p.between(0, 0.04))];
      outline.push([x, top], foot);
      const drop = foot[1] - top;
      shade += poly([
        [x, top],
        foot,
        [foot[0], h],
        [x + step * 0.08, h],
        [x + step * 0.16, top + drop * 0.72],
        [x + step * 0.04, top + drop * 0.56],
        [x + step * 0.07, top + drop * 0.3],
      ]);
    }
    outline.push([w + 30, h]);
    out +=
      fill(poly(outline), p.tone(l, 0.078, (0.66 - l) * 50)) +
      fill(shade, p.tone(l - 0.065, 0.075, (0.66 - l) * 50 + 4));
  }
  return out;
}

/** Map of an island by height lines, with a circle, a flight line and pins. */
export function contour(p: Pen): string {
  const { w, h } = p;
  const cx = w * p.between(0.42, 0.58);
  const cy = h * p.between(0.45, 0.55);
  const arms = Array.from({ length: 11 }, () => p.between(0.78, 1.18));
  let out = '';
  for (let i = 0; i < 7; i++) {
    const k = 1 - i * 0.145;
    const ring = arms.map((arm, j): Point => {
      const a = (j / arms.length) * Math.PI * 2;
      const r = arm * k * (1 + 0.05 * Math.sin(j * 3 + i));
      return [
        Math.round(cx + Math.cos(a) * r * w * 0.46 + i * 1.6),
        Math.round(cy + Math.sin(a) * r * h * 0.52 - i * 0.8),
      ];
    });
    out += `<path d="${smooth(ring, { close: true })}" fill="${p.tone(0.63 - i * 0.043, 0.075, i * 2)}"/>`;
  }
  out = `<g stroke="#fff" stroke-opacity=".2" stroke-width=".7">${out}</g>`;
  const zx = cx + p.between(-22, 22);
  const zy = cy + p.between(-12, 12);
  const zr = h * p.between(0.2, 0.28);
  out += `<path d="M-4 ${round(h * p.between(0.8, 1))}L${w + 4} ${round(h * p.between(0, 0.25))}" stroke="#fff" stroke-opacity=".75" stroke-dasharray="4 4"/>`;
  out += `<circle cx="${round(zx)}" cy="${round(zy)}" r="${round(zr)}" fill="#fff" fill-opacity=".1" stroke="#fff" stroke-width="1.1"/>`;
  let pins = '';
  let holes = '';
  for (let i = 0; i < 3; i++) {
    const x = zx + (i - 1 + p.between(-0.3, 0.3)) * zr * 0.56;
    const y = zy + p.between(-0.4, 0.6) * zr;
    pins += `M${round(x)} ${round(y)}l-2.6-4.4a3.1 3.1 0 1 1 5.2 0z`;
    holes += dot(x, y - 5.9);
  }
  return out + fill(pins, '#fff', 0.95) + dots(holes, p.tone(0.45, 0.08), 2.1);
}

/** Road to the horizon between hills. */
export function road(p: Pen): string {
  const { w, h } = p;
  const vx = w * p.between(0.42, 0.58);
  const hy = h * 0.46;
  let out = sun(vx + p.between(-18, 18), hy - h * 0.08, h * 0.15);
  out += fill(hills(p, h * 0.38, h * 0.08, 7), p.tone(0.58, 0.07));
  out += fill(rectPath(0, hy, w, h - hy), p.tone(0.45, 0.07, 8));
  out += fill(
    poly([
      [vx - 3, hy],
      [vx + 3, hy],
      [w * 1.02, h],
      [-w * 0.02, h],
    ]),
    p.tone(0.29, 0.035, 12),
  );
  const edges = [-1, 1]
    .map((side) => `M${round(vx + side * 2.4)} ${round(hy)}L${round(vx + side * w * 0.46)} ${h}`)
    .join('');
  out += line(edges, '#fff', 1.4, 0.55);
  let dashes = '';
  for (let i = 0; i < 6; i++) {
    const a = (i / 6) ** 1.9;
    const b = ((i + 0.55) / 6) ** 1.9;
    const y1 = hy + (h - hy) * a + 1;
    const y2 = hy + (h - hy) * b + 1.5;
    dashes += poly([
      [vx - 0.3 - a * 3, y1],
      [vx + 0.3 + a * 3, y1],
      [vx + 0.4 + b * 3, y2],
      [vx - 0.4 - b * 3, y2],
    ]);
  }
  out += fill(dashes, '#fff', 0.85);
  let trees = '';
  for (let i = 0; i < 5; i++) {
    const k = ((i + 0.6) / 5) ** 1.7;
    for (const side of [-1, 1])
      trees += tri(vx + side * (6 + k * w * 0.56), hy + (h - hy) * k * 0.86 - 4 - k * 26, 2 + k * 7, 4 + k * 26);
  }
  return out + fill(trees, p.tone(0.31, 0.06, 14));
}

/** Dunes in the evening, a camp in front. */
export function dunes(p: Pen): string {
  const { w, h } = p;
  let out = sun(w * p.between(0.2, 0.8), h * 0.3, h * 0.17);
  for (let i = 0; i < 4; i++) {
    const y = h * (0.54 + i * 0.14);
    const x = w * (i % 2 === 0 ? p.between(0.22, 0.4) : p.between(0.6, 0.78));
    const top = y - h * p.between(0.12, 0.18);
    const l = 0.65 - i * 0.07;
    const back = `C${round(x * 0.45)} ${round(y + 2)} ${round(x * 0.7)} ${round(top)} ${round(x)} ${round(top)}`;
    const fall = `C${round(x + 16)} ${round(top + 4)} ${round(x + (w - x) * 0.5)} ${round(y + 8)} ${w + 8} ${round(y + 6)}V${h}`;
    out += fill(`M-8 ${h}V${round(y + 5)}${back}${fall}Z`, p.tone(l, 0.085, i * 4));
    out += fill(
      `M${round(x)} ${round(top)}${fall}H${round(x - 6)}C${round(x + 26)} ${round(y + h * 0.2)} ${round(x - 22)} ${round(y)} ${round(x)} ${round(top)}Z`,
      p.tone(l - 0.075, 0.085, i * 4 + 4),
    );
  }
  let tents = '';
  let doors = '';
  const x0 = w * p.between(0.14, 0.6);
  for (let i = 0; i < 3; i++) {
    tents += tri(x0 + i * 17, h * (0.87 + (i % 2) * 0.04) - 11, 9, 11);
    doors += tri(x0 + i * 17, h * (0.87 + (i % 2) * 0.04) - 11, 2.6, 11);
  }
  return out + fill(tents, p.tone(0.88, 0.045, 10)) + fill(doors, p.tone(0.34, 0.06, 8));
}

/** Pines in layers of mist. */
export function forest(p: Pen): string {
  const { w, h } = p;
  const sx = w * p.between(0.28, 0.72);
  let out = sun(sx, h * 0.32, h * 0.19);
  out += fill(hills(p, h * 0.52, h * 0.08, 5), p.tone(0.65, 0.06));
  const layers: [foot: number, size: number, lightness: number, count: number][] = [
    [0.76, 0.36, 0.57, 11],
    [0.92, 0.5, 0.47, 8],
    [1.16, 0.68, 0.36, 6],
  ];
  for (const [foot, size, l, count] of layers) {
    let d = '';
    for (let i = 0; i <= count; i++) {
      const x = (w * (i + p.between(-0.25, 0.25))) / count;
      const k = h * size * p.between(0.72, 1.08);
      const y = h * foot;
      for (let t = 0; t < 3; t++) d += tri(x, y - k + t * k * 0.25, k * (0.13 + t * 0.06), k * 0.36);
    }
    out += fill(d + rectPath(0, h * (foot - 0.14), w, h), p.tone(l, 0.075, (0.6 - l) * 30));
    if (l > 0.4) out += box(0, h * (foot - 0.22), w, h * 0.2, 0, '#fff', 0.06);
  }
  let birds = '';
  for (let i = 0; i < 4; i++)
    birds += `M${round(sx + p.between(-42, 42))} ${round(h * p.between(0.1, 0.3))}q2-1 3 1q1-2 3-1`;
  return out + line(birds, p.tone(0.34, 0.06), 0.9, 0.8);
}

/** Steep hills in mist over still water, with a boat. */
export function islands(p: Pen): string {
  const { w, h } = p;
  const shore = h * 0.68;
  let out = sun(w * p.between(0.6, 0.8), h * 0.27, h * 0.15);
  const layers: [number, number, number][] = [
    [0.63, 7, 0.4],
    [0.53, 5, 0.5],
    [0.42, 4, 0.42],
  ];
  layers.forEach(([l, n, tall], i) => {
    let d = '';
    for (let k = 0; k < n; k++) {
      const x = (w * (k + p.between(0.1, 0.9))) / n;
      const half = p.between(8, 15) + i * 3;
      const rise = h * tall * p.between(0.45, 1);
      const r = (v: number) => round(v);
      d += `M${r(x - half)} ${r(shore)}c${r(half * 0.3)}-${r(rise - 8)} ${r(half * 0.6)}-${r(rise)} ${r(half)}-${r(rise)}s${r(half * 0.72)} 12 ${r(half)} ${r(rise)}z`;
    }
    out += fill(d, p.tone(l, 0.07, i * 8)) + (i < 2 ? box(0, shore - h * 0.1, w, h * 0.1, 0, '#fff', 0.13) : '');
  });
  out += box(0, shore, w, h - shore, 0, p.tone(0.56, 0.065, 4));
  let ripples = '';
  for (let i = 0; i < 12; i++)
    ripples += `M${round(p.between(0, w * 0.9))} ${round(shore + 4 + (h - shore - 6) * p.next())}h${round(p.between(8, 30))}`;
  out += line(ripples, '#fff', 0.8, 0.4);
  const bx = w * p.between(0.25, 0.55);
  const by = h * 0.86;
  out += fill(`M${round(bx - 17)} ${round(by)}q17 8 34 0q-3 8-9 8h-16q-6 0-9-8z`, p.tone(0.26, 0.05, 10));
  out += fill(`M${round(bx - 7)} ${round(by + 3)}v-8a7 6 0 0 1 14 0v8z`, p.tone(0.84, 0.05, 20));
  return out + line(`M${round(bx + 12)} ${round(by + 2)}l7-16`, p.tone(0.26, 0.05, 10), 1);
}
