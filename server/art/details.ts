import { turnOf } from './emblems.ts';
import { box, disc, discPath, dot, dots, fill, glintPath, line, oklch, type Pen, rectPath, round } from './svg.ts';

/** Faces are warm whatever the hue of the picture. */
const SKIN = oklch(0.92, 0.035, 62);

interface Bust {
  hair: string;
  body: string;
  face: string;
}

/** Head and shoulders inside a frame; four cuts of hair keep a wall of them from being one stamp. `r` is the radius of the face. */
function bust(p: Pen, x: number, y: number, w: number, h: number, r: number): Bust {
  const cx = round(x + w / 2);
  const fy = round(y + h * p.between(0.31, 0.37));
  const half = round(w * p.between(0.35, 0.42));
  const rise = round(y + h - fy - r * 1.05);
  const at = (dx: number, dy: number) => `M${round(cx + dx * r)} ${round(fy + dy * r)}`;
  const arc = round(r * 1.3);
  const cuts = [
    `${at(-1.3, 0)}a${arc} ${arc} 0 0 1 ${round(arc * 2)} 0v${round(r * 0.7)}h${round(-arc * 2)}z`,
    `${at(-1.3, 2.3)}v${round(-r * 2.4)}a${arc} ${arc} 0 0 1 ${round(arc * 2)} 0v${round(r * 2.4)}z`,
    `${at(-1.3, 0.3)}l${round(r * 0.3)}-${round(r * 2)} ${round(r)} ${round(r * 0.6)} ${round(r)}-${round(r * 0.6)} ${round(r * 0.3)} ${round(r * 2)}z`,
    `${discPath(cx - r, fy - r, r * 0.55)}${discPath(cx + r, fy - r, r * 0.55)}${at(-1.2, 0.4)}v${round(-r * 0.5)}a${round(r * 1.2)} ${round(r * 1.2)} 0 0 1 ${round(r * 2.4)} 0v${round(r * 0.5)}z`,
  ];
  return {
    hair: cuts[p.whole(0, 3)] ?? '',
    body: `M${round(cx - half)} ${round(y + h)}c0-${round(rise * 0.8)} ${round(half * 0.5)}-${rise} ${half}-${rise}s${half} ${round(rise * 0.2)} ${half} ${rise}z`,
    face: dot(cx, fy),
  };
}

/** Wall of portraits: the skins or characters of the account. Cards of one colour share their paths. */
export function wall(p: Pen): string {
  const { w, h } = p;
  const rows = h > 125 ? 3 : 2;
  const cols = rows === 3 ? 4 : p.whole(5, 6);
  const gap = 3.2;
  const cw = round((w - gap * (cols + 1)) / cols);
  const ch = round((h - gap * (rows + 1)) / rows);
  const r = round(Math.min(cw * 0.2, ch * 0.145));
  const shift = p.whole(0, 7);
  const kinds = Array.from({ length: 5 }, (_, i) => ({
    turn: turnOf(i + shift) * 0.9,
    l: p.between(0.57, 0.7),
    cards: '',
    hair: '',
    body: '',
  }));
  let faces = '';
  let grades = '';
  for (let i = 0; i < rows * cols; i++) {
    const x = gap + (i % cols) * (cw + gap);
    const y = gap + Math.floor(i / cols) * (ch + gap);
    const kind = kinds[(i * 3 + Math.floor(i / cols) + p.whole(0, 1)) % 5];
    if (kind === undefined) continue;
    const b = bust(p, x, y, cw, ch, r);
    kind.cards += rectPath(x + 0.8, y + 0.8, cw - 1.6, ch - 1.6);
    kind.hair += b.hair;
    kind.body += b.body;
    faces += b.face;
    const grade = p.whole(2, 4);
    grades += `M${round(x + cw / 2 - (grade - 1) * 1.8)} ${round(y + ch - 4)}h${round((grade - 1) * 3.6 + 0.1)}`;
  }
  const out = kinds.map((k) => {
    const card = p.tone(k.l, 0.085, k.turn);
    return (
      `<path d="${k.cards}" fill="${card}" stroke="${card}" stroke-width="1.6" stroke-linejoin="round"/>` +
      fill(k.hair, p.tone(k.l - 0.3, 0.07, k.turn + 22)) +
      fill(k.body, p.tone(k.l - 0.2, 0.085, k.turn + 6))
    );
  });
  return `${out.join('')}${dots(faces, SKIN, r * 2)}<path d="${grades}" stroke="#fff" stroke-width="2" stroke-linecap="round" stroke-dasharray=".01 3.6" opacity=".9"/>`;
}

