import { hills } from './landscapes.ts';
import {
  box,
  disc,
  discPath,
  dot,
  dots,
  fill,
  glintPath,
  lamp,
  line,
  type Pen,
  poly,
  rectPath,
  round,
  sun,
  tri,
} from './svg.ts';

/** Halls one behind the other, light at the end. */
export function arch(p: Pen): string {
  const { w, h } = p;
  const cx = w * p.between(0.46, 0.54);
  let out = '';
  const vault = (half: number, top: number) => {
    const spring = top + half * 0.74;
    return `M${round(cx - half)} ${h}V${round(spring)}A${round(half)} ${round(half * 0.74)} 0 0 1 ${round(cx + half)} ${round(spring)}V${h}`;
  };
  for (let i = 0; i < 6; i++) {
    const half = w * (0.45 - i * 0.069);
    const top = h * (0.07 + i * 0.085);
    out += fill(vault(half, top), p.tone(0.61 - i * 0.062, 0.078, i * 4));
  }
  const door = w * 0.062;
  const y = h * 0.66;
  out += disc(cx, y, w * 0.13, '#fff', 0.1);
  out += fill(
    `M${round(cx - door)} ${h}V${round(y)}a${round(door)} ${round(door)} 0 0 1 ${round(door * 2)} 0V${h}Z`,
    '#fff',
    0.85,
  );
  out += fill(
    poly([
      [cx - door, h * 0.9],
      [cx + door, h * 0.9],
      [cx + w * 0.24, h],
      [cx - w * 0.24, h],
    ]),
    '#fff',
    0.22,
  );
  const lamps = [-1, 1].flatMap((side) => [0.35, 0.215].map((k) => dot(cx + side * w * k, h * 0.56))).join('');
  return out + dots(lamps, '#fff', 11, 0.14) + dots(lamps, lamp(p), 3.4);
}

/** Skyline in three layers with lit windows and a reticle. */
export function city(p: Pen): string {
  const { w, h } = p;
  const sx = w * p.between(0.3, 0.7);
  const sy = h * p.between(0.34, 0.42);
  let out = disc(sx, sy, h * 0.34, '#fff', 0.14);
  const layers: [base: number, lightness: number, turn: number][] = [
    [0.46, 0.62, 0],
    [0.6, 0.51, 6],
    [0.76, 0.38, 12],
  ];
  let windows = '';
  layers.forEach(([base, l, turn], layer) => {
    let d = '';
    for (let x = -4; x < w; ) {
      const bw = Math.round(p.between(9, 17));
      const top = Math.round(h * (base + p.between(-0.15, 0.1)));
      d += `M${x} ${top}h${bw}V${h}h-${bw}z`;
      if (p.next() < 0.25) d += rectPath(x + bw / 2 - 0.6, top - h * 0.08, 1.2, h * 0.08);
      else if (p.next() < 0.3) d += rectPath(x + bw * 0.25, top - h * 0.04, bw * 0.5, h * 0.04);
      for (let wy = top + 5; layer === 2 && wy < h - 3; wy += 7) {
        for (let wx = x + 3; wx < x + bw - 3; wx += 4) if (p.next() < 0.3) windows += `M${wx} ${wy}h1.8`;
      }
      x += bw + (p.next() < 0.3 ? p.whole(1, 4) : 0);
    }
    out += fill(d, p.tone(l, 0.065, turn));
  });
  out += `<path d="${windows}" stroke="${lamp(p)}" stroke-width="2.6" opacity=".85"/>`;
  const r = h * 0.24;
  const tick = (dx: number, dy: number) =>
    `M${round(sx + dx * r * 0.72)} ${round(sy + dy * r * 0.72)}L${round(sx + dx * r * 1.3)} ${round(sy + dy * r * 1.3)}`;
  const reticle = discPath(sx, sy, r) + tick(1, 0) + tick(-1, 0) + tick(0, 1) + tick(0, -1);
  return out + line(reticle, '#fff', 1.2, 0.9) + disc(sx, sy, 1.5, '#fff');
}

