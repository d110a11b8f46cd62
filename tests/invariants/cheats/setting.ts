/** Which world is played, and by which steps: all that has to be known to play it again. */
import type { Chance } from './chance.ts';
import { PEOPLE, type Who } from './model.ts';

export const START_FEN = 3_000_000;
/** One act as it was chosen: its name, and which of the world's things it is about. Enough to do it again in a fresh world. */
export interface Step {
  act: string;
  at: readonly (string | number)[];
  /** How many acts of honest people follow before the next one of the coalition; all when absent. */
  answers?: number;
}

/** What makes a world differ from others, drawn from its seed. */
export interface Setting {
  /** Who is there: with few people and goods the search goes deep, with many it goes wide. */
  cast: readonly Who[];
  /** The dishonest member of staff, of whom a coalition has at most one. */
  bad: 'service' | 'finance' | 'none';
  /** The dishonest one is also who was given the orders. */
  badAssigned: boolean;
  /** Nobody looks at what the coalition has among itself. */
  staffAway: boolean;
  /** The accomplices share a browser. */
  linked: boolean;
  goods: readonly { owner: Who; fen: number; loose: boolean; recoverable: boolean }[];
}

const PRICES = [80_000, 200_000, 620_000] as const;

const CASTS: readonly { cast: readonly Who[]; owners: readonly Who[] }[] = [
  { cast: ['hs', 'a', 'i'], owners: ['hs'] },
  { cast: ['hb', 'b', 'i'], owners: ['b'] },
  { cast: ['a', 'b', 'i'], owners: ['b'] },
  { cast: ['a', 'b', 'c'], owners: ['b'] },
  { cast: PEOPLE, owners: ['hs', 'b', 'c'] },
];

/** Draws a world's setting. */
export function draw(chance: Chance): Setting {
  const one = (owner: Who): Setting['goods'][number] => {
    const loose = chance.next() < 0.5;
    // Honest people do not take an account back; whoever buys a recoverable one buys the cover for it.
    const recoverable = owner !== 'hs' && chance.next() < 0.5;
    return { owner, fen: chance.of(PRICES), loose, recoverable };
  };
  const { cast, owners } = chance.of(CASTS);
  return {
    cast,
    bad: chance.of(['none', 'none', 'none', 'service', 'finance'] as const),
    badAssigned: chance.next() < 0.5,
    staffAway: chance.next() < 0.4,
    linked: chance.next() < 0.5,
    goods: owners.map(one),
  };
}
