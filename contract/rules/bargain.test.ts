import { describe, expect, it } from 'vitest';
import { type BargainAction, type BargainSide, bargainActions, bargainNext, bargainStatusName } from './bargain.ts';

const sides: BargainSide[] = ['buyer', 'seller'];
const acts: BargainAction[] = ['agree', 'refuse', 'counter', 'withdraw', 'order'];
const states = [0, 1, 2, 3, 4, 5, 6, 7, 8];

describe('offers', () => {
  it('lead where domain.md says, and nowhere else', () => {
    const steps = sides.flatMap((side) =>
      states.flatMap((status) =>
        acts.flatMap((act) => {
          const next = bargainNext(side, status, act);
          return next === null ? [] : [`${side} ${status} ${act} ${next}`];
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

  it('offer no button once ended', () => {
    expect(sides.flatMap((side) => [4, 5, 6, 7, 8].flatMap((status) => bargainActions(side, status)))).toEqual([]);
  });

  it('have a name in every state', () => {
    expect(new Set(states.map(bargainStatusName)).size).toBe(states.length);
  });
});