/** Towers on a hill at night, windows lit. */
export function castle(p: Pen): string {
  const { w, h } = p;
  let out = sun(w * p.between(0.7, 0.84), h * 0.3, h * 0.17);
  out += fill(hills(p, h * 0.62, h * 0.07, 6), p.tone(0.58, 0.07));
  const base = h * 0.8;
  const cx = w * p.between(0.36, 0.46);
  let walls = rectPath(cx - 40, base - 13, 82, 20);
  let roofs = '';
  let lights = '';
  const towers: [dx: number, top: number, wide: number][] = [
    [-34, 0.42, 11],
    [-19, 0.53, 13],
    [0, 0.32, 17],
    [21, 0.47, 13],
    [36, 0.57, 10],
  ];
  for (const [dx, top0, tw] of towers) {
    const x = cx + dx - tw / 2;
    const top = h * (top0 + p.between(-0.04, 0.04));
    walls += rectPath(x, top, tw, base - top + 6);
    roofs += tri(x + tw / 2, top - tw * 1.25, tw / 2 + 1.6, tw * 1.25);
    for (let y = top + 7; y < base - 4; y += 9)
      if (p.next() < 0.62) lights += `M${round(x + tw / 2 - 1.2)} ${round(y)}v-2.6a1.2 1.2 0 0 1 2.4 0v2.6z`;
  }
  for (let x = cx - 40; x < cx + 40; x += 6) walls += rectPath(x, base - 16, 3.4, 4);
  out += fill(walls, p.tone(0.41, 0.068, 10)) + fill(roofs, p.tone(0.33, 0.065, 16)) + fill(lights, lamp(p));
  out += fill(hills(p, h * 0.84, h * 0.035, 6), p.tone(0.31, 0.06, 16));
  let pines = '';
  for (let i = 0; i < 9; i++) {
    const k = p.between(7, 15);
    pines += tri(p.between(0, w), h * p.between(0.88, 1) - k * 2, k * 0.55, k * 2);
  }
  out += fill(pines, p.tone(0.25, 0.055, 18));
  return (
    out +
    fill(glintPath(w * 0.12, h * 0.2, 3), '#fff', 0.8) +
    dots(dot(w * 0.25, h * 0.12) + dot(w * 0.56, h * 0.1) + dot(w * 0.92, h * 0.12), '#fff', 1.5, 0.8)
  );
}

/** Roof with raised eaves over its house. */
function roof(p: Pen, x: number, y: number, half: number, l: number): string {
  const eave = `M${round(x - half)} ${round(y)}q${round(half * 0.3)}-1 ${round(half * 0.55)}-${round(half * 0.34)}h${round(half * 0.9)}q${round(half * 0.25)} ${round(half * 0.3)} ${round(half * 0.55)} ${round(half * 0.34)}z`;
  return (
    fill(rectPath(x - half * 0.72, y, half * 1.44, p.h - y), p.tone(l, 0.06, 10)) +
    fill(eave, p.tone(l - 0.08, 0.065, 14))
  );
}

/** Lanterns over the roofs of a night market. */
export function lantern(p: Pen): string {
  const { w, h } = p;
  let out = sun(w * p.between(0.16, 0.3), h * 0.26, h * 0.14);
  out +=
    roof(p, w * 0.5, h * 0.56, 34, 0.53) +
    roof(p, w * 0.12, h * 0.68, 28, 0.45) +
    roof(p, w * 0.88, h * 0.66, 30, 0.45) +
    roof(p, w * 0.5, h * 0.82, 26, 0.37);
  const panes = [
    [0.43, 0.66],
    [0.54, 0.66],
    [0.07, 0.79],
    [0.14, 0.79],
    [0.84, 0.77],
    [0.91, 0.77],
    [0.45, 0.92],
    [0.52, 0.92],
  ];
  out += `<path d="${panes.map(([x = 0, y = 0]) => `M${round(w * x)} ${round(h * y)}h5`).join('')}" stroke="${lamp(p)}" stroke-width="5" opacity=".85"/>`;
  for (const [y0, sag, n, k] of [
    [h * 0.1, h * 0.3, 5, 1],
    [h * 0.3, h * 0.26, 4, 0.72],
  ] as const) {
    let bodies = '';
    let caps = '';
    let ribs = '';
    let halos = '';
    for (let i = 0; i < n; i++) {
      const t = (i + 0.5 + p.between(-0.12, 0.12)) / n;
      const x = round(-4 + (w + 8) * t);
      const y = round((1 - t) ** 2 * y0 + 2 * (1 - t) * t * (y0 + sag) + t * t * y0 * 0.6);
      const r = round(6.4 * k);
      const tall = round(7.2 * k);
      bodies += `M${round(x - r)} ${round(y + 9 * k)}a${r} ${tall} 0 1 0 ${2 * r} 0a${r} ${tall} 0 1 0-${2 * r} 0z`;
      caps += `M${round(x - 2.6 * k)} ${round(y + 1.5 * k)}h${round(5.2 * k)}m0 ${round(15 * k)}h-${round(5.2 * k)}M${x} ${round(y + 16 * k)}v${round(6 * k)}`;
      ribs += `M${x} ${round(y + 2.4 * k)}v${round(13.2 * k)}`;
      halos += dot(x, y + 9 * k);
    }
    out += line(`M-4 ${round(y0)}Q${w / 2} ${round(y0 + sag)} ${w + 4} ${round(y0 * 0.6)}`, '#fff', 0.6, 0.5);
    out +=
      dots(halos, '#fff', 22 * k, 0.13) +
      fill(bodies, lamp(p)) +
      line(ribs, '#fff', 2.4 * k, 0.4) +
      line(caps, p.tone(0.32, 0.06), 1.3 * k);
  }
  return out;
}

