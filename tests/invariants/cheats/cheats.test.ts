/**
 * Cheating never pays: `CHEAT_ACTS` acts (20,000) of random and guided search from `CHEAT_SEED` over the whole server, with the four
 * promises checked at the end of each world. A finding is reported as the shortest story that still breaks the promise.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { brokenInvariants } from '#server/slices/ledger/service.ts';
import { type Market, openMarket } from './market.ts';
import { search, shrink, storyOf } from './search.ts';

const ACTIONS = Number(process.env.CHEAT_ACTS ?? 20_000);
const SEED = Number(process.env.CHEAT_SEED ?? 1);
const SEATS = 8;

let market: Market;
beforeAll(async () => {
  market = await openMarket(SEATS);
}, 120_000);
afterAll(async () => await market.close());

test(`cheating gains nothing in ${ACTIONS} actions from seed ${SEED}`, {
  timeout: Math.max(1_800_000, ACTIONS * 90),
}, async () => {
  const result = await search(market, { actions: ACTIONS, seed: SEED, stop: () => true });
  console.log(
    `${result.actions} acts in ${result.worlds} worlds, ${Math.round(result.actions / result.seconds)} a second`,
  );
  // The search has met the whole trade, or finding nothing proves nothing.
  const met = new Set([...result.memory].filter(([, { done }]) => done > 0).map(([key]) => key.split('(')[0]));
  const wanted = [
    'buy',
    'honestBuys',
    'handOver',
    'open',
    'cancel',
    'dispute',
    'answer',
    'claim',
    'recover',
    'withdraw',
    'badRuling',
    'recycleSell',
    'recycleHandOver',
    'boostClaim',
    'boostReport',
    'boostCancel',
    'readAsk',
  ];
  const found = result.found[0];
  // The whole story and the setting of its world: a diff would show only the beginning.
  if (found) {
    const least = await shrink(market, found);
    expect.fail(
      `${storyOf(least)}\nseed ${found.seed}, ${JSON.stringify(least.setting)}\nas found:\n${storyOf(found)}`,
    );
  }
  if (ACTIONS >= 10_000) expect(wanted.filter((action) => !met.has(action))).toEqual([]);
  // The sales that prices of accounts are known from were put into the tables without their payments.
  const broken = await brokenInvariants(market.t.ctx.db);
  expect(broken.filter((b) => !b.startsWith('O2 order 90S'))).toEqual([]);
});
