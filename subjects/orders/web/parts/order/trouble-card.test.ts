import { expect, test } from 'vitest';
import { BOOSTING, COMPANION_PLAY } from '../../../rules/order-types.ts';
import { cancelText, type TroubleOrder } from './trouble-card.tsx';

const order = (part: Partial<TroubleOrder>): TroubleOrder =>
  ({
    status: 1,
    viewer: 'seller',
    acts: [],
    cancelAsked: false,
    disputed: false,
    tradedTypeId: BOOSTING,
    ...part,
  }) as TroubleOrder;

test('how a service is cancelled depends on whether it was accepted', () => {
  expect(cancelText(order({}), true)).toContain('按进度结算');
  expect(cancelText(order({ tradedTypeId: COMPANION_PLAY }), true)).toContain('按实际分钟结算');
  expect(cancelText(order({}), false)).toContain('拒绝');
  expect(cancelText(order({ viewer: 'buyer' }), false)).toContain('全额退还给您');
});

test('a disputed order is not cancelled but ruled on', () => {
  for (const viewer of ['buyer', 'seller'] as const)
    for (const tradedTypeId of [1, BOOSTING])
      expect(cancelText(order({ viewer, tradedTypeId, disputed: true, cancelAsked: true }), true)).toContain(
        '由裁决决定',
      );
});