/** Gate on a stair, petals in the air. */
export function shrine(p: Pen): string {
  const { w, h } = p;
  const cx = w * p.between(0.44, 0.56);
  let out = sun(cx, h * 0.42, h * 0.27);
  out +=
    fill(hills(p, h * 0.62, h * 0.09, 6), p.tone(0.57, 0.07)) +
    fill(hills(p, h * 0.78, h * 0.05, 5), p.tone(0.45, 0.07, 8));
  for (let i = 0; i < 5; i++)
    out += fill(
      rectPath(cx - 20 - i * 7, h * (0.78 + i * 0.055), 40 + i * 14, h * 0.07),
      p.tone(0.62 - i * 0.05, 0.045, 4),
    );
  const gate = (k: number, y: number, colour: string) => {
    const post = (side: number) =>
      poly([
        [cx + side * 25 * k - 2.4 * k, y],
        [cx + side * 23 * k - 2.2 * k, y - 46 * k],
        [cx + side * 23 * k + 2.2 * k, y - 46 * k],
        [cx + side * 25 * k + 2.4 * k, y],
      ]);
    const top = `M${round(cx - 38 * k)} ${round(y - 56 * k)}Q${round(cx)} ${round(y - 50 * k)} ${round(cx + 38 * k)} ${round(y - 56 * k)}l-2 ${round(8 * k)}Q${round(cx)} ${round(y - 43 * k)} ${round(cx - 36 * k)} ${round(y - 48 * k)}z`;
    return fill(
      post(-1) +
        post(1) +
        top +
        rectPath(cx - 29 * k, y - 37 * k, 58 * k, 4 * k) +
        rectPath(cx - 3 * k, y - 46 * k, 6 * k, 10 * k),
      colour,
    );
  };
  out +=
    gate((h * 0.4) / 60, h * 0.74, p.tone(0.52, 0.09, 12)) + gate((h * 0.6) / 60, h * 0.84, p.tone(0.31, 0.075, 18));
  let petals = '';
  for (let i = 0; i < 14; i++) {
    const k = p.between(1.4, 3);
    petals += `M${round(p.between(0, w))} ${round(p.between(0, h))}q${round(k)}-${round(k * 1.4)} ${round(k * 2)} 0q-${round(k)} ${round(k * 0.9)}-${round(k * 2)} 0z`;
  }
  return out + fill(petals, p.tone(0.9, 0.07, 40), 0.85);
}

/** Bamboo with a moon behind. */
export function bamboo(p: Pen): string {
  const { w, h } = p;
  let out = sun(w * p.between(0.3, 0.7), h * 0.38, h * 0.25) + fill(hills(p, h * 0.78, h * 0.06, 5), p.tone(0.6, 0.06));
  const depths: [lightness: number, width: number, stalks: number, leaves: number][] = [
    [0.6, 2.8, 7, 2],
    [0.49, 4.4, 5, 3],
    [0.37, 6.6, 4, 4],
  ];
  for (const [l, width, n, tufts] of depths) {
    let stalks = '';
    let leaves = '';
    for (let i = 0; i < n; i++) {
      const x = Math.round((w * (i + p.between(0.15, 0.85))) / n);
      const lean = p.whole(-7, 7);
      stalks += `M${x + lean}-${p.whole(2, 22)}L${x} ${h + 4}`;
      if (i >= tufts) continue;
      const y = h * p.between(0.08, 0.6);
      const side = p.next() < 0.5 ? -1 : 1;
      const k = width / 4.6;
      for (const [a, b] of [
        [14, 3],
        [12, 10],
        [7, 15],
      ] as const) {
        const dx = round(side * a * k);
        const dy = round(b * k);
        leaves += `M${round(x + lean * (1 - y / h))} ${round(y)}q${round(dx * 0.5)} ${round(dy * 0.2 - 2.4 * k)} ${dx} ${dy}q${round(-dx * 0.7)} ${round(-dy * 0.1)} ${-dx} ${-dy}z`;
      }
    }
    const nodes = `<path d="${stalks}" stroke="${p.tone(l + 0.15, 0.06)}" stroke-width="${round(width + 0.8)}" stroke-dasharray=".9 ${20 + n}"/>`;
    out += `<path d="${stalks}" stroke="${p.tone(l, 0.078, (0.6 - l) * 30)}" stroke-width="${width}"/>${nodes}${fill(leaves, p.tone(l - 0.04, 0.09, -8))}`;
  }
  return out + box(0, h * 0.97, w, h * 0.03, 0, p.tone(0.3, 0.06, 10), 0.5);
}
