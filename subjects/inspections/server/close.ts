import { sql } from 'kysely';
import { yuanLabel } from '#contract/wire.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { cancel } from '#server/jobs/effect-writer.ts';
import { returnFee } from './money.ts';
import { lockedTask, type TaskRow, taskRows } from './rows.ts';
import { OPEN_STATES } from './rules.ts';
import { notifyBuyer, notifySeller } from './notify.ts';

/** Ends a locked task that was not read: credentials are destroyed by the database, a fee is refunded in full, both parties are notified. */
export async function closeTask(trx: Trx, task: TaskRow, reason: string): Promise<void> {
  await sql`update inspection_task set status = 'closed', closed_reason = ${reason} where id = ${task.id}`.execute(trx);
  await returnFee(trx, task);
  await cancel(trx, 'inspection.due', task.id);
  await notifySeller(trx, task, '验号没有完成', `商品 ${task.goodsSn}：${reason}。密封信息已销毁。`);
  const money = task.feeFen > 0 ? `，复验费 ${yuanLabel(task.feeFen)} 元已退回余额` : '';
  await notifyBuyer(
    trx,
    { ref: `inspection:${task.id}`, buyerId: task.buyerId },
    '复验没有完成',
    `商品 ${task.goodsSn}：${reason}${money}。`,
  );
}

/** Ends a task whose time is over: the seller did not submit the credentials, or staff did not inspect. Does nothing when its state has changed. */
export async function onDue(ctx: Context, id: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const seen = (await taskRows(trx, sql`t.id = ${id}`, 1))[0];
    if (!seen || !OPEN_STATES.includes(seen.status)) return;
    const task = await lockedTask(trx, sql`t.id = ${id}`);
    if (!OPEN_STATES.includes(task.status) || task.dueAt === null || task.dueAt.getTime() > Date.now()) return;
    await closeTask(trx, task, task.status === 'waiting' ? '卖家没有按时提交账号' : '客服没有在时限内验完');
  });
}
