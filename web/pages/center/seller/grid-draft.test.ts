import { expect, test } from 'vitest';
import { editsOf } from './grid-draft.ts';

test('stored edits are read back, cell by cell', () => {
  const edits = { G1: { price: '12.50', act: 'pull' }, G2: { bigTitle: '新标题' } };
  expect(editsOf(JSON.stringify(edits))).toEqual(edits);
});

test('what is not an edit is left out', () => {
  expect(editsOf(null)).toEqual({});
  expect(editsOf('not JSON')).toEqual({});
  expect(editsOf('[]')).toEqual({});
  expect(editsOf(JSON.stringify({ G1: { price: 12, other: 'x' }, G2: null, G3: { stock: '4', price: null } }))).toEqual(
    {
      G3: { stock: '4' },
    },
  );
});
