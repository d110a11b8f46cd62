/** The listings that journeys trade in. */
import { expect } from '@playwright/test';
import { callAs } from './calls.ts';
import type { Person } from './people.ts';

/** A listing as its seller's list shows it. */
export interface Own {
  goodsSn: string;
  bigTitle: string;
  price: string;
  pageUrl: string;
  gameId: number;
  goodsTypeId: number;
  bargainOpen: boolean;
  refreshTime: string;
}

const ACCOUNT = 1;
/** Part of the titles of listings that journeys publish themselves, at the same time as others buy. */
const MADE_HERE = '旅程';

/** Lists the demo seller's listings on sale, newest first. */
export async function ownListings(seller: Person): Promise<Own[]> {
  const { list } = await callAs<{ list: Own[] }>(seller, '/api/goods/selfPublishGoodsList?status=2&pageSize=50');
  const own = list.filter(({ bigTitle }) => !bigTitle.includes(MADE_HERE));
  expect(own.length, 'the demo seller has listings on sale').toBeGreaterThan(0);
  return own;
}

/** The accounts among them. */
export const ownAccounts = async (seller: Person): Promise<Own[]> =>
  (await ownListings(seller)).filter(({ goodsTypeId }) => goodsTypeId === ACCOUNT);
