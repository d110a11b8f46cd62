import { expect, test } from 'vitest';
import { type Colleague, receivers } from './colleagues.ts';

const one = (staffId: number, load: number, more: Partial<Colleague> = {}): Colleague => ({
  staffId,
  name: `客服${staffId}`,
  imUid: `s${staffId}`,
  load,
  maxChats: 10,
  online: true,
  ...more,
});

const ids = (list: readonly Colleague[]) => list.map(({ staffId }) => staffId);

test('neither the caller nor the one who has the conversation is offered', () => {
  const list = [one(1, 0), one(2, 1), one(3, 2)];
  expect(ids(receivers(list, [1, 3]))).toEqual([2]);
  expect(ids(receivers(list, [1, null]))).toEqual([2, 3]);
});

test('the one with most room comes first, and whoever is offline or takes none last', () => {
  const list = [
    one(1, 0, { online: false }),
    one(2, 5),
    one(3, 5, { maxChats: 100 }),
    one(4, 0, { maxChats: 0 }),
    one(5, 1),
  ];
  expect(ids(receivers(list, []))).toEqual([3, 5, 2, 4, 1]);
});
