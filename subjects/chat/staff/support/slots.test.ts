import { expect, test } from 'vitest';
import { closing, opening, slotsOf } from './slots.ts';

const at = (query: string) => new URLSearchParams(query);

test('a link to one conversation opens only that', () => {
  expect(slotsOf(at('scope=mine&g=12'))).toEqual(['12']);
  expect(slotsOf(at('scope=mine'))).toEqual([]);
  expect(slotsOf(at('g=12&w=12,x,12,99999999999999999'))).toEqual(['12']);
});

test('three are open side by side; a fourth replaces the one in focus', () => {
  let search = at('scope=mine');
  for (const id of ['1', '2', '3']) search = opening(search, id);
  expect(slotsOf(search)).toEqual(['1', '2', '3']);
  search = opening(search, '2');
  expect(search.get('g')).toBe('2');
  search = opening(search, '9');
  expect(slotsOf(search)).toEqual(['1', '9', '3']);
  expect(search.get('g')).toBe('9');
});

test('a closed one passes its place and its focus to a neighbour', () => {
  const three = at('g=2&w=1,2,3');
  expect(closing(three, '2').toString()).toBe(at('g=1&w=1,3').toString());
  expect(closing(three, '3').get('g')).toBe('2');
  expect(closing(at('g=2&w=2'), '2').toString()).toBe('');
});

test('the one in focus is open even when the URL names three others', () => {
  expect(slotsOf(at('g=9&w=1,2,3'))).toEqual(['1', '2', '9']);
});
