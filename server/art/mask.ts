import { disc, fill, line, oklch, svg } from './svg.ts';

/** Eight forms of ears. */
const EARS = [
  'M20 46 22 10 46 30zM76 46 74 10 50 30z',
  'M22 44 20 18 42 30zM76 44 76 18 54 30z',
  'M30 40C20 20 24 2 32 2s12 18 10 34zM66 40C76 20 72 2 64 2S52 20 54 36z',
  'M22 36a12 12 0 1 1 18-14zM74 36a12 12 0 1 0-18-14z',
  'M28 44a16 16 0 1 1 4-24zM68 44a16 16 0 1 0-4-24z',
  'M24 42 18 20q14 0 24 8zM72 42 78 20q-14 0-24 8z',
  'M38 30 34 14 24 12l8-4 4 2 1-8 3 10 3 18zM58 30l4-16 10-2-8-4-4 2-1-8-3 10-3 18z',
  'M48 26q-4-16 8-22 0 8-2 12 8-4 14-2-4 10-20 12z',
] as const;
/** Three patterns of the face; the third has stripes as well. */
const FACES = [
  'M48 44c6-10 25-8 27 6 2 18-12 30-27 32-15-2-29-14-27-32 2-14 21-16 27-6z',
  'M41 24h14l-4 30c12 4 20 12 17 19-4 6-12 9-20 9s-16-3-20-9c-3-7 5-15 17-19z',
  'M48 56c12 0 21 7 19 16-5 7-12 10-19 10s-14-3-19-10c-2-9 7-16 19-16z',
] as const;
const STRIPES = 'M36 27l4 11 3-12zM60 27l-4 11-3-12z';

export const MASKS = EARS.length * FACES.length;

export interface Mask {
  /** 0 to MASKS - 1. */
  index: number;
  hue: number;
  /** Whether the person has a voice introduction: a headset. */
  hasVoice: boolean;
}

/** The shapes of a mask in a box of 96: an animal, so that the picture is never mistaken for a person. */
export function mask({ index, hue, hasVoice }: Mask): string {
  const face = Math.floor(index / EARS.length) % FACES.length;
  const turned = hue + ([0, 18, -22][face] ?? 0);
  const dark = oklch(0.46, 0.09, turned);
  const eye = oklch(0.27, 0.045, hue);
  const accent = oklch(0.78, 0.11, hue + 150);
  const eyes = [
    line('M30 54q5-6 10 0M56 54q5-6 10 0', eye, 3),
    disc(35, 53, 3.6, eye) + disc(61, 53, 3.6, eye),
    line('M30 53q5 5 10 0M56 53q5 5 10 0', eye, 3),
  ];
  return [
    fill('M0 0h96v96H0z', oklch(0.9, 0.045, hue)),
    fill(`M10 96c2-16 18-22 38-22s36 6 38 22z${EARS[index % EARS.length] ?? ''}`, dark),
    fill('M48 24c20 0 31 12 31 29S66 82 48 82 17 70 17 53s11-29 31-29z', oklch(0.6, 0.105, turned)),
    fill(FACES[face] ?? '', oklch(0.97, 0.018, hue + 40)),
    face === 2 ? fill(STRIPES, dark) : '',
    eyes[(index * 5 + face) % eyes.length] ?? '',
    fill('M44 64h8l-4 5z', eye),
    hasVoice
      ? `${line('M16 56a32 33 0 0 1 64 0', accent, 4)}<path d="M15 53v9M81 53v9" stroke="${accent}" stroke-width="10" stroke-linecap="round"/>`
      : '',
  ].join('');
}

/** A mask as a picture of 96 × 96. */
export const drawMask = (of: Mask): string => svg(96, 96, mask(of));
