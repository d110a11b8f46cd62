/**
 * Every call of the back office by every role: without the permission it is rejected before anything is read, with it it is not. A call that
 * is missing from the table fails the first test.
 */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codes } from '#contract/codes.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { endpoints } from '#contract/registry.ts';
import { type StaffPermission, type StaffRole, staffPermissions, staffRoles } from '#contract/rules/staff.ts';
import { type TestApp, testApp, type TestStaff } from '#tests/support/build.ts';
import { type ChangeWatch, watchChanges } from '#tests/support/row-changes.ts';
import { staffInput } from '#tests/support/staff-inputs.ts';

/** The permission that each call needs. 'platform:' excludes staff of a distributor; null: every logged-in member of staff. */
const WANTS: Readonly<Record<string, StaffPermission | `platform:${StaffPermission}` | null>> = {
  staffInfo: null,
  staffLogout: null,
  home: null,
  stepUp: null,
  'setup/info': 'platform:setup.run',
  'setup/name': 'platform:setup.run',
  'setup/host': 'platform:setup.run',
  'setup/games': 'platform:setup.run',
  'setup/goOn': 'platform:setup.run',
  'staff/list': 'staff.read',
  'staff/options': 'staff.read',
  'staff/sessions': 'staff.read',
  'staff/save': 'staff.manage',
  'staff/setStatus': 'staff.manage',
  'staff/reset': 'staff.manage',
  'staff/endSession': 'staff.manage',
  'staff/saveRole': 'staff.manage',
  'staff/removeRole': 'staff.manage',
  'user/adminQueryUserList': 'user.read',
  'user/setStatus': 'user.freeze',
  'goods/review': 'goods.read',
  'goods/reviewList': 'goods.read',
  'goods/approve': 'goods.review',
  'goods/reject': 'goods.review',
  'order/list': 'order.read',
  'order/detail': 'order.read',
  'order/step': 'order.act',
  'boosting/list': 'order.read',
  'boosting/info': 'order.read',
  'boosting/deposits': 'dispute.rule',
  'recycle/list': 'order.read',
  'recycle/info': 'order.read',
  'recycle/inspect': 'order.act',
  'recycle/taken': 'platform:order.act',
  'inspection/list': 'inspection.read',
  'inspection/info': 'inspection.read',
  'inspection/pick': 'platform:inspection.act',
  'inspection/claim': 'platform:inspection.act',
  'inspection/open': 'platform:inspection.act',
  'inspection/record': 'platform:inspection.act',
  'inspection/second': 'platform:inspection.act',
  'inspection/wrongList': 'platform:inspection.read',
  'inspection/wrong': 'platform:inspection.pay',
  'inspection/wrongSecond': 'platform:inspection.pay',
  'valuation/list': 'platform:ledger.read',
  'order/handoverDone': 'order.act',
  'order/reveal': 'order.act',
  'order/revealSecond': 'order.act',
  'order/contact': 'order.act',
  'order/upload': 'order.act',
  'dispute/list': 'dispute.read',
  'dispute/detail': 'dispute.read',
  'dispute/look': 'dispute.rule',
  'dispute/ask': 'dispute.rule',
  'dispute/rule': 'dispute.rule',
  'dispute/second': 'dispute.rule',
  'provider/list': 'provider.read',
  'provider/review': 'provider.review',
  'provider/recyclerLimit': 'provider.review',
  'claim/list': 'claim.read',
  'claim/detail': 'claim.read',
  'claim/act': 'claim.decide',
  'claim/second': 'claim.decide',
  'claim/receipt': 'claim.decide',
  'claim/receiptStrike': 'claim.decide',
  'withdraw/list': 'withdrawal.read',
  'withdraw/approve': 'withdrawal.decide',
  'withdraw/refuse': 'withdrawal.decide',
  'vendor/tryPay': 'platform:vendor.try',
  'vendor/tryPush': 'platform:vendor.try',
  'vendor/tryOfficialAccount': 'platform:vendor.try',
  'vendor/tryWechatLogin': 'platform:vendor.try',
  'payout/list': 'platform:withdrawal.read',
  'payout/info': 'platform:withdrawal.read',
  'payout/export': 'platform:payout.book',
  'payout/file': 'platform:payout.book',
  'payout/enter': 'platform:payout.book',
  'payout/book': 'platform:payout.book',
  'ledger/holds': 'platform:ledger.read',
  'ledger/releaseHold': 'platform:hold.release',
  'ledger/trial': 'platform:ledger.read',
  'ledger/check': 'platform:ledger.read',
  'audit/verify': 'platform:audit.read',
  'deadLetter/list': 'platform:job.read',
  'deadLetter/decide': 'platform:job.act',
  'vendor/list': 'platform:vendor.read',
  'vendor/trySms': 'platform:vendor.try',
  'vendor/tryMail': 'platform:vendor.try',
  'vendor/tryRealName': 'platform:vendor.try',
  'quarantine/banner': null,
  'quarantine/state': 'platform:job.read',
  'quarantine/release': 'platform:quarantine.release',
  'ledger/checks': 'platform:ledger.read',
  'ledger/transfers': 'platform:ledger.read',
  'ledger/freeze': 'platform:money.freeze',
  'ledger/topups': 'platform:ledger.read',
  'ledger/refundTopup': 'platform:topup.refund',
  'audit/list': 'platform:audit.read',
  'audit/chain': 'platform:audit.read',
  'campaign/list': 'platform:coupon.read',
  'campaign/lottery': 'platform:coupon.read',
  'campaign/create': 'platform:coupon.manage',
  'campaign/open': 'platform:coupon.open',
  'campaign/stop': 'platform:coupon.manage',
  'commission/days': 'commission.read',
  'commission/settlements': 'commission.read',
  'commission/ask': 'commission.ask',
  'commission/pay': 'platform:commission.pay',
  'commission/refuse': 'platform:commission.pay',
  'reconcile/statements': 'platform:ledger.read',
  'reconcile/differences': 'platform:ledger.read',
  'reconcile/upload': 'platform:reconcile.act',
  'reconcile/fetch': 'platform:reconcile.act',
  'reconcile/resolve': 'platform:reconcile.act',
  'reconcile/recheck': 'platform:reconcile.act',
  'import/list': 'stock.import',
  'import/job': 'stock.import',
  'import/rows': 'stock.import',
  'import/refused': 'stock.import',
  'import/upload': 'stock.import',
  'import/start': 'stock.import',
  'trust/blackList': 'trust.read',
  'trust/appealList': 'trust.read',
  'trust/numberList': 'trust.read',
  'trust/fakeList': 'trust.decide',
  'trust/decideBlack': 'trust.decide',
  'trust/addBlack': 'trust.decide',
  'trust/decideAppeal': 'trust.decide',
  'trust/decideFake': 'trust.decide',
  'trust/addNumber': 'number.edit',
  'trust/endNumber': 'number.edit',
  'review/reports': 'review.read',
  'goodsReport/list': 'review.read',
  'goodsReport/decide': 'review.decide',
  'review/decide': 'review.decide',
  'brand/list': 'brand.read',
  'brand/info': 'brand.read',
  'brand/version': 'brand.read',
  'brand/create': 'platform:brand.manage',
  'brand/save': 'brand.edit',
  'brand/publish': 'brand.edit',
  'brand/unplan': 'brand.edit',
  'brand/suspend': 'platform:brand.manage',
  'brand/preview': 'brand.edit',
  'brand/dropDraft': 'brand.edit',
  'brand/addHost': 'platform:brand.manage',
  'brand/changeHost': 'platform:brand.manage',
  'brand/terms': 'platform:brand.terms',
  'game/list': 'platform:game.read',
  'game/info': 'platform:game.read',
  'game/version': 'platform:game.read',
  'game/effects': 'platform:game.read',
  'game/shipped': 'platform:game.read',
  'game/export': 'platform:game.read',
  'game/create': 'platform:game.edit',
  'game/save': 'platform:game.edit',
  'game/drop': 'platform:game.edit',
  'game/upload': 'platform:game.edit',
  'game/publish': 'platform:game.publish',
  'game/rollback': 'platform:game.publish',
  'game/status': 'platform:game.publish',
  'game/import': 'platform:game.publish',
  'game/load': 'platform:game.publish',
  'content/upload': 'content.write',
  'content/newsList': 'content.write',
  'content/newsInfo': 'content.write',
  'content/newsVersion': 'content.write',
  'content/saveNews': 'content.write',
  'content/publishNews': 'content.write',
  'content/caseList': 'content.write',
  'content/caseInfo': 'content.write',
  'content/saveCase': 'content.write',
  'content/publishCase': 'content.write',
  'league/list': 'content.write',
  'league/info': 'content.write',
  'league/save': 'content.write',
  'league/publish': 'content.write',
  'league/matchList': 'content.write',
  'league/saveMatch': 'content.write',
  'league/removeMatch': 'content.write',
  'league/teamList': 'content.write',
  'league/saveTeam': 'content.write',
  'league/removeTeam': 'content.write',
  'content/advertList': 'content.write',
  'content/addAdvert': 'content.write',
  'content/decideAdvert': 'content.write',
  'content/businessList': 'content.write',
  'content/revealBusiness': 'content.write',
  'content/handleBusiness': 'content.write',
  'im/token': 'chat.serve',
  'im/groups': 'chat.serve',
  'im/groupInfo': 'chat.serve',
  'im/history': 'chat.serve',
  'im/read': 'chat.serve',
  'im/send': 'chat.serve',
  'im/upload': 'chat.serve',
  'im/transfer': 'chat.serve',
  'im/colleagues': 'chat.serve',
  'im/desk': 'chat.serve',
  'im/duty': 'chat.serve',
  'im/solve': 'chat.serve',
  'im/side': 'chat.serve',
  'im/search': 'chat.serve',
  'im/askForm': 'chat.serve',
  'im/cannedList': 'chat.serve',
  'im/saveCanned': 'chat.serve',
  'im/removeCanned': 'chat.serve',
  'im/usedCanned': 'chat.serve',
  'im/stats': 'chat.supervise',
  'im/setup': 'chat.supervise',
  'im/saveRule': 'chat.supervise',
  'im/saveShift': 'chat.supervise',
  'im/saveMaxChats': 'chat.supervise',
  'text/notices': 'platform:text.read',
  'text/noticeHistory': 'platform:text.read',
  'text/saveNotice': 'platform:text.write',
  'text/restoreNotice': 'platform:text.write',
  'text/saveKind': 'platform:text.write',
  'text/tryNotice': 'platform:text.write',
  'reason/list': 'platform:text.read',
  'reason/history': 'platform:text.read',
  'reason/save': 'platform:text.write',
  'word/list': 'platform:text.read',
  'word/add': 'platform:text.write',
  'word/change': 'platform:text.write',
  'word/end': 'platform:text.write',
  'word/try': 'platform:text.read',
  'synonym/list': 'platform:text.read',
  'synonym/add': 'platform:text.write',
  'synonym/change': 'platform:text.write',
  'synonym/end': 'platform:text.write',
  'synonym/dropMiss': 'platform:text.write',
  'rule/list': 'platform:text.read',
  'rule/history': 'platform:text.read',
  'rule/saveDraft': 'platform:text.write',
  'rule/dropDraft': 'platform:text.write',
  'rule/publish': 'platform:text.write',
  'rule/revoke': 'platform:text.write',
  'setting/list': 'platform:setting.read',
  'setting/history': 'platform:setting.read',
  'setting/preview': 'platform:setting.read',
  'setting/change': 'platform:setting.write',
  'setting/decide': 'platform:setting.write',
  'setting/revoke': 'platform:setting.write',
};

