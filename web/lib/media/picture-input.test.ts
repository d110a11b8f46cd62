import { afterEach, expect, test, vi } from 'vitest';
import { pictureInput } from './picture-input.ts';

afterEach(() => vi.unstubAllGlobals());

const acceptIn = (userAgent: string): string => {
  vi.stubGlobal('navigator', { userAgent });
  const input = { accept: pictureInput.accept };
  pictureInput.onClick({ currentTarget: input });
  return input.accept;
};

test('WeChat on Android is offered all pictures, every other browser the list of types', () => {
  expect(acceptIn('Mozilla/5.0 (Linux; Android 13) Chrome/116 MicroMessenger/8.0.42')).toBe('image/*');
  expect(acceptIn('Mozilla/5.0 (iPhone; CPU iPhone OS 17_0) MicroMessenger/8.0.42')).toBe('image/png,image/jpeg');
  expect(acceptIn('Mozilla/5.0 (Linux; Android 13) Chrome/130')).toBe('image/png,image/jpeg');
});
