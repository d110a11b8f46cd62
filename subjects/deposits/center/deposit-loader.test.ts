import { expect, test } from 'vitest';
import { depositRoles } from '#subjects/deposits/contract/deposit.ts';
import { depositPath } from '#web/lib/pages/paths.ts';
import { BOOSTER, COMPANION } from '#subjects/services/center/role.ts';
import { depositRole } from './deposit-loader.ts';

const roleAt = (path: string) => depositRole(new URL(path, 'http://x.example').searchParams);

test("a role's link opens the deposit of that role, not the seller's", () => {
  for (const role of depositRoles) expect(roleAt(depositPath(role))).toBe(role);
  expect(roleAt(BOOSTER.deposit)).toBe('booster');
  expect(roleAt(COMPANION.deposit)).toBe('companion');
});

test('an address without a role, or with a wrong one, shows the seller', () => {
  expect(roleAt('/center/myself/depositWithdraw')).toBe('seller');
  expect(roleAt('/center/myself/depositWithdraw?role=admin')).toBe('seller');
});
