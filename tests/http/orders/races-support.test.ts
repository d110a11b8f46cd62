/** Decisions that two colleagues may take concurrently, where no other file races them (support/orders/races.ts). */
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, expect } from 'vitest';
import * as backClaims from '#subjects/guarantees/contract/staff-claims.ts';
import * as backContent from '#subjects/content/contract/staff-content.ts';
import * as backPromos from '#subjects/promotions/contract/staff-campaigns.ts';
import * as backProviders from '#subjects/providers/contract/staff-providers.ts';
import * as backTrust from '#subjects/verification/contract/staff-trust.ts';
import { setUserStatus } from '#subjects/accounts/contract/staff-users.ts';
import * as trust from '#subjects/verification/contract/verification.ts';
import { account, brokenInvariants, post } from '#subjects/ledger/server/service.ts';
import type { TestApp, TestStaff } from '#tests/support/servers/build.ts';
import { addCoinGame, addDeposit, applyForShop, providerAt } from '#tests/support/services/coins.ts';
import { type Court, openCourt } from '#tests/support/orders/disputes.ts';
import { blackReport, claimed, pictureOf } from '#tests/support/calls/ownership.ts';
import { AT_ONCE, countRows, type Race, testRaces } from '#tests/support/orders/races.ts';

let t: TestApp;
let admin: TestStaff;
let second: TestStaff;
let finance: TestStaff;

beforeAll(async () => {
  const court: Court = await openCourt();
  t = court.t;
  await addCoinGame(t);
  admin = court.other;
  [second, finance] = await Promise.all([t.newStaff({ role: 'admin' }), t.newStaff({ role: 'finance' })]);
});
afterAll(async () => {
  await t.relay();
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
});

const count = (query: RawBuilder<unknown>): Promise<number> => countRows(t.ctx, query);
const TEXT = '情况说明写在这里，请核对一下';

const audited = (act: string, target: string) => () =>
  count(sql`select 1 from audit_log where act = ${act} and target = ${target}`);

const campaign = {
  name: '新人立减',
  kind: 'goods' as const,
  amount: '100.00',
  minimum: '500.00',
  total: 10_000,
  perPerson: 1,
  validDays: 7,
  runDays: 30,
};
let campaigns = 0;
async function pendingCampaign(): Promise<{ campaignId: number; code: string }> {
  campaigns += 1;
  const code = `RACE${campaigns}`;
  const { campaignId, status } = await admin.client.ok(backPromos.createCampaign, { ...campaign, code });
  expect(status).toBe(0);
  return { campaignId, code };
}

async function reported(): Promise<string> {
  const user = await t.newUser();
  const report = blackReport([await pictureOf(user, 'evidence')]);
  const accounts = [{ kind: 'qq', value: String(810_000_000 + user.id) }] as never;
  return (await user.client.ok(trust.releaseBlack, { ...report, accounts })).blackSn;
}

