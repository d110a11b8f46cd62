import { gameOf } from '../goods/values.ts';

export const HOUR = 60;
export const DAY = 24 * HOUR;
const READ_AFTER = HOUR + 18;
const CLOSED_AFTER = DAY;

/** Plan of a task in the queue; `ago` and `due` in minutes, the latter from now. */
export interface Plan {
  /** Owner of the listing: the demo seller's, a stranger's, or one of either that was inspected long ago. */
  of: 'demo' | 'other' | 'inspected' | 'demoInspected';
  kind?: 'again';
  requestedBy: 'seller' | 'staff' | 'buyer';
  status: 'waiting' | 'queued' | 'claimed' | 'review' | 'done' | 'closed';
  ago: number;
  due?: number;
  /** The inspector; a re-inspection is read by an inspector who has not read the account before. */
  by?: 'kefu1' | 'kefu2' | 'other';
  reason?: string;
  differs?: true;
  expired?: true;
}

/** A task in every state, the oldest first, as their numbers rise. */
export const PLANS: readonly Plan[] = [
  { of: 'other', requestedBy: 'seller', status: 'done', ago: 40 * DAY, by: 'kefu2', expired: true },
  {
    of: 'inspected',
    kind: 'again',
    requestedBy: 'buyer',
    status: 'closed',
    ago: 8 * DAY,
    reason: '客服没有在时限内验完',
  },
  { of: 'inspected', kind: 'again', requestedBy: 'buyer', status: 'done', ago: 6 * DAY, by: 'other' },
  { of: 'other', requestedBy: 'seller', status: 'closed', ago: 4 * DAY, reason: '客服没有在时限内验完' },
  { of: 'inspected', kind: 'again', requestedBy: 'buyer', status: 'done', ago: 3 * DAY, by: 'other', differs: true },
  { of: 'demo', requestedBy: 'seller', status: 'done', ago: 2 * DAY, by: 'kefu1', differs: true },
  {
    of: 'inspected',
    kind: 'again',
    requestedBy: 'buyer',
    status: 'review',
    ago: 25 * HOUR,
    due: 6 * HOUR,
    by: 'other',
    differs: true,
  },
  { of: 'other', requestedBy: 'seller', status: 'queued', ago: 20 * HOUR, due: 3 * HOUR },
  { of: 'demoInspected', kind: 'again', requestedBy: 'buyer', status: 'waiting', ago: 7 * HOUR, due: 41 * HOUR },
  { of: 'other', requestedBy: 'seller', status: 'claimed', ago: 6 * HOUR, due: 18 * HOUR, by: 'kefu2' },
  { of: 'other', requestedBy: 'seller', status: 'queued', ago: 5 * HOUR, due: 19 * HOUR },
  { of: 'demo', requestedBy: 'staff', status: 'waiting', ago: 3 * HOUR, due: 45 * HOUR },
  { of: 'inspected', kind: 'again', requestedBy: 'buyer', status: 'queued', ago: 2 * HOUR, due: 22 * HOUR },
];

/** Minutes before now at which a task was read or closed. */
export const endedAgo = ({ status, ago }: Plan): number => ago - (status === 'closed' ? CLOSED_AFTER : READ_AFTER);

/** A listing to be read. */
export interface Listing {
  id: number;
  distId: number;
  gameId: number;
  typeId: number;
  attrs: Record<string, unknown>;
}

/** The reading of a field. */
export interface Read {
  key: string;
  label: string;
  said: string;
  found: string;
  value: unknown;
  differs: boolean;
}

/** A planned task with its listing and its readings. */
export interface Planned {
  plan: Plan;
  id: number;
  goods: Listing;
  buyerId: number;
  reads: Read[];
  differs: number;
}

/** The proof of a reading: drawn by the server, as the listing's own pictures are. The seed stores no files. */
export const proofOf = (goods: Pick<Listing, 'id' | 'gameId'>): string[] =>
  [1, 2].map((n) => `../art/screen/${gameOf(goods.gameId).code}/${(goods.id % 900) + n}/0.svg`);
