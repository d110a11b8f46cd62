import type { GameSeed } from '#db/catalogue/types.ts';
import type { RecycleState } from '#subjects/recycling/server/accounts/states.ts';
import type { Cut } from '#subjects/valuation/server/cuts.ts';
import type { Floor } from '#subjects/valuation/server/floor.ts';
import type { Person } from '../people/people.ts';

const DAY = 1440;

/** A bid: who (place among the recyclers, or the platform), how much above the floor in percent, and how long after the start. */
export interface BidPlan {
  by: number | 'platform';
  above: number;
  after: number;
}

/** One request of the demo, by where it has come to. Times in minutes. */
export interface RequestPlan {
  game: string;
  /** Place of the seller among the people; `stranger` = the n-th of the others. */
  seller: number | { stranger: number };
  status: RecycleState;
  typicalFen: number;
  /** Without a floor: above its limit. */
  floored: boolean;
  bids: readonly BidPlan[];
  /** The bid that was best, or taken. */
  accepted?: number;
  ago: number;
  /** Accepted so many minutes after the start. */
  acceptedAfter?: number;
  /** The account was handed over as a sealed form. */
  sealed?: boolean;
  /** The inspection found less than was stated. */
  differs?: boolean;
  endedAfter?: number;
  /** When the clock that runs ends, from now. */
  dueIn?: number;
  reason?: string;
}

/** One bid with its money. */
export interface SeedBid {
  id: number;
  recyclerId: number;
  amountFen: number;
  feeFen: number;
  ago: number;
  isTaken: boolean;
  isPlatform: boolean;
}

export interface Reading {
  field: string;
  label: string;
  said: string;
  found: string;
  cutFen: number;
}

/** A stored request. */
export interface SeedRequest {
  id: number;
  sn: string;
  plan: RequestPlan;
  game: GameSeed;
  areaId: number | null;
  seller: Person;
  attrs: Record<string, unknown>;
  cuts: Cut[];
  floor: Floor | null;
  bids: SeedBid[];
  accepted: SeedBid | undefined;
  readings: Reading[];
  cutFen: number;
  /** Set once its order is stored. */
  orderId: number | null;
}

const platform: BidPlan = { by: 'platform', above: 0, after: 0 };
const bid = (by: number, above: number, after: number): BidPlan => ({ by, above, after });

/**
 * Requests in every state. The demo seller (1) has two in progress and one of each end, the demo shop (5) those being inspected; strangers
 * have those that the demo buyer (the first recycler) can bid on. Bidding takes ten minutes in the market; here it lasts a day or more, so that
 * visitors of the demo find it open (decision 299).
 */
export const REQUESTS: readonly RequestPlan[] = [
  {
    game: 'dnf',
    seller: 5,
    status: 'closed',
    typicalFen: 62_000,
    floored: true,
    bids: [platform, bid(2, 4, 6)],
    accepted: 1,
    ago: 16 * DAY,
    acceptedAfter: 30,
    endedAfter: 150,
    reason: '没有按时提交账号',
  },
  {
    game: 'hpjy',
    seller: 1,
    status: 'withdrawn',
    typicalFen: 48_000,
    floored: true,
    bids: [platform, bid(1, 3, 4)],
    ago: 14 * DAY,
    endedAfter: 8,
  },
  {
    game: 'dnf',
    seller: 1,
    status: 'expired',
    typicalFen: 1_280_000,
    floored: false,
    bids: [],
    ago: 12 * DAY,
    endedAfter: 10,
    reason: '没有人出价',
  },
  {
    game: 'wzry',
    seller: 1,
    status: 'declined',
    typicalFen: 96_000,
    floored: true,
    bids: [platform, bid(1, 5, 3), bid(2, 9, 5)],
    accepted: 2,
    ago: 9 * DAY,
    acceptedAfter: 25,
    sealed: true,
    differs: true,
    endedAfter: 300,
    reason: '验号有差异，卖家免费取回账号',
  },
  {
    game: 'hpjy',
    seller: 5,
    status: 'paid',
    typicalFen: 74_000,
    floored: true,
    bids: [platform],
    accepted: 0,
    ago: 8 * DAY,
    acceptedAfter: 5,
    sealed: true,
    differs: true,
    endedAfter: 210,
  },
  {
    game: 'wzry',
    seller: 1,
    status: 'paid',
    typicalFen: 118_000,
    floored: true,
    bids: [platform, bid(1, 6, 2), bid(0, 11, 7)],
    accepted: 2,
    ago: 6 * DAY,
    acceptedAfter: 40,
    sealed: true,
    endedAfter: 170,
  },
  {
    game: 'ys',
    seller: 1,
    status: 'expired',
    typicalFen: 66_000,
    floored: true,
    bids: [platform, bid(2, 5, 6)],
    accepted: 1,
    ago: 4 * DAY,
    endedAfter: DAY + 10,
    reason: '24 小时内没有接受',
  },
  {
    game: 'wzry',
    seller: 5,
    status: 'reconfirm',
    typicalFen: 132_000,
    floored: true,
    bids: [platform, bid(0, 4, 3), bid(1, 8, 8)],
    accepted: 2,
    ago: 420,
    acceptedAfter: 30,
    sealed: true,
    differs: true,
    dueIn: 1_200,
  },
  {
    game: 'hpjy',
    seller: 5,
    status: 'accepted',
    typicalFen: 58_000,
    floored: true,
    bids: [platform, bid(0, 7, 5)],
    accepted: 1,
    ago: 150,
    acceptedAfter: 20,
    sealed: true,
    dueIn: 30,
  },
  {
    game: 'wzry',
    seller: 1,
    status: 'quoted',
    typicalFen: 142_000,
    floored: true,
    bids: [platform, bid(2, 3, 3), bid(1, 7, 6)],
    accepted: 2,
    ago: 50,
    dueIn: DAY - 40,
  },
  {
    game: 'ys',
    seller: { stranger: 4 },
    status: 'bidding',
    typicalFen: 88_000,
    floored: true,
    bids: [platform],
    ago: 5,
    dueIn: DAY + 55,
  },
  {
    game: 'wzry',
    seller: { stranger: 2 },
    status: 'bidding',
    typicalFen: 640_000,
    floored: false,
    bids: [bid(1, 2, 2)],
    ago: 4,
    dueIn: DAY + 240,
  },
  {
    game: 'hpjy',
    seller: { stranger: 1 },
    status: 'bidding',
    typicalFen: 52_000,
    floored: true,
    bids: [platform, bid(0, 5, 1)],
    ago: 3,
    dueIn: DAY + 600,
  },
  {
    game: 'hpjy',
    seller: 1,
    status: 'bidding',
    typicalFen: 83_000,
    floored: true,
    bids: [platform, bid(1, 4, 1), bid(2, 6, 2)],
    ago: 2,
    dueIn: DAY + 30,
  },
];
