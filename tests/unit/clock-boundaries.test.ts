/**
 * Which test tries each clock of the market at its very limit. A kind of job that is added must name its test here, or say why its moment
 * has none.
 */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { settingSpecs } from '#contract/rules/settings.ts';
import { JOBS } from '#server/jobs/kinds.ts';

const HTTP = 'tests/http';

/** Kind of job → the file and the title of the test that runs it a second before its limit, at it and a second after. */
const TRIED: Readonly<Record<string, readonly [file: string, title: string]>> = {
  'bargain.expire': ['boundaries-money', 'end 24 hours after they are made'],
  'dispute.execute': ['boundaries-orders', 'a ruling is carried out when the time to appeal is over'],
  'hold.release': ['boundaries-orders', 'its money is held until the end of the protection'],
  'order.autoConfirm': ['boundaries-orders', 'that is shipped is accepted at its time'],
  'order.expire': ['boundaries-orders', 'that is not paid ends at its time'],
  'recycle.due': ['boundaries-recycling', 'takes bids until its time is over'],
  'service.accept': ['boundaries-services', 'that is not accepted in time is refunded'],
  'service.endFinal': ['boundaries-services', 'a pressed end is final after its time'],
  'service.noShow': ['boundaries-services', 'that nobody comes to is refunded'],
  'recycle.takeOver': ['boundaries-recycling', 'nobody took over becomes a case'],
  'service.tip': ['boundaries-services', 'ends when its time is over, not a second earlier'],
  'service.playEnd': ['boundaries-services', 'ends when the ordered minutes are over'],
};

/** Their moment is no promise to anyone: a run earlier or later changes no right of a user. */
const UPKEEP = [
  'accounts.sweep',
  'audit.nightly',
  'chat.assign',
  'chat.form',
  'chat.sweep',
  'credential.sweep',
  'dataExport.make',
  'goods.away',
  'goods.feed',
  'goods.fold',
  'goods.misses',
  'goods.recount',
  'goods.references',
  'goods.reprice',
  'goods.stats',
  'guarantee.daily',
  'import.run',
  'inspection.expire',
  'ledger.nightly',
  'ledger.prove',
  'level.nightly',
  'linkPush.send',
  'listingImport.fetch',
  'listingImport.run',
  'media.sweep',
  'notice.late',
  'notice.send',
  'openApi.sweep',
  'order.days',
  'order.lateMissing',
  'orders.fold',
  'orders.recount',
  'pay.recheck',
  'pay.watch',
  'payment.decide',
  'quickCoin.away',
  'quickCoin.ratio',
  'reconcile.fetch',
  'recycle.dueMissing',
  'refund.send',
  'retention.sweep',
  'trust.sweep',
  'valuation.nightly',
  'webhook.send',
  'withdraw.pay',
  'withdraw.recheck',
] as const;

/**
 * Their tests let the time pass by moving rows beyond the limit, not to its second. This list only becomes shorter: write the boundary test
 * (tests/support/stopped-clock.ts) and move the kind above.
 */
const PASSED: Readonly<Record<string, string>> = {
  'account.erase': 'third-party',
  'alert.daily': 'alerts',
  'boost.expire': 'boosting-requests',
  'brand.begin': 'brand-states',
  'chat.close': 'customer-service',
  'coupon.expiring': 'notices-people',
  'dataExport.remove': 'data-export',
  'deposit.release': 'deposits',
  'dispute.answer': 'disputes',
  'dispute.look': 'disputes',
  'dispute.rule': 'disputes',
  'freeze.end': 'reconcile',
  'guarantee.look': 'guarantees',
  'guarantee.pay': 'guarantees',
  'inspection.due': 'inspections',
  'middleman.expire': 'middleman',
  'news.begin': 'news',
  'order.late': 'order-late',
  'service.account': 'boosting-begin',
  'service.cancelAnswer': 'boosting-begin',
  'service.late': 'boosting-late',
  'service.milestone': 'boosting',
  'service.proof': 'boosting-way',
  'service.resume': 'boosting',
  'setting.begin': 'settings',
};

const fileOf = (name: string): string => `${HTTP}/${name}.test.ts`;

test('every kind of job is listed once', () => {
  const listed = [...Object.keys(TRIED), ...UPKEEP, ...Object.keys(PASSED)];
  expect(listed.toSorted()).toEqual(Object.keys(JOBS).toSorted());
});

test('the named tests exist', () => {
  for (const [kind, [file, title]] of Object.entries(TRIED))
    expect([kind, readFileSync(fileOf(file), 'utf8').includes(title)]).toEqual([kind, true]);
  for (const [kind, file] of Object.entries(PASSED)) expect([kind, existsSync(fileOf(file))]).toEqual([kind, true]);
});

test('the list of clocks without a boundary test only becomes shorter', () => {
  expect(Object.keys(PASSED).length).toBeLessThanOrEqual(25);
});

test('every setting is declared once, so that the form that is shown is the one that is saved', () => {
  const keys = settingSpecs.map(({ key }) => key);
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  for (const { key, fields } of settingSpecs) {
    const paths = fields.map(({ path }) => path);
    expect([key, paths.length]).toEqual([key, new Set(paths).size]);
  }
});
