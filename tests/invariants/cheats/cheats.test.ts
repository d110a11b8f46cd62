/**
 * Cheating never pays: `CHEAT_ACTS` acts (20,000) of random and guided search from `CHEAT_SEED` over the whole server, with the four
 * promises checked at the end of each world. A finding is reported as the shortest story that still breaks the promise.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { brokenInvariants } from '#server/slices/ledger/service.ts';
import { type Market, openMarket } from './market.ts';
import { search, searchUnmet, shrink, storyOf } from './search.ts';

const ACTIONS = Number(process.env.CHEAT_ACTS ?? 20_000);
const SEED = Number(process.env.CHEAT_SEED ?? 1);
const SEATS = 8;
/** How long an act that was not met is searched for. */
const UNMET_ACTIONS = 1500;
/** What the search has to meet, or finding nothing proves nothing: the whole trade. */
const WANTED = [
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
] as const;

let market: Market;
beforeAll(async () => {
  market = await openMarket(SEATS);
}, 300_000);
afterAll(async () => await market.close());

test(`cheating gains nothing in ${ACTIONS} actions from seed ${SEED}`, {
  timeout: Math.max(1_800_000, ACTIONS * 90),
}, async () => {
  const result = await search(market, { actions: ACTIONS, seed: SEED, stop: () => true });
  console.log(
    `${result.actions} acts in ${result.worlds} worlds, ${Math.round(result.actions / result.seconds)} a second`,
  );
  // Which acts chance leaves out depends on how calls of worlds side by side meet: those are searched for by name.
  const { unmet, found: more } =
    ACTIONS >= 10_000 && result.found.length === 0
      ? await searchUnmet(market, {
          memory: result.memory,
          names: WANTED,
          seed: SEED + ACTIONS,
          actions: UNMET_ACTIONS,
        })
      : { unmet: [], found: [] };
  const found = result.found[0] ?? more[0];
  // The whole story and the setting of its world: a diff would show only the beginning.
  if (found) {
    const least = await shrink(market, found);
    expect.fail(
      `${storyOf(least)}\nseed ${found.seed}, ${JSON.stringify(least.setting)}\nas found:\n${storyOf(found)}`,
    );
  }
  expect(unmet).toEqual([]);
  // The sales that prices of accounts are known from were put into the tables without their payments.
  const broken = await brokenInvariants(market.t.ctx.db);
  expect(broken.filter((b) => !b.startsWith('O2 order 90S'))).toEqual([]);
});