const races: Record<string, () => Promise<Race>> = {
  async 'restricting an account'() {
    const user = await t.newUser();
    const input = { userId: String(user.id), status: '2' as const, reason: '违规' };
    return {
      click: (n) => (n % 2 ? admin : second).client.call(setUserStatus, input),
      done: 1,
      loserError: 'ORDER_STATE',
      trace: audited('user.freeze', `user:${user.id}`),
    };
  },
  async 'deciding on a claim'() {
    const { claimSn } = await claimed(t, { print: 'print-race-2' });
    await admin.client.ok(backClaims.staffClaimAction, { claimSn, act: 'pay', text: TEXT });
    const { draft } = await second.client.ok(backClaims.staffClaimDetail, { claimSn });
    const allowed = { claimSn, draftId: draft?.draftId ?? 0, allow: '1' } as const;
    return {
      click: () => second.client.call(backClaims.staffClaimSecond, allowed),
      done: 1,
      loserError: 'CLAIM_STATE',
      trace: () =>
        count(
          sql`select 1 from ledger_transfer x join guarantee_claim c on x.order_id = c.order_id where c.sn = ${claimSn} and x.code = 'claim_paid'`,
        ),
    };
  },
  async 'deciding on a shop'() {
    const user = await t.newUser();
    await applyForShop(user);
    await addDeposit(t, user.id, 100_000);
    const { id, updateMark } = await providerAt(admin, user.id);
    return {
      click: (n) =>
        (n % 2 ? admin : second).client.call(backProviders.reviewProvider, {
          id,
          updateMark,
          ...(n % 2 ? { decision: 'approve' } : { decision: 'refuse', reason: '资料不清楚' }),
        } as never),
      done: 1,
      loserError: 'PROVIDER_STATE',
      trace: () => count(sql`select 1 from audit_log where act like 'provider.%' and target = ${`user:${user.id}`}`),
    };
  },
  async 'letting a campaign run'() {
    const { campaignId, code } = await pendingCampaign();
    return {
      click: (n) => (n % 2 ? finance : second).client.call(backPromos.openCampaign, { campaignId }),
      done: 1,
      loserError: 'CAMPAIGN_STATE',
      trace: audited('coupon.open', `campaign:${code}`),
    };
  },
  async 'stopping a campaign'() {
    const { campaignId, code } = await pendingCampaign();
    return {
      click: (n) => (n % 2 ? admin : second).client.call(backPromos.stopCampaign, { campaignId, reason: '预算用完' }),
      done: 1,
      loserError: 'CAMPAIGN_STATE',
      trace: audited('coupon.stop', `campaign:${code}`),
    };
  },
  async 'asking for a settlement'() {
    await post(t.ctx.db, [
      {
        code: 'topup',
        ref: 'race:commission',
        debit: account.clearing('sandbox', 999_001),
        credit: account.commission(2),
        fen: 50_000,
        dist: 2,
      },
    ]);
    const operator = await t.newStaff({ role: 'operator', distId: 2 });
    return {
      click: () => operator.client.call(backPromos.requestSettlement, { distId: 2, amount: '200.00' }),
      done: 1,
      loserError: 'SETTLEMENT_OPEN',
      trace: () => count(sql`select 1 from dist_settlement where dist_id = 2 and status = 0`),
    };
  },
  async 'listing a bad account'() {
    const blackSn = await reported();
    return {
      click: (n) =>
        (n % 2 ? admin : second).client.call(
          backTrust.decideBlack,
          (n % 2
            ? { blackSn, act: 'list', publicText: '收款后失联，拒绝交付', days: 90 }
            : { blackSn, act: 'reject', note: '证据不足' }) as never,
        ),
      done: 1,
      loserError: 'BLACK_STATE',
      trace: () => count(sql`select 1 from audit_log where act like 'black.%' and target = ${`black:${blackSn}`}`),
    };
  },
  async 'appealing against an entry'() {
    const blackSn = await reported();
    await admin.client.ok(backTrust.decideBlack, {
      blackSn,
      act: 'list',
      publicText: '收款后失联，拒绝交付',
      days: 90,
    });
    const user = await t.newUser();
    return {
      click: () => user.client.call(trust.appealBlack, { blackSn, content: TEXT }),
      done: 1,
      loserError: 'BLACK_APPEALED',
      trace: () => count(sql`select 1 from black_appeal where user_id = ${user.id}`),
    };
  },
  async 'registering a number as ours'() {
    const number = { kind: 'qq', value: '880000009', name: '小游', duty: '售后', shown: '1' } as const;
    return {
      click: (n) => (n % 2 ? admin : second).client.call(backTrust.addNumber, number),
      done: 1,
      loserError: 'BAD_INPUT',
      trace: () => count(sql`select 1 from official_number where show_value = '880000009'`),
    };
  },
  async 'publishing a text'() {
    const text = {
      code: 'race-news',
      category: 'notice',
      title: '测试公告',
      summary: '',
      body: '一段正文',
      pinned: '0',
    };
    const { id } = await admin.client.ok(backContent.saveNews, text as never);
    return {
      click: (n) => (n % 2 ? admin : second).client.call(backContent.publishNews, { id, act: 'publish' }),
      done: AT_ONCE,
      trace: () =>
        count(sql`select 1 from outbox where topic = 'news.published' and payload->>'newsId' = ${String(id)}`),
    };
  },
};

testRaces(races);
