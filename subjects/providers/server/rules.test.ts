import { expect, test } from 'vitest';
import { MAY_APPLY, providerStatusName } from './rules.ts';

test('a rejected or departed provider may apply again', () => {
  expect(MAY_APPLY.map(providerStatusName)).toEqual(['未通过', '已退出']);
});
