import { expect, test } from 'vitest';
import { serviceQuality } from './service-quality.ts';

const best = { groups: 10, solved: 10, score: 5, firstReplySeconds: 20 };

test('the best figures give 100, the worst 0', () => {
  expect(serviceQuality(best)).toBe(100);
  expect(serviceQuality({ groups: 10, solved: 0, score: 1, firstReplySeconds: 4000 })).toBe(0);
});

test('each part has its documented weight', () => {
  expect(serviceQuality({ ...best, score: 3 })).toBe(75);
  expect(serviceQuality({ ...best, firstReplySeconds: 330 })).toBe(85);
  expect(serviceQuality({ ...best, solved: 5 })).toBe(90);
});

test('a part without cases passes its weight to the others', () => {
  expect(serviceQuality({ ...best, score: null })).toBe(100);
  expect(serviceQuality({ ...best, score: null, firstReplySeconds: null, solved: 5 })).toBe(50);
});

test('too few cases give null', () => {
  expect(serviceQuality({ ...best, groups: 4, solved: 4 })).toBeNull();
});

test('the bounds of cases, of the first reply and of solved cases', () => {
  expect([4, 5, 6].map((groups) => serviceQuality({ ...best, groups, solved: groups }))).toEqual([null, 100, 100]);
  const reply = (firstReplySeconds: number) => serviceQuality({ ...best, score: null, solved: 0, firstReplySeconds });
  // Of 50 points for reply and solved cases, 30 are for the reply; 5.4 seconds more cost one percent of them.
  expect([59, 60, 65.4, 66, 594, 600, 601].map(reply)).toEqual([60, 60, 59, 59, 1, 0, 0]);
  expect(serviceQuality({ ...best, solved: 11 })).toBe(100);
});
