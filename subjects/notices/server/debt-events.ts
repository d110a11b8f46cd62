import { sql } from 'kysely';
import { yuanLabel } from '#contract/wire.ts';
import type { Context } from '#server/context.ts';
import type { Effects } from '#server/jobs/events.ts';
import { notify } from './service.ts';

interface Row {
  debtor: number | null;
  /** The creditor; null for the guarantee fund. */
  creditor: number | null;
  openFen: number;
  amountFen: number;
  reason: string;
  orderSn: string | null;
  distId: number;
}

async function debtById(ctx: Context, debtId: number): Promise<Row | undefined> {
  const { rows } = await sql<Row>`
    select d.debtor_user as debtor, substring(d.creditor from '^user:([0-9]+):')::bigint as creditor, d.amount_fen - d.paid_fen as "openFen",
      d.amount_fen as "amountFen", d.reason, o.sn as "orderSn", d.dist_id as "distId"
    from debt d left join orders o on o.id = d.order_id where d.id = ${debtId}`.execute(ctx.db);
  return rows[0];
}

/** Notifies both parties of a debt when it is recorded and at each payment. */
export function bindDebtEvents(ctx: Context, effects: Effects): void {
  const notifyParty = async (userId: number | null, ref: string, d: Row, text: string): Promise<void> => {
    if (userId === null) return;
    const of = d.orderSn === null ? '' : `订单 ${d.orderSn}：`;
    await notify(ctx, {
      kind: 'money.debt',
      userIds: [userId],
      ref,
      distId: d.distId,
      values: { text: `${of}${text}` },
    });
  };
  const left = (d: Row): string => (d.openFen > 0 ? `还剩 ${yuanLabel(d.openFen)} 元` : '已全部还清');
  effects.on('debt.recorded', async (_ctx, { debtId }) => {
    const d = await debtById(ctx, debtId);
    if (!d) return;
    await notifyParty(
      d.debtor,
      `${debtId}:debtor`,
      d,
      `您有一笔 ${yuanLabel(d.amountFen)} 元的欠款，将从之后的收入中自动偿还，还清前不能提现或退保证金。原因：${d.reason}`,
    );
    await notifyParty(
      d.creditor,
      `${debtId}:creditor`,
      d,
      `对方还欠您 ${yuanLabel(d.amountFen)} 元，会从对方之后的收入中自动偿还到您的余额。`,
    );
  });
  effects.on('debt.collected', async (_ctx, p) => {
    const d = await debtById(ctx, p.debtId);
    if (!d) return;
    const ref = `${p.debtId}:${p.part}`;
    await notifyParty(d.debtor, `${ref}:debtor`, d, `已从您的余额偿还欠款 ${yuanLabel(p.fen)} 元，${left(d)}。`);
    await notifyParty(
      d.creditor,
      `${ref}:creditor`,
      d,
      `对方偿还了 ${yuanLabel(p.fen)} 元，已到您的余额，${left(d)}。`,
    );
  });
}
