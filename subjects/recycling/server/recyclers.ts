import { OrderType } from '#subjects/orders/rules/order-types.ts';
import { CoinOfferStatus, RecyclerStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import type { getRecyclerInfo, recyclerApply, updateRecycler } from '#subjects/recycling/contract/recycling.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { yuanLabel } from '#contract/wire.ts';
import type { UserCall } from '#server/access/call.ts';
import type { Trx } from '#server/db/client.ts';
import { emit } from '#server/jobs/effect-writer.ts';
import { AppError } from '#server/kernel/errors.ts';
import { countedDeposit } from '#subjects/deposits/server/service.ts';
import { catalogue, coinGames } from '#subjects/games/server/service.ts';
import { loadBalances } from '#subjects/ledger/server/service.ts';
import { note } from '#subjects/providers/server/service.ts';
import {
  applyProvider,
  changeProvider,
  loadProvider,
  type ProviderRow,
  providerStatusName,
  recordOf,
} from '#subjects/providers/server/service.ts';
import { spentToday } from './sell.ts';
import { ORDERS_IN_PROGRESS, ORDERS_OPEN } from '#server/states/order-states.ts';

type Applied = HandlerResult<typeof recyclerApply>;

async function loadApplied({ ctx, user }: UserCall, row: ProviderRow): Promise<Applied> {
  const [all, deposit] = await Promise.all([catalogue(ctx), countedDeposit(ctx.db, user.id, 'recycler')]);
  return {
    status: row.status,
    statusName: providerStatusName(row.status),
    deposit: recordOf(row, all, deposit).deposit,
  };
}

/** Throws COIN_OPEN_ORDERS while purchases are open; otherwise takes the recycler's offers off the list too. */
async function mayLeave(trx: Trx, { userId }: ProviderRow): Promise<void> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from orders where buyer_id = ${userId} and type_id = ${sql.lit(OrderType.Recycling)} and status in ${ORDERS_OPEN}`.execute(
    trx,
  );
  if ((rows[0]?.n ?? 0) > 0) throw new AppError('COIN_OPEN_ORDERS', { text: '还有进行中的回收订单，完成后才能退出' });
  await sql`update recycle_coin_offer set status = ${sql.lit(CoinOfferStatus.OffSale)}, updated_at = now() where recycler_id = ${userId} and status = ${sql.lit(CoinOfferStatus.OnSale)}`.execute(
    trx,
  );
}

/** Applies to be a recycler. Throws REAL_NAME_REQUIRED, REAL_NAME_MINOR, PROVIDER_STATE, BAD_INPUT, PICTURE_BROKEN. */
export async function applyRecycler(call: UserCall, form: Parsed<typeof recyclerApply>): Promise<Applied> {
  return await loadApplied(call, await applyProvider(call, 'recycler', form, {}));
}

/** Changes the caller's recycler record, leaves or rejoins. Throws PROVIDER_REQUIRED, PROVIDER_STATE, COIN_OPEN_ORDERS, BAD_INPUT. */
export async function changeRecycler(call: UserCall, form: Parsed<typeof updateRecycler>): Promise<Applied> {
  return await loadApplied(call, await changeProvider(call, 'recycler', form, {}, mayLeave));
}

/** The caller's recycler record with today's limit and the amount spent. Amounts in fen. */
export async function recyclerInfo(call: UserCall): Promise<HandlerResult<typeof getRecyclerInfo>> {
  const { ctx, user } = call;
  const [row, all] = await Promise.all([loadProvider(ctx.db, user.id, 'recycler'), catalogue(ctx)]);
  const shared = { coinGames: coinGames(all), serviceFeeBp: ctx.dir.setting('fees').buyerBp };
  if (!row) return { ...shared, recycler: null };
  const [deposit, balances, daySpent, { rows }] = await Promise.all([
    countedDeposit(ctx.db, user.id, 'recycler'),
    loadBalances(ctx.db, user.id),
    spentToday(ctx.db, user.id),
    sql<{ dayLimit: number | null; onSale: number; open: number; done: number }>`select
      (select day_limit_fen from recycler where user_id = ${user.id} and status = ${sql.lit(RecyclerStatus.Active)}) as "dayLimit",
      coalesce((select won_count from recycler where user_id = ${user.id}), 0) as done,
      (select count(*)::int from recycle_coin_offer where recycler_id = ${user.id} and status = ${sql.lit(CoinOfferStatus.OnSale)}) as "onSale",
      (select count(*)::int from orders where buyer_id = ${user.id} and type_id = ${sql.lit(OrderType.Recycling)} and status in ${ORDERS_IN_PROGRESS}) as open`.execute(
      ctx.db,
    ),
  ]);
  const now = rows[0];
  return {
    ...shared,
    recycler: {
      ...recordOf(row, all, deposit),
      doneNum: now?.done ?? 0,
      dayLimit: now?.dayLimit ?? null,
      daySpent,
      balance: balances.availableFen,
      onSaleNum: now?.onSale ?? 0,
      openNum: now?.open ?? 0,
    },
  };
}

/** The daily limits of recyclers, in fen, by user; users who were never admitted are absent. */
export async function loadDayLimits(db: Trx, userIds: readonly number[]): Promise<Map<number, number>> {
  const { rows } = await sql<{ id: number; fen: number }>`
    select user_id as id, day_limit_fen as fen from recycler where user_id = any(${[...userIds]}::bigint[])`.execute(
    db,
  );
  return new Map(rows.map(({ id, fen }) => [id, fen]));
}

/** A change of a recycler's limit by staff; amounts in fen. `distId` limits an operator. */
interface LimitChange {
  providerId: number;
  distId: number | null;
  staffId: number;
  fen: number;
  seenFen: number;
  reason: string;
}

/**
 * Raises or lowers the amount that an admitted recycler may buy per day, and notifies the recycler. The input names the limit that
 * the caller saw; if it has changed since, or of two concurrent changes, the loser gets PROVIDER_STATE. Purchases of today count
 * against the new limit. Returns the recycler's user.
 */
export async function changeDayLimit(trx: Trx, change: LimitChange): Promise<number> {
  const { providerId, distId, fen, seenFen, reason } = change;
  const { rows } = await sql<{ userId: number }>`
    update recycler r set day_limit_fen = ${fen} from provider p
    where p.id = ${providerId} and p.kind = 'recycler' and p.status = 'approved' and p.user_id = r.user_id and r.day_limit_fen = ${seenFen}
      and (${distId}::int is null or p.dist_id = ${distId})
    returning r.user_id as "userId"`.execute(trx);
  const row = rows[0];
  if (!row) throw new AppError('PROVIDER_STATE', { text: '额度或资格刚有变动，请刷新后重试' });
  const [before, after] = [yuanLabel(seenFen), yuanLabel(fen)];
  const eventId = await note(trx, providerId, 'limit', `staff:${change.staffId}`, { before, after, reason });
  const notice = {
    kind: 'service.review',
    userId: row.userId,
    ref: `limit:${eventId}`,
    values: { text: `您的金币回收每日额度由 ${before} 元调整为 ${after} 元：${reason}。` },
    link: '/center/recycler',
  };
  await emit(trx, 'notice', notice);
  return row.userId;
}
