import { sql } from 'kysely';
import { inTransaction } from '#server/db/client.ts';
import type { UserCall } from '#server/call.ts';
import { AppError } from '#server/kernel/errors.ts';
import { termsForParty } from './queries.ts';

/** Rates the other side of a completed order, once each (the key of the table). Throws ORDER_NOT_FOUND, ORDER_STATE, ORDER_RATED. */
export async function rateOrder(
  call: UserCall,
  input: { orderSn: string; score: number; tags: readonly string[]; content: string },
): Promise<void> {
  const { ctx, user } = call;
  const order = await termsForParty(ctx.db, { sn: input.orderSn }, user.id);
  if (!order) throw new AppError('ORDER_NOT_FOUND');
  if (order.status !== 3) throw new AppError('ORDER_STATE', { text: '交易成功后才能评价' });
  const buyer = order.buyerId === user.id;
  const target = buyer ? order.sellerId : order.buyerId;
  await inTransaction(ctx.db, async (trx) => {
    await sql`insert into order_review (order_id, belong, user_id, target_id, score, tags, content)
      values (${order.id}, ${buyer ? 1 : 0}, ${user.id}, ${target}, ${input.score}, ${[...input.tags]}, ${input.content})`.execute(
      trx,
    );
    if (buyer)
      await sql`update app_user set rating_sum = rating_sum + ${input.score}, rating_count = rating_count + 1 where id = ${target}`.execute(
        trx,
      );
  });
}
