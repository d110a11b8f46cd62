import { expect, test } from 'vitest';
import { IMAGE_MAX_BYTES } from '#contract/rules/limits.ts';
import { isRedrawn, pictureError } from './picture-kinds.ts';

test('PNG and JPEG up to 10 MB are accepted', () => {
  expect(pictureError({ type: 'image/png', size: 10_000 * 1024 })).toBeNull();
  expect(pictureError({ type: 'image/jpeg', size: 1 })).toBeNull();
});

test('kinds of which a page makes a JPEG are accepted up to the same size', () => {
  expect(pictureError({ type: 'image/webp', size: IMAGE_MAX_BYTES })).toBeNull();
  expect(pictureError({ type: 'image/webp', size: IMAGE_MAX_BYTES + 1 })).not.toBeNull();
  expect(['image/avif', 'ximage/avif', 'image/avifs', 'image/png'].map(isRedrawn)).toEqual([true, false, false, false]);
});

test('other kinds and larger ones are rejected with the specification’s messages', () => {
  expect(pictureError({ type: 'image/svg+xml', size: 1 })).toBe('图片格式错误，请上传JPEG/JPG/PNG');
  expect(pictureError({ type: 'image/png', size: 10_001 * 1024 })).toBe('图片大小不能超过10M');
});
