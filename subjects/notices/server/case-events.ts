import { sql } from 'kysely';
import { yuanLabel } from '#contract/wire.ts';
import type { Context } from '#server/context.ts';
import type { Effects } from '#server/jobs/events.ts';
import { notify } from './service.ts';

const DISPUTE = ['opened', 'looked', 'asked', 'answered', 'evidence', 'late', 'ruled', 'appealed', 'closed'] as const;
const CLAIM = ['opened', 'chasing', 'escalated', 'paid', 'withdrawn', 'refused', 'recovered'] as const;

interface CaseEntry {
  entryId: number;
  text: string;
  actor: string;
  orderSn: string;
  distId: number;
  people: number[];
}

/** Notifies the parties of a case about its newest entry, except the entry's author. */
async function notifyEntry(ctx: Context, kind: string, ref: string, entry: CaseEntry | undefined): Promise<void> {
  if (!entry) return;
  const actor = Number(/^user:(\d+)$/.exec(entry.actor)?.[1] ?? 0);
  await notify(ctx, {
    kind,
    userIds: entry.people.filter((person) => person !== actor),
    ref: `${ref}:${entry.entryId}`,
    distId: entry.distId,
    values: { text: `订单 ${entry.orderSn}：${entry.text}。` },
  });
}

function bindDisputes(ctx: Context, effects: Effects): void {
  for (const what of DISPUTE)
    effects.on(`dispute.${what}`, async (_ctx, { disputeId }) => {
      const { rows } = await sql<CaseEntry>`
        select e.id as "entryId", e.explain as text, e.actor, o.sn as "orderSn", o.dist_id as "distId", json_build_array(o.buyer_id, o.seller_id) as people
        from dispute d join orders o on o.id = d.order_id join dispute_event e on e.dispute_id = d.id
        where d.id = ${disputeId} order by e.id desc limit 1`.execute(ctx.db);
      await notifyEntry(ctx, 'order.dispute', `dispute:${disputeId}`, rows[0]);
    });
}

function bindClaims(ctx: Context, effects: Effects): void {
  for (const what of CLAIM)
    effects.on(`claim.${what}`, async (_ctx, { claimId }) => {
      const { rows } = await sql<CaseEntry>`
        select s.seq as "entryId", s.text, s.actor, o.sn as "orderSn", o.dist_id as "distId", json_build_array(c.user_id) as people
        from guarantee_claim c join orders o on o.id = c.order_id join guarantee_claim_step s on s.claim_id = c.id
        where c.id = ${claimId} order by s.seq desc limit 1`.execute(ctx.db);
      await notifyEntry(ctx, 'order.claim', `claim:${claimId}`, rows[0]);
    });
}

const PROVIDERS: Readonly<Record<string, { name: string; link: string }>> = {
  shop: { name: '开店', link: '/center/myshop/joinshop' },
  booster: { name: '代练', link: '/center/boosting/booster' },
  recycler: { name: '回收商', link: '/center/recycler' },
  companion: { name: '陪玩', link: '/center/accompanyer/accompanyer' },
};
const DECISIONS: Readonly<Record<string, string>> = {
  approve: '申请已通过',
  refuse: '申请未通过',
  suspend: '资格已被暂停',
  restore: '资格已恢复',
};

function bindProviders(ctx: Context, effects: Effects): void {
  effects.on('provider.decided', async (_ctx, e) => {
    const provider = PROVIDERS[e.kind] ?? { name: '入驻', link: '/center' };
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from provider_event where provider_id = ${e.providerId}`.execute(ctx.db);
    const decision = DECISIONS[e.decision] ?? '有新进展';
    await notify(ctx, {
      kind: 'service.review',
      userIds: [e.userId],
      ref: `provider:${e.providerId}:${rows[0]?.n ?? 0}`,
      values: { text: `您的${provider.name}${decision}${e.reason ? `：${e.reason}` : ''}。` },
      link: provider.link,
    });
  });
}

function bindFunds(ctx: Context, effects: Effects): void {
  const day = (): string => new Date().toISOString().slice(0, 16);
  effects.on('deposit.released', async (_ctx, e) => {
    const text = `保证金 ${e.text} 元已退还到余额。`;
    await notify(ctx, { kind: 'money.deposit', userIds: [e.userId], ref: `out:${e.text}:${day()}`, values: { text } });
  });
  effects.on('deposit.penalty', async (_ctx, e) => {
    const rule = e.ruleNo ? `（依据规则 ${e.ruleNo}）` : '';
    const text = `保证金被扣除 ${e.text} 元${rule}：${e.reason}。`;
    const ref = e.penaltyId ? `cut:${e.penaltyId}` : `cut:${e.text}:${day()}`;
    await notify(ctx, { kind: 'money.deposit', userIds: [e.userId], ref, values: { text } });
    // The compensated user is informed of the source of the money.
    if (e.toUserId)
      await notify(ctx, {
        kind: 'money.deposit',
        userIds: [e.toUserId],
        ref,
        values: { text: `您获得保证金赔付 ${e.text} 元${rule}：${e.reason}。` },
        link: '/center/mywallets/list',
      });
  });
  for (const [topic, outcome] of [
    ['refund.paid', '已退回原付款账户'],
    ['refund.back', '原路退回未成功，已转入余额'],
  ] as const)
    effects.on(topic, async (_ctx, e) => {
      const { rows } = await sql<{ no: string }>`
        select coalesce((select sn from orders where id = ${e.orderId ?? null}::bigint), '') as no`.execute(ctx.db);
      await notify(ctx, {
        kind: 'money.refund',
        userIds: [e.userId],
        ref: `${topic}:${e.refundId}`,
        values: { what: '退款进度', orderSn: rows[0]?.no || '（充值）', amount: yuanLabel(e.amountFen), text: outcome },
      });
    });
}

/** Notices about disputes, claims, applications, deposits and refunds. */
export function bindCaseEvents(ctx: Context, effects: Effects): void {
  bindDisputes(ctx, effects);
  bindClaims(ctx, effects);
  bindProviders(ctx, effects);
  bindFunds(ctx, effects);
}