const short = (e: Endpoint): string => e.path.slice('/api/backstage/'.length);
const calls = endpoints.filter((e) => e.auth === 'staff').map((e) => [short(e), e] as const);

let t: TestApp;
let watch: ChangeWatch;
let people: Record<StaffRole, TestStaff>;
/** The same roles, bound to a distributor. */
let distStaff: Record<StaffRole, TestStaff>;

beforeAll(async () => {
  t = await testApp({ env: { LIMIT_FACTOR: '1000' } });
  await sql`insert into distributor (id, code, name, conf, theme) overriding system value
    select 2, 'moon', '月光', conf, theme from distributor where id = 1`.execute(t.ctx.db);
  await t.ctx.dir.reload();
  const all = async (distId?: number) =>
    Object.fromEntries(
      await Promise.all(
        staffRoles.map(async (role) => [role, await t.newStaff({ role, ...(distId && { distId }) })] as const),
      ),
    ) as Record<StaffRole, TestStaff>;
  people = await all();
  distStaff = await all(2);
  watch = await watchChanges(t.ctx);
});
afterAll(async () => await t.close());

const codeOf = async (who: TestStaff, endpoint: Endpoint): Promise<number> =>
  (await who.client.call(endpoint, staffInput(endpoint) as never)).code;

test('the table knows every call', () => {
  expect(Object.keys(WANTS).toSorted()).toEqual(calls.map(([name]) => name).toSorted());
});

describe('a role without the permission is rejected, a role with it is not', () => {
  test.each(calls.filter(([name]) => !/^(staff(Logout|Info)|stepUp)$/.test(name)))('%s', async (name, endpoint) => {
    const wanted = WANTS[name];
    const isPlatform = wanted?.startsWith('platform:') === true;
    const permission = (isPlatform ? wanted.slice('platform:'.length) : wanted) as StaffPermission | null;
    const has = (role: StaffRole): boolean =>
      permission === null || (staffPermissions[permission] as readonly string[]).includes(role);
    await watch.take();
    for (const role of staffRoles) {
      const codesOf = [await codeOf(people[role], endpoint), await codeOf(distStaff[role], endpoint)];
      // An operator stands for one distributor; without one there is nothing that they may see.
      const may = [has(role) && role !== 'operator', has(role) && !isPlatform];
      expect([role, codesOf.map((code) => code !== codes.FORBIDDEN[0])]).toEqual([role, may]);
      if (!may.includes(true)) expect([role, await watch.take()]).toEqual([role, []]);
      await watch.take();
    }
  });
});
