import { sql } from 'kysely';
import type { getRecyclerInfo, recyclerApply, updateRecycler } from '#contract/recycling.ts';
import type { Answer, Parsed } from '#contract/endpoint.ts';
import type { UserCall } from '#server/call.ts';
import type { Trx } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import { catalogue, coinGames } from '#server/slices/games/service.ts';
import { balancesOf } from '#server/slices/ledger/service.ts';
import type { FeeSetting } from '#server/slices/orders/service.ts';
import {
  applyProvider,
  changeProvider,
  depositOf,
  providerOf,
  type ProviderRow,
  providerStatusName,
  recordOf,
} from '#server/slices/providers/service.ts';
import { spentToday } from './sell.ts';

type Applied = Answer<typeof recyclerApply>;

async function appliedOf({ ctx, user }: UserCall, row: ProviderRow): Promise<Applied> {
  const [all, deposit] = await Promise.all([catalogue(ctx), depositOf(ctx.db, user.id, 'recycler')]);
  return {
    status: row.status,
    statusName: providerStatusName(row.status),
    deposit: recordOf(row, all, deposit).deposit,
  };
}

/** Throws COIN_OPEN_ORDERS while something bought is under way; otherwise its offers leave the shelf with it. */
async function mayLeave(trx: Trx, { userId }: ProviderRow): Promise<void> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from orders where buyer_id = ${userId} and type_id = 52 and status in (0, 1, 2)`.execute(
    trx,
  );
  if ((rows[0]?.n ?? 0) > 0) throw new AppError('COIN_OPEN_ORDERS', { text: '还有进行中的回收订单，完成后才能退出' });
  await sql`update recycle_coin_offer set status = 2, updated_at = now() where recycler_id = ${userId} and status = 1`.execute(
    trx,
  );
}

/** Applies to be a recycler. Throws REAL_NAME_REQUIRED, REAL_NAME_MINOR, PROVIDER_STATE, BAD_INPUT, PICTURE_BROKEN. */
export async function applyRecycler(call: UserCall, form: Parsed<typeof recyclerApply>): Promise<Applied> {
  return await appliedOf(call, await applyProvider(call, 'recycler', form, {}));
}

/** Changes one's record as a recycler, leaves or comes back. Throws PROVIDER_REQUIRED, PROVIDER_STATE, COIN_OPEN_ORDERS, BAD_INPUT. */
export async function changeRecycler(call: UserCall, form: Parsed<typeof updateRecycler>): Promise<Applied> {
  return await appliedOf(call, await changeProvider(call, 'recycler', form, {}, mayLeave));
}

/** One's record as a recycler with today's limit and what is spent of it. Amounts in fen. */
export async function recyclerInfo(call: UserCall): Promise<Answer<typeof getRecyclerInfo>> {
  const { ctx, user } = call;
  const [row, all] = await Promise.all([providerOf(ctx.db, user.id, 'recycler'), catalogue(ctx)]);
  const shared = { coinGames: coinGames(all), serviceFeeBp: ctx.dir.setting<FeeSetting>('fees').buyerBp };
  if (!row) return { ...shared, recycler: null };
  const [deposit, balances, daySpent, { rows }] = await Promise.all([
    depositOf(ctx.db, user.id, 'recycler'),
    balancesOf(ctx.db, user.id),
    spentToday(ctx.db, user.id),
    sql<{ dayLimit: number | null; onSale: number; open: number; done: number }>`select
      (select day_limit_fen from recycler where user_id = ${user.id} and status = 1) as "dayLimit",
      coalesce((select won_count from recycler where user_id = ${user.id}), 0) as done,
      (select count(*)::int from recycle_coin_offer where recycler_id = ${user.id} and status = 1) as "onSale",
      (select count(*)::int from orders where buyer_id = ${user.id} and type_id = 52 and status in (1, 2)) as open`.execute(
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
