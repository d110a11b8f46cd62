import { expect, test } from 'vitest';
import { emptyContent } from '#subjects/distributors/contract/brand-content.ts';
import { brandErrors } from './brand-errors.ts';

const link = { title: '关于', url: '/news/about' };
const sent = { ...emptyContent('星河网游'), menus: [link, { ...link, url: '' }], partners: [link] };
const text = '链接不能用';
const attempt = { content: sent, errors: { 'partners.0.url': { text }, hotGames: { text }, send: { text } } };

test('a message about a list goes with any change of the list, and the others stay', () => {
  expect(brandErrors(sent, attempt)).toMatchObject({ 'partners.0.url': { text }, hotGames: { text } });
  const removed = brandErrors({ ...sent, partners: [] }, attempt);
  expect(removed).not.toHaveProperty(['partners.0.url']);
  expect(removed).toMatchObject({ hotGames: { text } });
});

test('the faults of the present content are told before and after an attempt, as long as they are there', () => {
  const menus = sent.menus.slice(0, 1);
  expect(brandErrors(sent, { content: sent, errors: {} })).toHaveProperty(['menus.1.url']);
  expect(brandErrors({ ...sent, menus }, attempt)).not.toHaveProperty(['menus.1.url']);
  // The check before sending finds the same errors: a fixed error is no longer shown after the edit, a new one is.
  const checked = { content: sent, errors: { 'menus.1.url': { text } } };
  expect(brandErrors({ ...sent, menus }, checked)).toEqual({});
  expect(brandErrors({ ...sent, menus: [{ ...link, url: '' }] }, checked)).toHaveProperty(['menus.0.url']);
});

test('an error of the whole attempt is not shown at a field', () => {
  expect(brandErrors(sent, attempt)).not.toHaveProperty('send');
});
