import { expect, test } from 'vitest';
import { protectionText } from './protection.ts';

test('the protection names its days and hours, or none where no trade is known', () => {
  expect(protectionText({ inspectHours: 72, holdHours: 168 })).toBe('验收最长 3 天，确认后再保护 7 天，其间均可申诉');
  expect(protectionText({ inspectHours: 24, holdHours: 30 })).toBe('验收最长 1 天，确认后再保护 30 小时，其间均可申诉');
  expect(protectionText({ inspectHours: 24, holdHours: 0 })).toBe('验收最长 1 天，其间可申诉，确认后立即放款');
  expect(protectionText(null)).not.toMatch(/\d/);
});