/** Character sheet: portrait on the left, values as bars on the right. */
export function sheet(p: Pen): string {
  const { w, h } = p;
  const cw = w * 0.34;
  const turn = turnOf(p.whole(0, 7));
  const r = Math.min(cw * 0.19, h * 0.13);
  const b = bust(p, 10, 10, cw - 6, h - 17, r);
  let out =
    box(7, 7, cw, h - 14, 4, p.tone(0.42, 0.07, turn * 0.4)) +
    disc(7 + cw / 2, h * 0.44, cw * 0.42, p.tone(0.54, 0.08, turn * 0.5));
  out +=
    fill(b.hair, p.tone(0.33, 0.07, turn + 22)) + fill(b.body, p.tone(0.68, 0.09, turn)) + dots(b.face, SKIN, r * 2);
  const x = cw + 18;
  const right = w - 10;
  out += box(x, 11, (right - x) * 0.5, 5.4, 2.7, '#fff', 0.92) + fill(glintPath(right - 5, 13.5, 5.5), '#fff', 0.9);
  const rows = Math.max(4, Math.floor((h - 30) / 13));
  const step = (h - 34) / rows;
  const bx = round(x + (right - x) * 0.42);
  let rails = '';
  let names = '';
  let grooves = '';
  let values = '';
  for (let i = 0; i < rows; i++) {
    const y = round(27 + i * step);
    rails += `M${round(x)} ${round(y + step / 2)}H${right}`;
    names += `M${round(x + 1.6)} ${y}h${round(p.between(9, 19))}`;
    grooves += `M${bx} ${y}H${right - 1.6}`;
    values += `M${bx} ${y}h${round((right - bx - 1.6) * p.between(0.3, 0.96))}`;
  }
  out += line(rails, '#fff', 0.5, 0.25) + line(names, '#fff', 3.2, 0.5);
  return out + line(grooves, '#000', 3.2, 0.2) + line(values, p.tone(0.9, 0.06, 26), 3.2);
}

/** Record of matches: a stripe for won or lost, faces, figures. */
export function record(p: Pen): string {
  const { w, h } = p;
  const rows = Math.max(3, Math.floor((h - 8) / 21));
  const step = (h - 8) / rows;
  const rh = round(step - 3);
  const r = rh * 0.34;
  let out = '';
  let faces = '';
  let strong = '';
  let pale = '';
  let slots = '';
  for (let i = 0; i < rows; i++) {
    const y = round(5.5 + i * step);
    const my = round(y + rh / 2);
    const won = p.next() < 0.66;
    out += box(6, y, w - 12, rh, 2.6, p.tone(won ? 0.5 : 0.4, 0.07, won ? 0 : 8));
    out += box(6, y, 2.8, rh, 1.4, won ? p.tone(0.88, 0.09, 26) : p.tone(0.52, 0.05, 10));
    out += disc(20, my, r, p.tone(0.68, 0.09, turnOf(i * 3 + p.whole(0, 2))));
    faces += `M${round(20 - r * 0.62)} ${round(my + r * 0.78)}a${round(r * 0.62)} ${round(r * 0.75)} 0 0 1 ${round(r * 1.24)} 0z${discPath(20, my - r * 0.22, r * 0.36)}`;
    strong += `M33 ${round(y + rh * 0.34)}h${p.whole(14, 24)}M${w - 31} ${my}h${p.whole(10, 17)}`;
    pale += `M33 ${round(y + rh * 0.7)}h${p.whole(8, 16)}`;
    slots += `M${round(w * 0.46)} ${my}h41`;
  }
  out += fill(faces, '#fff', 0.88) + line(strong, '#fff', 3, 0.92) + line(pale, '#fff', 2.2, 0.4);
  return `${out}<path d="${slots}" stroke="#fff" stroke-width="6.4" stroke-dasharray="6.4 2.2" opacity=".36"/>`;
}
