import { expect, test } from 'vitest';
import { COMPANION_PLAY } from './order-types.ts';
import { inspectHoursOf, protectionText } from './protection.ts';

test('the protection names its days and hours, or none where no trade is known', () => {
  expect(protectionText({ inspectHours: 72, holdHours: 168 })).toBe('验收最长 3 天，确认后再保护 7 天，其间均可申诉');
  expect(protectionText({ inspectHours: 24, holdHours: 30 })).toBe('验收最长 1 天，确认后再保护 30 小时，其间均可申诉');
  expect(protectionText({ inspectHours: 24, holdHours: 0 })).toBe('验收最长 1 天，其间可申诉，确认后立即放款');
  expect(protectionText(null)).not.toMatch(/\d/);
});

test.each([
  [24, 72, '验收最长 1 天，确认后再保护 3 天，其间均可申诉'],
  [23, 25, '验收最长 23 小时，确认后再保护 25 小时，其间均可申诉'],
  [48, 1, '验收最长 2 天，确认后再保护 1 小时，其间均可申诉'],
  [12, 0, '验收最长 12 小时，其间可申诉，确认后立即放款'],
  [0, 24, '结算后再保护 1 天，其间均可申诉'],
  [0, 0, '结算后立即放款'],
])('%i hours to inspect and %i of hold', (inspectHours, holdHours, text) => {
  expect(protectionText({ inspectHours, holdHours })).toBe(text);
});

test('companion play has no time to inspect, since its minutes are settled', () => {
  expect(inspectHoursOf(COMPANION_PLAY, 259_200)).toBe(0);
  expect(inspectHoursOf(1, 259_200)).toBe(72);
});

test('without a known trade it names no figures', () => {
  expect(protectionText(null)).toBe('验收期内可申诉，确认后货款继续冻结一段保护期，其间均可申诉');
});
