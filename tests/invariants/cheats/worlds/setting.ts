/** Which world is played, and by which steps: all that has to be known to play it again. */
import type { Chance } from '#tests/support/time/chance.ts';
import { PEOPLE, type Who } from './model.ts';

export const START_FEN = 3_000_000;
/** One act as it was chosen: its name, and which of the world's things it is about. Enough to do it again in a fresh world. */
export interface Step {
  action: string;
  at: readonly (string | number)[];
  /** How many acts of honest people follow before the next one of the coalition; all when absent. */
  reactions?: number;
}

/** Parameters of a world, drawn from its seed. */
/** The service that a world is about besides or in place of sales. */
export type Service = 'none' | 'recycling' | 'boosting' | 'reading';

export interface Setting {
  service: Service;
  /** The people of the world: with few people and goods the search goes deep, with many it goes wide. */
  cast: readonly Who[];
  /** The dishonest member of staff, of whom a coalition has at most one. */
  bad: 'service' | 'finance' | 'none';
  /** The dishonest one is also who was given the orders. */
  badAssigned: boolean;
  /** Nobody looks at what the coalition has among itself. */
  staffAway: boolean;
  /** The accomplices share a browser. */
  linked: boolean;
  /** Accomplice B has paid a deposit, so that a part of what he sells comes free early. */
  deposit: boolean;
  /** Accomplice B begins without money, so that what he is asked back becomes a debt. */
  poor: boolean;
  /** Whoever of the coalition sells withdraws what came free as soon as it has, so that nothing is left to be taken back. */
  empties: boolean;
  /** The honest buyer of boosting hands the account over and looks again when the whole is delivered or late. */
  away: boolean;
  /** Acts that the coalition leaves out in this world: what comes of leaving something undone is found by leaving it undone. */
  omits: readonly string[];
  /** Before a clock runs out honest people have done everything; until then so much after each act of the coalition. */
  pace: readonly number[];
  goods: readonly { owner: Who; fen: number; loose: boolean; recoverable: boolean }[];
}

/** The people of each world and its sellers. With few people and goods the search goes deep, with many it goes wide. */
const CASTS = {
  seller: { cast: ['hs', 'a', 'i'], owners: ['hs'] },
  buyer: { cast: ['hb', 'b', 'i'], owners: ['b'] },
  two: { cast: ['a', 'b', 'i'], owners: ['b'] },
  three: { cast: ['a', 'b', 'c'], owners: ['b'] },
  newcomer: { cast: ['a', 'b', 'c'], owners: ['c', 'c'] },
  debtor: { cast: ['hb', 'a', 'b'], owners: ['b', 'b'] },
  stock: { cast: ['a', 'b', 'i'], owners: ['b', 'b'] },
  recycler: { cast: ['hb', 'b', 'c'], owners: ['b'] },
  recycled: { cast: ['hs', 'a', 'c'], owners: ['hs'] },
  platform: { cast: ['a', 'b'], owners: ['b', 'b'] },
  boosted: { cast: ['hb', 'a', 'b'], owners: [] },
  booster: { cast: ['hs', 'a', 'b'], owners: [] },
  boosters: { cast: ['hb', 'hs', 'a', 'b'], owners: [] },
  readBuyer: { cast: ['hb', 'a', 'b'], owners: ['b'] },
  readTwo: { cast: ['a', 'b', 'c'], owners: ['b', 'b'] },
  all: { cast: PEOPLE, owners: ['hs', 'b', 'c'] },
} as const satisfies Record<string, { cast: readonly Who[]; owners: readonly Who[] }>;

/** Preferred actions of a world, and the casts that have something to do with them. */
const CASTS_OF = {
  trade: ['seller', 'buyer', 'two', 'two', 'all'],
  cancel: ['seller', 'seller', 'seller', 'all'],
  dispute: ['seller', 'buyer', 'two', 'all'],
  claims: ['buyer', 'two', 'stock', 'three'],
  settle: ['buyer', 'two', 'stock', 'all'],
  debts: ['debtor', 'debtor', 'stock', 'two'],
  staff: ['seller', 'buyer', 'two', 'two', 'all'],
  resale: ['three', 'newcomer', 'buyer', 'all'],
  coupon: ['two', 'two', 'three', 'seller'],
  deals: ['two', 'three', 'buyer', 'all'],
  identity: ['two', 'buyer', 'newcomer', 'stock', 'all'],
  reseal: ['buyer', 'two', 'stock', 'debtor', 'all'],
  honest: ['buyer', 'buyer', 'all'],
  thief: ['buyer'],
  recycling: ['recycler', 'recycled', 'platform', 'platform'],
  boosting: ['boosted', 'booster', 'booster', 'boosters'],
  reading: ['readBuyer', 'readTwo', 'readTwo'],
} as const satisfies Record<string, readonly (keyof typeof CASTS)[]>;
export type Theme = keyof typeof CASTS_OF;
/** The theme of what only the search over companion play can find (evenings.ts). */
export const EVENINGS = 'evenings';

