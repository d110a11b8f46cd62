import { expect, test } from 'vitest';
import { chosenOf, doubled, idsWith } from './guarantee-rules.ts';

const fix = { id: 11, kind: 'fixEnsure' as const, name: '找回包赔', coverText: '7 天内未追回即赔付' };
const face = { id: 2, kind: 'ensure' as const, name: '人脸包赔', coverText: '含找回包赔；不配合人脸同样赔付' };
const none = { ensureId: 0, fixEnsureId: 0 };

test('a click selects, a second one deselects, another of the kind replaces', () => {
  const chosen = idsWith(none, face);
  expect(chosen).toEqual({ ensureId: 2, fixEnsureId: 0 });
  expect(idsWith(chosen, face)).toEqual(none);
  expect(idsWith(chosen, { ...face, id: 3 })).toEqual({ ensureId: 3, fixEnsureId: 0 });
});

test('nothing is selected initially, and an id of the other kind is ignored', () => {
  expect(chosenOf([fix, face], none)).toEqual([]);
  expect(chosenOf([fix, face], { ensureId: 11, fixEnsureId: 2 })).toEqual([]);
  expect(chosenOf([fix, face], { ensureId: 2, fixEnsureId: 11 })).toEqual([fix, face]);
});

test('reports when one guarantee includes the other', () => {
  expect(doubled([fix, face])).toEqual({ wider: '人脸包赔', narrower: '找回包赔' });
  expect(doubled([face])).toBeNull();
});
