import { expect, it } from 'vitest';
import { IMAGE_MAX_BYTES, imageProblem, TOP_UP_MAX_POLLS, TOP_UP_POLL_MS, unreadText } from './limits.ts';

it('shows at most 99 unread', () => {
  expect([0, 99, 100].map(unreadText)).toEqual(['0', '99', '99+']);
});

it('takes PNG and JPEG up to 10 MB', () => {
  expect(imageProblem('image/png', IMAGE_MAX_BYTES)).toBeNull();
  for (const vague of ['', 'application/octet-stream', 'image/jpg', 'image/pjpeg', 'image/heic'])
    expect(imageProblem(vague, 1), vague).toBeNull();
  expect(imageProblem('image/jpeg', IMAGE_MAX_BYTES + 1)).toBe('图片大小不能超过10M');
  expect(imageProblem('image/gif', 1)).toBe('图片格式错误，请上传JPEG/JPG/PNG');
});

it('polls a top-up for five minutes', () => {
  expect(TOP_UP_POLL_MS * TOP_UP_MAX_POLLS).toBe(300_000);
});
