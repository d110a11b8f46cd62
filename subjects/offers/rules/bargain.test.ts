import { describe, expect, it } from 'vitest';
import {
  type BargainAction,
  type BargainParty,
  bargainActions,
  bargainNext,
  bargainStatusName,
  ENDED_TAB,
} from './bargain.ts';

const parties: BargainParty[] = ['buyer', 'seller'];
const actions: BargainAction[] = ['agree', 'refuse', 'counter', 'withdraw', 'order'];
const states = [0, 1, 2, 3, 4, 5, 6, 7, 8];

describe('offers', () => {
  it('have no state with the value that lists the ended ones', () => {
    expect(states).not.toContain(ENDED_TAB);
  });

  it('have the transitions of domain.md and no others', () => {
    const steps = parties.flatMap((party) =>
      states.flatMap((status) =>
        actions.flatMap((action) => {
          const next = bargainNext(party, status, action);
          return next === null ? [] : [`${party} ${status} ${action} ${next}`];
        }),
      ),
    );
    expect(steps).toEqual([
      'buyer 0 withdraw 8',
      'buyer 1 order 7',
      'buyer 2 agree 3',
      'buyer 2 refuse 5',
      'buyer 3 order 7',
      'seller 0 agree 1',
      'seller 0 refuse 4',
      'seller 0 counter 2',
    ]);
  });

  it('have no actions once ended', () => {
    expect(parties.flatMap((party) => [4, 5, 6, 7, 8].flatMap((status) => bargainActions(party, status)))).toEqual([]);
  });

  it('have a name in every state', () => {
    for (const party of parties)
      expect(new Set(states.map((status) => bargainStatusName(party, status))).size).toBe(states.length);
    expect([bargainStatusName('buyer', 3), bargainStatusName('seller', 0)]).toEqual(['您已同意还价', '待您回复']);
  });
});
