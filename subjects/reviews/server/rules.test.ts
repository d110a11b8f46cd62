import { expect, test } from 'vitest';
import { REVIEW_TAGS_MAX, reviewTags } from '../rules/review.ts';
import { maskedBuyer, validTags } from './rules.ts';

test('a buyer is shown by the first and last character, a short name by the first, none as a player', () => {
  expect(['王者归来', '小明王', '小明', '明', '', '🐉大大王'].map(maskedBuyer)).toEqual([
    '王**来',
    '小**王',
    '小**',
    '明**',
    '玩**',
    '🐉**王',
  ]);
});

test('tags are those of the party, in the form’s order and once, no more than the limit', () => {
  expect(validTags('buyer', ['态度好', '描述相符', '描述相符', '付款及时', '好吃'])).toEqual(['描述相符', '态度好']);
  expect(validTags('seller', ['态度好', '描述相符', '付款及时'])).toEqual(['付款及时', '态度好']);
  expect(validTags('buyer', [])).toEqual([]);
  expect(REVIEW_TAGS_MAX).toBe(6);
});

test('every tag may be chosen, up to the limit, and the form’s first ones count', () => {
  for (const [party, belong] of [
    ['buyer', 0],
    ['seller', 1],
  ] as const) {
    const all = reviewTags[belong] ?? [];
    expect(all.length).toBeGreaterThan(1);
    expect(validTags(party, all.toReversed())).toEqual(all.slice(0, REVIEW_TAGS_MAX));
  }
});
