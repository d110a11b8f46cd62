import { type Mask, mask } from './mask.ts';
import type { Palette } from './palette.ts';
import { box, fill, line, round, SERIF, write } from './svg.ts';

const ICONS = {
  gift: 'M22 42h56v12H22zM28 54h44v28H28zM50 42v40M50 42c-22 0-22-22-8-20 6 1 8 12 8 20 0-8 2-19 8-20 14-2 14 20-8 20z',
  gem: 'M30 24h40l14 20-34 38L16 44zM16 44h68M38 44l12 38 12-38-12-20z',
  box: 'M50 16 82 32v36L50 84 18 68V32zM18 32l32 16 32-16M50 48v36',
  badge: 'M50 16 78 26v26c0 18-12 26-28 34-16-8-28-16-28-34V26zM38 50l9 9 17-18',
} as const;
export type ItemIcon = keyof typeof ICONS;

/** The content of a cover's emblem, from the listing's data. */
export type Emblem =
  /** One ring for each figure, its length is the figure's percentile among the game's listings (0 to 100); around the game's character. */
  | { kind: 'rings'; shares: readonly number[]; char: string }
  /** A pile of 1 to 6 discs, depending on the stock. */
  | { kind: 'pile'; discs: number }
  | { kind: 'icon'; icon: ItemIcon }
  /** 2 to 6 stairs, depending on the number of ranks between. */
  | { kind: 'stairs'; steps: number }
  | { kind: 'mask'; mask: Mask };

const RADII = [45, 36, 27] as const;
const MIN_SHARE = 2;

function rings(shares: readonly number[], char: string, { track, rings: colours }: Palette): string {
  const drawn = RADII.map((r, i) => {
    const share = shares[i];
    if (share === undefined) return '';
    const dash = Math.round((2 * Math.PI * r * Math.min(100, Math.max(MIN_SHARE, share))) / 100);
    return `<circle cx="50" cy="50" r="${r}" stroke="${track}"/><circle cx="50" cy="50" r="${r}" stroke="${colours[i] ?? track}" stroke-dasharray="${dash} 300" stroke-linecap="round" transform="rotate(-90 50 50)"/>`;
  }).join('');
  const empty = shares.length === 0 ? `<circle cx="50" cy="50" r="36" stroke="${track}"/>` : '';
  const glyph = write(50, 61, char, { size: 31, colour: '#fff', weight: 900, anchor: 'middle', family: SERIF });
  return `<g fill="none" stroke-width="5.6">${drawn}${empty}</g>${glyph}`;
}

function pile(discs: number, { rings: [light, middle, dark] }: Palette): string {
  const tops = Array.from({ length: Math.min(6, Math.max(1, discs)) }, (_, i) => 80 - i * 10);
  const top = tops.at(-1) ?? 80;
  const sides = tops.map(
    (y) =>
      `${fill(`M12 ${y}v6a38 11 0 0 0 76 0v-6z`, dark)}<ellipse cx="50" cy="${y}" rx="38" ry="11" fill="${middle}"/>`,
  );
  return `${sides.join('')}<ellipse cx="50" cy="${top}" rx="38" ry="11" fill="${light}"/><ellipse cx="50" cy="${top}" rx="27" ry="7" fill="none" stroke="${dark}" stroke-width="2.4"/>`;
}

function stairs(steps: number, { track, rings: [light, , dark] }: Palette): string {
  const n = Math.min(6, Math.max(2, steps));
  const wide = 92 / n;
  const rise = (k: number) => 88 - (k * 72) / n;
  const path = Array.from({ length: n }, (_, k) => `V${round(rise(k + 1))}h${round(wide)}`).join('');
  const [left, right, low, high] = [4 + wide / 2, 96 - wide / 2, rise(1) - 8, rise(n) - 10].map(round);
  return (
    fill(`M4 96${path}V96z`, track) +
    `<path d="M${left} ${low}L${right} ${high}" stroke="${light}" stroke-width="4" stroke-dasharray="1 8" stroke-linecap="round"/>` +
    `<circle cx="${left}" cy="${low}" r="5.6" fill="${dark}"/><circle cx="${right}" cy="${high}" r="7.5" fill="${light}"/>`
  );
}

/** The emblem in a box of 100. */
export function drawEmblem(of: Emblem, palette: Palette): string {
  switch (of.kind) {
    case 'rings':
      return rings(of.shares, of.char, palette);
    case 'pile':
      return pile(of.discs, palette);
    case 'icon':
      return box(4, 4, 92, 92, 20, palette.track) + line(ICONS[of.icon], '#fff', 4);
    case 'stairs':
      return stairs(of.steps, palette);
    case 'mask':
      return `<g transform="scale(1.0417)">${mask(of.mask)}</g>`;
  }
}
