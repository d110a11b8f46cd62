import { expect, test } from 'vitest';
import {
  bindingTags,
  reviewLevelOf,
  reviewLevels,
  reviewLevelScores,
  reviewParts,
  reviewReportStatuses,
  reviewTags,
} from './review.ts';
import { BUYS, SELLS } from '#contract/rules/parties.ts';

test('one and two stars are bad, three is fair, four and five are good, as the filter’s bounds say', () => {
  expect([1, 2, 3, 4, 5].map(reviewLevelOf)).toEqual(['bad', 'bad', 'fair', 'good', 'good']);
  for (const level of reviewLevels) {
    const [least, most] = reviewLevelScores[level];
    expect([reviewLevelOf(least), reviewLevelOf(most)]).toEqual([level, level]);
  }
});

test('each phrase about bindings is one of the suggested phrases of exactly one party', () => {
  expect(bindingTags.size).toBe(2);
  for (const tag of bindingTags)
    expect([reviewTags[BUYS]?.includes(tag), reviewTags[SELLS]?.includes(tag)].filter(Boolean)).toHaveLength(1);
});

test('both parts can be reported, and a report has three states', () => {
  expect(reviewParts).toEqual(['review', 'answer']);
  expect(reviewReportStatuses).toEqual(['waiting', 'kept', 'hidden']);
});
