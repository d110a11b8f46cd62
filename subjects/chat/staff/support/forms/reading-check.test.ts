import { expect, test } from 'vitest';
import { checkText, readingState } from './reading-check.ts';

test('a reading is compared by its meaning', () => {
  expect(readingState('1.86 亿', '1.86亿')).toBe('same');
  expect(readingState('3,000', '３０００')).toBe('same');
  expect(readingState('顶级', '高级')).toBe('other');
  expect(readingState('顶级', ' ')).toBe('none');
});

test('the message lists what agrees, what differs and what is missing', () => {
  const attrs = [
    { label: '哈夫币', value: '1.86 亿' },
    { label: '安全箱', value: '顶级' },
    { label: '绑定邮箱', value: '未绑定' },
  ];
  expect(checkText(attrs, { 哈夫币: '1.86亿', 安全箱: '高级' })).toBe(
    '已核对 1 项，与商品页一致；安全箱商品页写 顶级，实际 高级；还差绑定邮箱。',
  );
  expect(checkText(attrs, { 哈夫币: '1.86 亿', 安全箱: '顶级', 绑定邮箱: '未绑定' })).toBe(
    '已核对 3 项，与商品页一致。',
  );
});
