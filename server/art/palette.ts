import { type Motif, motifOf } from '#subjects/games/rules/game-motif.ts';
import { oklch } from './svg.ts';

/** The position of the listing's rank among the ranks of its game: 0 is the lower half, 3 the highest. */
export type Tier = 0 | 1 | 2 | 3;

/** Lightness and chroma of the ground, by tier: a higher rank has a deeper background. */
const LIGHTNESS = [0.5, 0.435, 0.365, 0.285] as const;
const CHROMA = [0.095, 0.1, 0.09, 0.06] as const;

export interface Palette {
  ground: string;
  /** The lower band. */
  band: string;
  /** Tracks of the rings and line drawing. */
  track: string;
  /** The outer, middle and inner ring. */
  rings: readonly [string, string, string];
  /** Secondary text; primary text is white. */
  soft: string;
}

/** Colours of a cover in its game's hue. Text on ground and band has a contrast of 4.5 or more, so one picture serves both themes. */
export function paletteOf(hue: number, tier: Tier): Palette {
  const lightness = LIGHTNESS[tier];
  // Yellow and olive backgrounds look muddy at full chroma.
  const chroma = CHROMA[tier] * (hue > 70 && hue < 128 ? 0.72 : 1);
  return {
    ground: oklch(lightness, chroma, hue),
    band: oklch(lightness - 0.045, chroma, hue + 8),
    track: oklch(lightness + 0.085, chroma * 0.85, hue),
    rings: [oklch(0.93, 0.075, hue + 24), oklch(0.83, 0.1, hue + 14), oklch(0.72, 0.1, hue + 4)],
    soft: oklch(0.95, 0.022, hue),
  };
}

const MOTIFS = {
  lanes: 'M8 92 92 8M8 92V30Q8 8 30 8H92M8 92H70Q92 92 92 70V8M8 50a42 42 0 0 1 42 42M50 8a42 42 0 0 0 42 42',
  contour:
    'M50 4c28 0 48 18 46 44S76 98 48 96 4 74 6 48 24 4 50 4zM52 20c19 0 31 13 30 31S68 83 49 81 20 66 21 49 34 20 52 20zM53 35c10 0 16 7 15 16s-8 16-17 15-15-7-14-16 7-15 16-15z',
  cross: 'M50 2v30M50 68v30M2 50h30M68 50h30M50 16a34 34 0 1 0 .1 0zM50 40a10 10 0 1 0 .1 0z',
  arch: 'M4 100V52a46 46 0 0 1 92 0v48M18 100V56a32 32 0 0 1 64 0v44M32 100V60a18 18 0 0 1 36 0v40',
  orbit:
    'M50 4c4 31 15 42 46 46-31 4-42 15-46 46-4-31-15-42-46-46 31-4 42-15 46-46zM93 28c6 10-8 30-32 44S12 90 7 80s8-30 32-44 48-18 54-8z',
  hex: 'M50 2 92 26v48L50 98 8 74V26zM50 22 74 36v28L50 78 26 64V36zM50 40l9 5v10l-9 5-9-5V45z',
  wave: 'M0 30q12-14 25 0t25 0 25 0 25 0M0 48q12-14 25 0t25 0 25 0 25 0M0 66q12-14 25 0t25 0 25 0 25 0M0 84q12-14 25 0t25 0 25 0 25 0',
  ridge: 'M0 92 26 44l14 20L62 18l38 74M0 98h100M40 64l-8 28M62 18l-10 40 12 16-6 20',
} satisfies Record<Motif, string>;

/** A game's line drawing on a square of `size` at (x, y). */
export function motif(
  scene: string,
  x: number,
  y: number,
  size: number,
  place: { colour: string; stroke: number },
): string {
  const path = MOTIFS[motifOf(scene)];
  return `<path d="${path}" transform="translate(${x} ${y}) scale(${size / 100})" fill="none" stroke="${place.colour}" stroke-width="${Math.round((place.stroke * 1000) / size) / 10}"/>`;
}
