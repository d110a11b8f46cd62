import { COMPANION_PLAY } from '#contract/rules/order-status.ts';
import { sql } from 'kysely';
import type { companionTip } from '#contract/companions.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { TIP_DAYS, TIP_MAX_FEN } from '#contract/rules/companion-slots.ts';
import { yuanLabel } from '#contract/wire.ts';
import type { UserCall } from '#server/access/call.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { idempotent, orEarlier } from '#server/db/idempotent.ts';
import { AppError } from '#server/kernel/errors.ts';
import { requireStepUp } from '#server/slices/accounts/service.ts';
import { account, post } from '#server/slices/ledger/service.ts';
import { addProcess } from '#server/slices/orders/service.ts';
import { actorOf, type Held, lockedService, notifyParty } from '../actions.ts';
import type { ServiceRow } from '../queries.ts';

const DAY_MS = 86_400_000;

/** What was given for an order so far, in fen. */
export async function tippedFen(db: Trx, orderId: number): Promise<number> {
  const { rows } = await sql<{ fen: number }>`
    select coalesce(sum(amount_fen), 0)::int as fen from service_tip where order_id = ${orderId}`.execute(db);
  return rows[0]?.fen ?? 0;
}

/** Whether a tip can be given: there was play, it is over, and ended recently. */
export function mayTip({ order, service, role }: Held): boolean {
  const isOver = service.state === 'checking' || service.state === 'done' || service.state === 'ended';
  return role === 'buyer' && isOver && !order.disputed && wasPlayed(service) && isFresh(service);
}

const wasPlayed = ({ typeId, startedAt, playedMinutes }: ServiceRow): boolean =>
  typeId === COMPANION_PLAY && startedAt !== null && (playedMinutes ?? 0) > 0;
const isFresh = ({ finishedAt }: ServiceRow): boolean =>
  finishedAt !== null && finishedAt.getTime() + TIP_DAYS * DAY_MS > Date.now();

/** Gives a tip, under the lock of the order. Throws ORDER_STATE, BAD_INPUT (field amount) above the cap, BALANCE_LOW. */
async function give(trx: Trx, held: Held, fen: number): Promise<number> {
  const { order } = held;
  if (held.role !== 'buyer') throw new AppError('ORDER_FORBIDDEN');
  if (!mayTip(held)) throw new AppError('ORDER_STATE', { text: `陪玩结束后 ${TIP_DAYS} 天内可以打赏` });
  const before = await tippedFen(trx, order.id);
  const left = TIP_MAX_FEN - before;
  if (fen > left)
    throw new AppError('BAD_INPUT', {
      text: `每单打赏合计不超过 ${yuanLabel(TIP_MAX_FEN)} 元，还可以打赏 ${yuanLabel(left)} 元`,
      field: 'amount',
    });
  const { rows } = await sql<{ id: number }>`
    insert into service_tip (order_id, amount_fen) values (${order.id}, ${fen}) returning id`.execute(trx);
  await post(trx, [
    {
      code: 'service_tip',
      ref: `tip:${rows[0]?.id}`,
      debit: account.available(order.buyerId),
      credit: account.available(order.sellerId),
      fen,
      dist: order.distId,
      order: order.id,
    },
  ]);
  await addProcess(trx, order, `买家打赏了 ${yuanLabel(fen)} 元`, actorOf(held));
  await notifyParty(trx, held, 'seller', {
    kind: 'service.order',
    ref: `tip:${rows[0]?.id}`,
    title: '收到打赏',
    text: `买家打赏了 ${yuanLabel(fen)} 元，已到您的余额`,
  });
  return before + fen;
}

/** Gives a tip after companion play, from balance to balance, together at most the cap. Throws as `give`, ORDER_NOT_FOUND, PAY_PASSWORD_*. */
export async function tipCompanion(
  call: UserCall,
  { orderId, amount, payPassword }: Parsed<typeof companionTip>,
): Promise<HandlerResult<typeof companionTip>> {
  const { ctx, user, idem } = call;
  return await orEarlier(ctx.db, idem, async () => {
    await requireStepUp(call, 'pay', { payPassword });
    return await inTransaction(ctx.db, (trx) =>
      idempotent(trx, idem, async () => {
        const tipped = await give(trx, await lockedService(trx, orderId, user.id), amount);
        return { tipped, left: TIP_MAX_FEN - tipped };
      }),
    );
  });
}
