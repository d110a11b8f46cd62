/**
 * Which test tries each clock of the market at its very limit. A kind of job that is added must name its test here, or say why its moment
 * has none.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { settingSpecs } from '#subjects/settings/rules/settings.ts';
import { JOBS } from '#server/jobs/kinds.ts';

const HTTP = 'tests/http';

/** Kind of job → the file and the title of the test that runs it a second before its limit, at it and a second after. */
const TRIED: Readonly<Record<string, readonly [file: string, title: string]>> = {
  'account.erase': ['people', 'is erased seven days after closing the account'],
  'alert.daily': ['people', 'about the day’s matches is sent at eight in the evening in China'],
  'bargain.expire': ['money', 'end 24 hours after they are made'],
  'boost.expire': ['boosting', 'that nobody takes is refunded after the hours that its buyer chose'],
  'brand.begin': ['people', 'makes a brand public from its start time'],
  'chat.close': ['people', 'until three days after its last message'],
  'coupon.expiring': ['people', 'about expiring coupons is sent at ten in the morning in China'],
  'dataExport.remove': ['people', 'has a copy of the data until its days are over'],
  'deposit.release': ['cases', 'a deposit is returned when the days of its release are over'],
  'dispute.answer': ['cases', 'continues without the other party’s response at its time'],
  'dispute.execute': ['orders', 'a ruling is carried out when the time to appeal is over'],
  'dispute.look': ['cases', 'is escalated at the triage deadline'],
  'dispute.rule': ['cases', 'is escalated at the ruling deadline'],
  'freeze.end': ['people', 'has frozen money back when the days of the freeze are over'],
  'guarantee.look': ['cases', 'starts recourse at the triage deadline'],
  'guarantee.pay': ['cases', 'is paid when the days of its chase are over'],
  'hold.release': ['orders', 'its money is held until protection ends'],
  'inspection.due': ['inspections', 'ends at the staff deadline, counted from the submission'],
  'middleman.expire': ['people', 'has an offer of a deal until its hours are over'],
  'news.begin': ['people', 'makes an article public and announced from its start time'],
  'order.autoConfirm': ['orders', 'is accepted at the confirmation deadline after shipping'],
  'order.expire': ['orders', 'ends at the payment deadline'],
  'order.late': ['cases', 'an order that is not shipped is announced as late'],
  'recycle.due': ['recycling', 'takes bids until its time is over'],
  'recycle.takeOver': ['recycling', 'not taken over becomes a case at the deadline'],
  'service.accept': ['services', 'is refunded at the acceptance deadline'],
  'service.account': ['boosting', 'is refunded at the deadline when its account is missing'],
  'service.cancelAnswer': ['boosting', 'a cancellation becomes a case when the time to answer is over'],
  'service.endFinal': ['services', 'a clicked end is final after its time'],
  'service.late': [
    'boosting',
    'is late when the promised time is over, and ends by rule when the time to act is over, too',
  ],
  'service.milestone': ['boosting', 'a submitted stage is confirmed by silence at its time'],
  'service.noShow': ['services', 'is refunded after the agreed waiting time'],
  'service.playEnd': ['services', 'ends when the ordered minutes are over'],
  'service.proof': ['boosting', 'asks for a picture after the set time of work'],
  'service.resume': ['boosting', 'goes on when the longest pause is over'],
  'service.tip': ['services', 'ends when its time is over, not a second earlier'],
  'setting.begin': ['people', 'applies to a setting from its start time, and is announced then'],
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

const fileOf = (name: string): string => `${HTTP}/boundaries/${name}.test.ts`;

test('every kind of job is listed once', () => {
  const listed = [...Object.keys(TRIED), ...UPKEEP];
  expect(listed.toSorted()).toEqual(Object.keys(JOBS).toSorted());
});

test('the named tests exist', () => {
  for (const [kind, [file, title]] of Object.entries(TRIED))
    expect([kind, readFileSync(fileOf(file), 'utf8').includes(title)]).toEqual([kind, true]);
});

test('every setting is declared once, so that the form that is shown is the one that is saved', () => {
  const keys = settingSpecs.map(({ key }) => key);
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  for (const { key, fields } of settingSpecs) {
    const paths = fields.map(({ path }) => path);
    expect([key, paths.length]).toEqual([key, new Set(paths).size]);
  }
});
