import { expect, test } from 'vitest';
import { pressedKey } from './pressed-key.ts';

const keyEvent = (more: Partial<KeyboardEvent>) => ({ key: 'Enter', keyCode: 13, isComposing: false, ...more });

test('a key is itself outside of a composition', () => {
  expect(pressedKey(keyEvent({}))).toBe('Enter');
  expect(pressedKey({ nativeEvent: keyEvent({ key: 'ArrowDown', keyCode: 40 }) as KeyboardEvent })).toBe('ArrowDown');
});

test('a key of an input method is none: during the composition, and the Enter with which Safari ends it', () => {
  expect(pressedKey(keyEvent({ isComposing: true }))).toBe('');
  expect(pressedKey(keyEvent({ keyCode: 229 }))).toBe('');
  expect(pressedKey({ nativeEvent: keyEvent({ key: 'Escape', keyCode: 229 }) as KeyboardEvent })).toBe('');
});
