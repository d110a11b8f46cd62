import { expect, test } from 'vitest';
import {
  reviewLevelOf,
  reviewLevels,
  reviewLevelScores,
  reviewParts,
  reviewReportStatuses,
  suggestedTags,
} from './review.ts';
import { BUYS, SELLS } from '#contract/rules/parties.ts';

test('one and two stars are bad, three is fair, four and five are good, as the filter’s bounds say', () => {
  expect([1, 2, 3, 4, 5].map(reviewLevelOf)).toEqual(['bad', 'bad', 'fair', 'good', 'good']);
  for (const level of reviewLevels) {
    const [least, most] = reviewLevelScores[level];
    expect([reviewLevelOf(least), reviewLevelOf(most)]).toEqual([level, level]);
  }
  const levelsOf = (score: number) =>
    reviewLevels.filter((level) => reviewLevelScores[level][0] <= score && score <= reviewLevelScores[level][1]);
  expect([1, 2, 3, 4, 5].map(levelsOf)).toEqual([['bad'], ['bad'], ['fair'], ['good'], ['good']]);
});

test('phrases about bindings are suggested for accounts only, each to one party, and shipping for no service', () => {
  const [account, items, boosting, companion] = [1, 27, 60, 61];
  expect(suggestedTags(BUYS, account)).toEqual(expect.arrayContaining(['换绑配合', '发货快']));
  expect(suggestedTags(SELLS, account)).toContain('配合换绑');
  expect(suggestedTags(BUYS, account)).not.toContain('配合换绑');
  expect(suggestedTags(BUYS, items)).toContain('发货快');
  for (const type of [items, boosting, companion])
    for (const party of [BUYS, SELLS]) expect(suggestedTags(party, type).join()).not.toContain('换绑');
  for (const type of [boosting, companion]) {
    expect(suggestedTags(BUYS, type)).not.toContain('发货快');
    expect(suggestedTags(BUYS, type)).toContain('态度好');
  }
});

test('both parts can be reported, and a report has three states', () => {
  expect(reviewParts).toEqual(['review', 'answer']);
  expect(reviewReportStatuses).toEqual(['waiting', 'kept', 'hidden']);
});
