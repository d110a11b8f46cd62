import { expect, test } from 'vitest';
import { draftOf } from './grid-draft.ts';
import { changesOf, unsavedOf } from './grid-edits.ts';

test('a stored draft is read back, cell by cell', () => {
  const draft = {
    edits: { G1: { price: '12.50', act: 'pull' }, G2: { bigTitle: '新标题' } },
    origins: { G1: { price: '10.00', act: '' }, G2: { bigTitle: '旧标题' } },
  };
  expect(draftOf(JSON.stringify(draft))).toEqual(draft);
});

test('stored values that are not edits are dropped', () => {
  const none = { edits: {}, origins: {} };
  for (const stored of [null, 'null', 'not JSON', '[]', '{"G1":{"price":"1"}}']) expect(draftOf(stored)).toEqual(none);
  const edits = { G1: { price: 12, other: 'x' }, G2: null, G3: { stock: '4', price: null } };
  expect(draftOf(JSON.stringify({ edits })).edits).toEqual({ G3: { stock: '4' } });
});

test('changes are sent with what their cells had', () => {
  const edits = { G1: { price: '12.50', stock: '3' }, G2: { bigTitle: '新标题' } };
  const origins = { G1: { price: '10.00', stock: '1' }, G2: { bigTitle: '旧标题' } };
  expect(changesOf(edits, origins)).toEqual([
    { goodsSn: 'G1', price: '12.50', stock: '3', was: { price: '10.00', stock: '1' } },
    { goodsSn: 'G2', bigTitle: '新标题', was: {} },
  ]);
});

test('cells that were typed while others were saved, and refused rows, stay', () => {
  const sent = { G1: { price: '12', stock: '3' }, G2: { price: '5' }, G3: { stock: '1' } };
  const now = { ...sent, G1: { price: '13', stock: '3' }, G4: { stock: '9' } };
  expect(unsavedOf(now, sent, new Set(['G2']))).toEqual({
    G1: { price: '13' },
    G2: { price: '5' },
    G4: { stock: '9' },
  });
});
