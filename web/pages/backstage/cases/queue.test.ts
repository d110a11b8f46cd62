import { expect, test } from 'vitest';
import { scopeThatHas } from './queue.tsx';

const SCOPES = ['open', 'mine', 'closed'];
const at = (query: string, total: number, counts: Record<string, number>) =>
  scopeThatHas(new URLSearchParams(query), SCOPES, { total, counts });

test('a link by a word opens the scope that has what it names', () => {
  expect(at('keyWord=DS1', 0, { open: 0, mine: 0, closed: 1 })).toBe('?keyWord=DS1&scope=closed');
  expect(at('keyWord=DS1', 1, { open: 1, closed: 1 })).toBeNull();
});

test('what is nowhere is said where it was asked, and a chosen scope stays', () => {
  expect(at('keyWord=DS1', 0, { open: 0, mine: 0, closed: 0 })).toBeNull();
  expect(at('keyWord=DS1&scope=open', 0, { open: 0, closed: 1 })).toBeNull();
  expect(at('', 0, { open: 0, closed: 9 })).toBeNull();
});
