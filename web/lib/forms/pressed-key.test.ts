import { expect, test } from 'vitest';
import { pressedKey } from './pressed-key.ts';

const press = (more: Partial<KeyboardEvent>) => ({ key: 'Enter', keyCode: 13, isComposing: false, ...more });

test('a key is itself outside of a composition', () => {
  expect(pressedKey(press({}))).toBe('Enter');
  expect(pressedKey({ nativeEvent: press({ key: 'ArrowDown', keyCode: 40 }) as KeyboardEvent })).toBe('ArrowDown');
});

test('a key of an input method is none: during the composition, and the Enter with which Safari ends it', () => {
  expect(pressedKey(press({ isComposing: true }))).toBe('');
  expect(pressedKey(press({ keyCode: 229 }))).toBe('');
  expect(pressedKey({ nativeEvent: press({ key: 'Escape', keyCode: 229 }) as KeyboardEvent })).toBe('');
});
