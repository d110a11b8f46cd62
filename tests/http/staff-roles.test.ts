/**
 * Every call of the back office by every role: who does not have the power is refused before anything is looked at, who has it is not.
 * A call that is not in the table fails the first test.
 */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codes } from '#contract/codes.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { endpoints } from '#contract/registry.ts';
import { type StaffPermission, type StaffRole, staffPermissions, staffRoles } from '#contract/rules/staff.ts';
import { type TestApp, testApp, type TestStaff } from '#tests/support/build.ts';
import { type ChangeWatch, watchChanges } from '#tests/support/row-changes.ts';
import { goodInput } from '#tests/support/hostile.ts';

/** What each call wants. 'platform:' = nobody who is bound to one distributor; null = whoever is logged in. */
const WANTS: Readonly<Record<string, StaffPermission | `platform:${StaffPermission}` | null>> = {
  staffInfo: null,
  staffLogout: null,
  home: null,
  'user/adminQueryUserList': 'user.read',
  'user/setStatus': 'user.freeze',
  'goods/review': 'goods.read',
  'goods/reviewList': 'goods.read',
  'goods/approve': 'goods.review',
  'goods/reject': 'goods.review',
  'order/list': 'order.read',
  'order/detail': 'order.read',
  'order/step': 'order.act',
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
  'ledger/holds': 'platform:ledger.read',
  'ledger/releaseHold': 'platform:hold.release',
  'ledger/trial': 'platform:ledger.read',
  'ledger/check': 'platform:ledger.read',
  'audit/verify': 'platform:audit.read',
  'deadLetter/list': 'platform:job.read',
  'deadLetter/decide': 'platform:job.act',
  'ledger/checks': 'platform:ledger.read',
  'ledger/transfers': 'platform:ledger.read',
  'ledger/freeze': 'platform:money.freeze',
  'ledger/topups': 'platform:ledger.read',
  'ledger/refundTopup': 'platform:topup.refund',
  'audit/list': 'platform:audit.read',
  'audit/chain': 'platform:audit.read',
  'campaign/list': 'platform:coupon.read',
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
  'trust/decideAppeal': 'trust.decide',
  'trust/decideFake': 'trust.decide',
  'trust/addNumber': 'number.edit',
  'trust/endNumber': 'number.edit',
  'review/reports': 'review.read',
  'review/decide': 'review.decide',
  'content/newsList': 'content.write',
  'content/newsInfo': 'content.write',
  'content/saveNews': 'content.write',
  'content/publishNews': 'content.write',
  'content/caseList': 'content.write',
  'content/caseInfo': 'content.write',
  'content/saveCase': 'content.write',
  'content/publishCase': 'content.write',
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
};

/** Fields as honest staff write them; the things that they name are not there. */
const PLAIN = {
  amount: '100.00',
  refund: '10.00',
  price: '10.00',
  limit: '10.00',
  seenLimit: '10.00',
  minimum: '20.00',
  groupId: '999999',
  userId: '999999',
  distId: '2',
  reason: '核实过了，没有别的问题',
  text: '核实过了没有问题',
  body: '核实过了没有问题',
  content: '核实过了没有问题',
  publicText: '核实过了没有问题',
  rules: '["2.2"]',
  disputeSn: 'D0000000000',
  claimSn: 'C0000000000',
  withdrawSn: 'W0000000000',
  settlementSn: 'S0000000000',
  blackSn: 'B0000000000',
  goodsSn: 'ZZ0000001',
  orderSn: '26112000000000',
  code: 'a-code',
  seller: '13800000000',
  day: '2026-11-01',
  updateMark: '2026-11-01T00:00:00.000Z',
  htUrl: '/news',
  position: 'index',
  steps: '[1]',
  staffIds: '[]',
  orderTypes: '[]',
  value: '812345678',
  name: '小游',
  clientMsgId: 'c-1',
  messageType: 'text',
  receiptNo: 'R123456',
  paidOn: '2026-11-01',
  pictures: '["a-picture"]',
  note: '凭证',
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

async function codeOf(who: TestStaff, endpoint: Endpoint): Promise<number> {
  const { code, ...plain } = PLAIN;
  // Elsewhere a code is no name of a campaign or of a text.
  const input = goodInput(endpoint, /\/(campaign|content)\//.test(endpoint.path) ? { ...plain, code } : plain);
  return (await who.client.call(endpoint, input as never)).code;
}

test('the table knows every call', () => {
  expect(Object.keys(WANTS).toSorted()).toEqual(calls.map(([name]) => name).toSorted());
});

describe('a role without the power is refused, and one with it is not', () => {
  test.each(calls.filter(([name]) => !/^staff(Logout|Info)$/.test(name)))('%s', async (name, endpoint) => {
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
