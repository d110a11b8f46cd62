/** Small rules of addresses: stale parameters, invitations; and which coupon is preselected. */
import { expect, test } from 'vitest';
import { inviteCodeOf } from '#contract/rules/invite.ts';
import { staleHint, withoutStale } from '#web/lib/lists/stale-params.ts';
import { bestCoupon } from '#subjects/orders/web/parts/money/use-discounts.ts';

test('a page names the parts of its address that were left out, and nothing that it does not know', () => {
  expect(withoutStale('/wares?gt=1', ['gid', 'area'])).toBe('/wares?gt=1&stale=gid.area');
  expect(withoutStale('/fastGold/fastGoldOrder', ['gid'])).toBe('/fastGold/fastGoldOrder?stale=gid');
  expect(staleHint(new URLSearchParams('gt=1&stale=gid.area'))).toBe('链接里的游戏、大区已失效，已按其余条件显示');
  expect(staleHint(new URLSearchParams('stale=%3Cb%3E.toString'))).toBeNull();
  expect(staleHint(new URLSearchParams('gt=1'))).toBeNull();
});

test('an invite code is read in both spellings, and only in its form', () => {
  expect(inviteCodeOf(new URLSearchParams('inviteCode=ABCD1234'))).toBe('ABCD1234');
  expect(inviteCodeOf(new URLSearchParams('invitecode=ab12'))).toBe('ab12');
  expect(inviteCodeOf(new URLSearchParams('inviteCode=a;Path=/'))).toBeNull();
  expect(inviteCodeOf(new URLSearchParams(''))).toBeNull();
});

test('the first usable coupon of one’s own is preselected; one for guarantees needs a guarantee', () => {
  const claimable = { couponId: null, usable: true, kind: 'goods' as const };
  const unusable = { couponId: 1, usable: false, kind: 'goods' as const };
  const guarantee = { couponId: 2, usable: true, kind: 'guarantee' as const };
  const goods = { couponId: 3, usable: true, kind: 'goods' as const };
  expect(bestCoupon([claimable, unusable, guarantee, goods], false)).toBe(3);
  expect(bestCoupon([claimable, unusable, guarantee, goods], true)).toBe(2);
  expect(bestCoupon([claimable, unusable], true)).toBe(0);
});
