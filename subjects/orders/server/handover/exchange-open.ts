import { sql } from 'kysely';
import type { z } from 'zod';
import type { openedForm } from '#subjects/orders/contract/handover.ts';
import { codes, type ErrorName } from '#contract/codes.ts';
import { exchangeKinds } from '../../rules/exchange.ts';
import { openingPurposes, SEALED_OPEN_SECONDS } from '../../rules/sealed-fields.ts';
import type { UserCall } from '#server/access/call.ts';
import { inTransaction } from '#server/db/client.ts';
import { decryptWith } from '#server/kernel/secrets/crypto.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { addProcess } from '../process.ts';
import { exchangeAccessOf } from './access.ts';
import { dataKey } from './credentials.ts';
import { isCodeReadable, lockedExchange, valueAad } from './exchange.ts';

const CLOSED_TEXT: Partial<Record<ErrorName, string>> = {
  ORDER_FORBIDDEN: '这项内容是封存给对方的，您不能查看',
  ORDER_DISPUTED: '订单在申诉中，结案前不能查看',
  ORDER_STATE: '这一步不在进行中，封存的内容不再打开',
};

/**
 * Opens a value that the other party sealed in the current step, for a minute. The opening is recorded; a code can be opened once, and again
 * only within the minute after that. Throws ORDER_NOT_FOUND, ORDER_STATE, ORDER_FORBIDDEN, ORDER_DISPUTED, SEAL_NONE.
 */
export async function openExchanged(
  call: UserCall,
  input: { orderId: number; step: number; part: 'target' | 'code' },
): Promise<z.input<typeof openedForm>> {
  const { ctx, user } = call;
  return await inTransaction(ctx.db, async (trx) => {
    const { order, role, step, row, isCurrent } = await lockedExchange(ctx, trx, { ...input, userId: user.id });
    const from = input.part === 'target' || step.actor === 'seller' ? 'buyer' : 'seller';
    const access = exchangeAccessOf({ disputed: order.disputed, isCurrent }, role, from);
    if ('closed' in access)
      throw new AppError(access.closed, { text: CLOSED_TEXT[access.closed] ?? codes[access.closed][2] });
    const isCode = input.part === 'code';
    const value = isCode ? row.code : row.target;
    if (!value) throw new AppError('SEAL_NONE');
    if (isCode && !isCodeReadable(row)) throw errorOf('ORDER_STATE', 'exchangeCodeGone');
    const key = await dataKey(ctx, trx, order.id);
    if (!key) throw errorOf('ORDER_STATE', 'formErased');
    const version = isCode ? row.codeVersion : row.targetVersion;
    const text = decryptWith(key, valueAad(order.id, step.step, input.part, version), value);
    const kind = exchangeKinds[step.exchange];
    const { rows } = await (isCode
      ? sql<{ at: Date }>`update order_exchange set code_opened_at = coalesce(code_opened_at, now())
            where order_id = ${order.id} and step = ${step.step} returning now() as at`
      : sql<{ at: Date }>`update order_exchange set target_opened_at = now(), target_openings = target_openings + 1
            where order_id = ${order.id} and step = ${step.step} returning now() as at`
    ).execute(trx);
    const at = rows[0]?.at ?? new Date();
    const label = isCode ? kind.code : kind.target;
    const isFirst = isCode ? row.codeOpenedAt === null : row.targetOpenedAt === null;
    if (isFirst) await addProcess(trx, order, `${role === 'buyer' ? '买家' : '卖家'}查看了${label}`, `user:${user.id}`);
    return {
      step: step.step,
      version,
      fields: [{ key: input.part, label, value: text }],
      watermark: `${user.nickName} ${order.sn}`,
      purpose: openingPurposes[access.purpose],
      count: isCode ? 1 : row.targetOpenings + 1,
      openedTime: at,
      openUntil: new Date(at.getTime() + SEALED_OPEN_SECONDS * 1000),
    };
  });
}
