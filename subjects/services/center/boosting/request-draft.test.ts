import { expect, test } from 'vitest';
import { rankText, starsText } from './request-draft.ts';

test('stars that are typed as a number get their unit, other texts stay', () => {
  expect(rankText('最强王者', starsText('7'))).toBe('最强王者 7星');
  expect([starsText('10星'), starsText(''), starsText('三')]).toEqual(['10星', '', '三']);
});
