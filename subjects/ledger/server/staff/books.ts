import { PAY_CHANNELS } from '#subjects/payments/rules/pay-channels.ts';
import type { bookCheckList, checkBooks, trialBalanceSheet } from '#subjects/ledger/contract/staff-ledger.ts';
import type { HandlerResult } from '#contract/endpoint.ts';
import type { StaffCall } from '#server/access/call.ts';
import { brokenInvariants } from '../invariants.ts';
import { lastChecks } from '../nightly.ts';
import { trialBalance } from '../trial-balance.ts';
import { audit } from '#server/audit/audit.ts';
import { requirePlatform } from '#server/access/permissions.ts';

const kindNames: Readonly<Record<string, string>> = {
  'user:available': '用户可用余额',
  'user:frozen': '用户冻结款',
  'user:deposit': '用户保证金',
  'order:escrow': '订单托管款',
  'boost:escrow': '代练发单托管',
  'want:deposit': '求购定金',
  'recycle:escrow': '回收出价托管',
  'inspection:escrow': '复验费托管',
  'platform:fee': '平台手续费收入',
  'platform:guarantee_fund': '包赔基金',
  'platform:coupon_expense': '优惠支出',
  'platform:recycling': '平台回收支出',
  'dist:commission': '分销商佣金',
  'dist:maturing': '分销商待结算佣金',
  'user:maturing': '用户待结算奖励',
  'clearing:bank': '银行渠道',
  ...Object.fromEntries(
    Object.entries(PAY_CHANNELS).flatMap(([channel, { ledgerName }]) => [
      [`clearing:${channel}`, `${ledgerName}渠道`],
      [`clearing:${channel}_fee`, `${ledgerName}手续费支出`],
    ]),
  ),
};

/** The kind of an account, the grouping of the trial balance. */
function kindOf(key: string): string {
  const [owner = '', second = '', third = ''] = key.split(':');
  if (owner === 'user') return `user:${third}`;
  if (owner === 'order') return 'order:escrow';
  if (owner === 'want') return 'want:deposit';
  if (owner === 'recycle' || owner === 'inspection') return `${owner}:escrow`;
  return owner === 'dist' ? `dist:${third}` : `${owner}:${second}`;
}

/** The label of an account: its kind and owner. `names` has the names of users and distributors by 'user:10001' and 'dist:2'. */
export function accountName(key: string, names: ReadonlyMap<string, string> = new Map()): string {
  const kind = kindOf(key);
  const name = kindNames[kind] ?? kind;
  const [owner, id] = key.split(':');
  if (owner !== 'user' && owner !== 'dist') return name;
  return [name, names.get(`${owner}:${id}`), id].filter((part) => part !== undefined).join(' ');
}

/** Balances by kind of account. Throws FORBIDDEN. */
export async function trialSheet(call: StaffCall): Promise<HandlerResult<typeof trialBalanceSheet>> {
  requirePlatform(call.staff, 'ledger.read');
  const { kinds, totalFen } = await trialBalance(call.ctx.db);
  return {
    kinds: kinds.map(({ kind, fen, accounts }) => ({ kind, name: kindNames[kind] ?? kind, amount: fen, accounts })),
    total: totalFen,
    balanced: totalFen === 0,
    time: new Date(),
  };
}

/** Runs all ledger checks now. Throws FORBIDDEN. */
export async function check(call: StaffCall): Promise<HandlerResult<typeof checkBooks>> {
  const { ctx, staff, ip } = call;
  requirePlatform(staff, 'ledger.read');
  const began = performance.now();
  const breaches = await brokenInvariants(ctx.db);
  const tookMs = Math.round(performance.now() - began);
  await audit(ctx.db, staff, 'ledger.check', 'ledger', { breaches: breaches.length }, ip);
  return { breaches, tookMs, time: new Date() };
}

const MAX_CHECKS = 7;

/** The latest nightly checks. Throws FORBIDDEN. */
export async function listChecks({ ctx, staff }: StaffCall): Promise<HandlerResult<typeof bookCheckList>> {
  requirePlatform(staff, 'ledger.read');
  const list = await lastChecks(ctx, MAX_CHECKS);
  return {
    list: list.map(({ startedAt, endedAt, transfers, breaches }) => ({
      startTime: startedAt,
      endTime: endedAt,
      transfers,
      breaches: breaches ?? [],
    })),
  };
}
