import { expect, test } from 'vitest';
import {
  isStaffPermission,
  releasesMoney,
  shippedPermissions,
  shippedRoles,
  staffCan,
  staffPermissionNames,
  type StaffPermission,
  staffRoles,
} from './staff.ts';

const ALL = Object.keys(staffPermissionNames) as StaffPermission[];

test('a permission is one of the list, not a name that every object has', () => {
  expect(ALL.every(isStaffPermission)).toBe(true);
  expect(['', 'toString', '__proto__', 'order', 'order.reads'].filter(isStaffPermission)).toEqual([]);
});

test('the shipped permissions of each role agree with the roles of each permission', () => {
  for (const permission of ALL)
    expect([permission, staffRoles.filter((role) => shippedPermissions(role).includes(permission)).toSorted()]).toEqual(
      [permission, shippedRoles(permission).toSorted()],
    );
  expect(shippedPermissions('nobody')).toEqual([]);
  expect(shippedPermissions('operator')).toContain('commission.ask');
});

test('staff have the permissions that are stored with them, a visitor none', () => {
  expect(staffCan({ permissions: ['order.read'] }, 'order.read')).toBe(true);
  expect(staffCan({ permissions: ['order.read'] }, 'order.act')).toBe(false);
  expect(staffCan({ permissions: [] }, 'order.read')).toBe(false);
  expect([staffCan(null, 'order.read'), staffCan(undefined, 'order.read')]).toEqual([false, false]);
});

test('finance and administrators release money, and any one of these permissions alone does', () => {
  expect(staffRoles.filter((role) => releasesMoney(shippedPermissions(role)))).toEqual(['finance', 'admin']);
  expect(ALL.filter((permission) => releasesMoney([permission])).toSorted()).toEqual([
    'brand.terms',
    'commission.pay',
    'coupon.open',
    'hold.release',
    'payout.book',
    'reconcile.act',
    'setting.write',
    'staff.manage',
    'topup.refund',
    'withdrawal.decide',
  ]);
  expect(releasesMoney([])).toBe(false);
  expect(releasesMoney(['order.read', 'staff.manage'])).toBe(true);
});
