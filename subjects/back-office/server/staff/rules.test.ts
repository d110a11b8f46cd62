/** Rules for staff who grant permissions or change colleagues. */
import { describe, expect, test } from 'vitest';
import { type StaffPermission, staffPermissionNames } from '../../rules/staff.ts';
import {
  ADMIN_ROLE,
  FIXED_ROLES,
  type Holder,
  mayGive,
  mayManage,
  notGivable,
  permissionText,
  reaches,
  rejectBreached,
} from './rules.ts';

const holder = (more: Partial<Holder> = {}): Holder => ({
  id: 1,
  role: 'service',
  distId: null,
  permissions: ['order.read', 'order.act'],
  ...more,
});
const ADMIN = holder({ role: 'admin', permissions: ['staff.manage'] });

test('administrators and staff with individual permissions have fixed roles', () => {
  expect([ADMIN_ROLE, ...FIXED_ROLES]).toEqual(['admin', 'admin', 'none']);
});

describe('granting', () => {
  test('everybody may grant what they have, an administrator everything', () => {
    expect(mayGive(holder(), 'order.act')).toBe(true);
    expect(mayGive(holder(), 'order.read')).toBe(true);
    expect(mayGive(holder(), 'user.freeze')).toBe(false);
    expect(mayGive(ADMIN, 'commission.ask')).toBe(true);
  });

  test.each<[StaffPermission[], StaffPermission | undefined]>([
    [[], undefined],
    [['order.read', 'order.act'], undefined],
    [['order.read', 'job.act', 'user.freeze'], 'job.act'],
  ])('the first of %j that may not be granted is %s', (permissions, expected) => {
    expect(notGivable(holder(), permissions)).toBe(expected);
    expect(notGivable(ADMIN, permissions)).toBeUndefined();
  });
});

describe('the reach', () => {
  test.each([
    [null, null, true],
    [null, 7, true],
    [7, 7, true],
    [7, 8, false],
    [7, null, false],
  ])('from %s to %s: %s', (own, other, expected) => {
    expect(reaches({ distId: own }, other)).toBe(expected);
    expect(mayManage(holder({ distId: own }), holder({ id: 2, distId: other }))).toBe(expected);
  });
});

describe('managing a colleague', () => {
  const other = (more: Partial<Holder> = {}) => holder({ id: 2, ...more });
  test.each<[string, Holder, Holder, boolean]>([
    ['of the same permissions', holder(), other(), true],
    ['of fewer permissions', holder(), other({ permissions: [] }), true],
    ['of one more permission', holder(), other({ permissions: ['order.read', 'user.freeze'] }), false],
    ['who is an administrator', holder(), other({ role: 'admin', permissions: [] }), false],
    ['who is an administrator too', ADMIN, other({ role: 'admin', permissions: ['user.freeze'] }), true],
    ['of other permissions, as an administrator', ADMIN, other({ permissions: ['commission.ask'] }), true],
    ['who is oneself', holder(), holder(), false],
    ['who is oneself, as an administrator', ADMIN, ADMIN, false],
  ])('%s', (_case, actor, target, expected) => {
    expect(mayManage(actor, target)).toBe(expected);
  });
});

test('the audit log names the permissions', () => {
  expect(permissionText([])).toBe('无');
  expect(permissionText(['goods.read', 'goods.review'])).toBe('查看商品审核、审核商品');
  expect(permissionText(['staff.manage'])).toBe(staffPermissionNames['staff.manage']);
});

test('a password from a leak is rejected at its field', () => {
  expect(() => rejectBreached('password1')).toThrow(
    expect.objectContaining({
      error: 'PASSWORD_WEAK',
      text: '这个密码出现在已泄露的密码名单里，请换一个',
      field: 'newPassword',
    }),
  );
  expect(() => rejectBreached('Kq7-vellum-Traktor-19')).not.toThrow();
});
