import { expect, test } from 'vitest';
import { protectionText } from './protection.ts';

test('the protection names its days, or none where no seller is known', () => {
  expect(protectionText(168)).toBe('验收最长 3 天，确认收货后再保护 7 天，其间都可以申诉');
  expect(protectionText(30)).toContain('再保护 30 小时');
  expect(protectionText()).toBe('验收最长 3 天，确认收货后货款继续冻结一段保护期，其间都可以申诉');
});