export const THEMES = Object.keys(CASTS_OF) as readonly Theme[];

const SERVICES: Readonly<Partial<Record<Theme, Service>>> = {
  recycling: 'recycling',
  boosting: 'boosting',
  reading: 'reading',
};
/**
 * What a recycled account with its true skins is worth, in fen: more than the platform's floor for it, which the model of prices puts at 235 to
 * 264 yuan, since its fit depends a little on the day. Below the floor, an honest sale would count as a profit.
 */
export const WORTH_RECYCLED_FEN = 30_000;
/** A recycled account is worth what its true skins are; one whose reading is wrong is cheap, so that fees cost less than the claim pays. */
const PRICES_OF: Readonly<Record<Service, readonly number[]>> = {
  none: [80_000, 200_000, 620_000],
  recycling: [WORTH_RECYCLED_FEN],
  boosting: [20_000],
  reading: [20_000, 20_000, 200_000],
};

const STAFF = ['service', 'service', 'finance'] as const;
const ANY_STAFF = ['none', 'none', 'none', 'service', 'finance'] as const;

/** How many acts of honest people come between two of the coalition: they are at hand, or slower than it. */
const PACES = [[99], [99], [99, 99, 0, 1, 2], [0, 0, 0, 1, 1, 2]] as const;

/** The name in `omits` of a step that is left undone after shipping. */
export const LATE_STEP = 'step:shipped';
/** Acts that a world may do without; the others are what a trade begins with. */
const OMITTED = [
  'cancel',
  'askCancel',
  'open',
  'changePassword',
  'dispute',
  'answer',
  'confirm',
  'step',
  LATE_STEP,
] as const;
const OMIT = 0.2;
const OMIT_LATE = 0.4;
const AWAY = 0.5;

/** Preferences of some worlds of a search: the people, whether the honest buyer is away, and acts that are tried more often. */
export interface Toward {
  cast?: keyof typeof CASTS;
  away?: boolean;
  acts?: readonly string[];
}

/** A drawn setting as a search leads to it. Another cast has its own owners, of goods as they were drawn. */
export function led(setting: Setting, { cast, away }: Toward): Setting {
  const goods = setting.goods;
  const owned = (owners: readonly Who[]): Setting['goods'] =>
    owners.flatMap((owner, n) => {
      const drawn = goods[n] ?? goods[0];
      return drawn ? [{ ...drawn, owner }] : [];
    });
  return {
    ...setting,
    ...(cast && { cast: CASTS[cast].cast, goods: owned(CASTS[cast].owners) }),
    ...(away !== undefined && { away }),
  };
}

/** Draws a world's setting. */
export function draw(chance: Chance, theme: Theme): Setting {
  const service = SERVICES[theme] ?? 'none';
  const aboutClaims = theme === 'claims' || theme === 'settle' || theme === 'debts';
  const one = (owner: Who): Setting['goods'][number] => {
    const loose = chance.next() < 0.5 || service === 'recycling';
    // Honest people do not take an account back; one who buys a recoverable account buys the cover for it.
    const recoverable = owner !== 'hs' && chance.next() < (aboutClaims ? 0.8 : 0.5);
    return { owner, fen: chance.of(PRICES_OF[service]), loose, recoverable };
  };
  const { cast, owners } = CASTS[chance.of<keyof typeof CASTS>(CASTS_OF[theme])];
  const deposit = chance.next() < 0.4;
  const isByStaff = theme === 'staff' || (service !== 'none' && chance.next() < (service === 'reading' ? 0.8 : 0.5));
  return {
    service,
    cast,
    bad: chance.of(isByStaff ? STAFF : ANY_STAFF),
    badAssigned: chance.next() < (service === 'reading' ? 0.8 : 0.5),
    staffAway: chance.next() < (aboutClaims ? 0.6 : 0.4),
    linked: chance.next() < (service === 'reading' ? 0.15 : 0.5),
    deposit,
    poor: !deposit && chance.next() < (theme === 'debts' ? 0.9 : 0.3),
    empties: chance.next() < (aboutClaims || theme === 'staff' ? 0.5 : 0.2),
    away: service === 'boosting' && chance.next() < AWAY,
    omits: OMITTED.filter((action) => chance.next() < (action === LATE_STEP ? OMIT_LATE : OMIT)),
    pace: chance.of<readonly number[]>(PACES),
    goods: owners.map(one),
  };
}
