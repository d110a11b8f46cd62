import * as c from '#subjects/deposits/contract/deposit.ts';
import { decodeId, encodeCursor } from '#server/kernel/cursor.ts';
import { requireStepUp } from '#subjects/accounts/server/service.ts';
import { loadBalances } from '#subjects/ledger/server/service.ts';
import type { Binding } from '#server/binding.ts';
import {
  countedByRole,
  depositLevels,
  depositRecords,
  paidByRole,
  type ReleaseRow,
  pendingReleases,
} from './queries.ts';
import { depositKindNames, type DepositRole, depositRoleNames, levelReached, releaseStatusNames } from './rules.ts';
import { requestRelease, cancelRelease, penaltyForCancel, releaseDue } from './service.ts';

const releaseItem = (r: ReleaseRow) => ({
  releaseSn: r.sn,
  role: r.role,
  amount: r.amount_fen,
  status: r.status,
  statusName: releaseStatusNames[r.status],
  releaseTime: r.release_at,
  reason: r.reason,
  createTime: r.created_at,
});

function bindReads({ ctx, server }: Binding): void {
  server.serve(c.getDepositConf, async ({ user }, input) => {
    const [levels, paid, counted, releases, balances] = await Promise.all([
      depositLevels(ctx.db),
      paidByRole(ctx.db, user.id),
      countedByRole(ctx.db, user.id),
      pendingReleases(ctx.db, user.id),
      loadBalances(ctx.db, user.id),
    ]);
    const roles = (Object.keys(depositRoleNames) as DepositRole[]).filter(
      (role) => input.role === undefined || role === input.role,
    );
    return {
      depositCoin: balances.depositFen,
      roles: roles.map((role) => {
        const own = levels.filter((l) => l.role === role);
        const paidFen = paid.get(role) ?? 0;
        const countedFen = counted.get(role) ?? 0;
        const reached = levelReached(own, role, countedFen);
        return {
          role,
          roleName: depositRoleNames[role],
          level: reached?.level ?? 0,
          paid: paidFen,
          releaseDays: (levelReached(own, role, paidFen) ?? own[0])?.releaseDays ?? 7,
          levels: own.map((l) => ({
            level: l.level,
            name: l.name,
            amount: l.amountFen,
            missing: Math.max(0, l.amountFen - paidFen),
            benefits: l.benefits,
            reached: l.amountFen <= countedFen,
          })),
          release: releases.filter((r) => r.role === role).map(releaseItem)[0] ?? null,
        };
      }),
      release: releases.map(releaseItem)[0] ?? null,
    };
  });
  server.serve(c.depositRecordList, async ({ user }, input) => {
    const limit = input.pageSize ?? 20;
    const { rows, total } = await depositRecords(ctx.db, {
      userId: user.id,
      role: input.role,
      kind: input.kind,
      beforeId: decodeId(input.cursor),
      limit: limit + 1,
      offset: ((input.pages ?? 1) - 1) * limit,
    });
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return {
      list: page.map((r) => ({
        id: r.id,
        kind: r.kind,
        kindName: depositKindNames[r.kind as 1] ?? '',
        role: r.role,
        amount: r.amountFen,
        reason: r.reason,
        ruleNo: r.ruleNo,
        orderSn: r.orderSn,
        time: r.createdAt,
      })),
      total: Math.min(total, 1000),
      totalCapped: total > 1000,
      next: rows.length > limit && last ? encodeCursor([last.id]) : null,
    };
  });
}

/** Deposits: levels, records and release. Paying in is a payment and belongs to the payments subject. */
export function bindDeposits(binding: Binding): void {
  const { ctx, server, effects } = binding;
  bindReads(binding);
  server.serve(c.depositRelease, async (call, { role, act: action, payPassword }) => {
    if (action === 'cancel') return releaseItem(await cancelRelease(call, role));
    await requireStepUp(call, 'pay', { payPassword });
    return releaseItem(await requestRelease(call, role));
  });
  effects.timer('deposit.release', async (_ctx, ref) => await releaseDue(ctx, ref));
  effects.on('order.sellerCancelled', async (_ctx, { orderId }) => await penaltyForCancel(ctx, orderId));
}
