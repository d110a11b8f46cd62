import { sql } from 'kysely';
import type { Trx } from '#server/db/client.ts';
import { emit } from '#server/jobs/effect-writer.ts';
import { AppError, asAppError } from '#server/kernel/errors.ts';
import { account, loadBalances, post, type Transfer } from '#subjects/ledger/server/service.ts';

/** The fields of a bid needed to move its money. Amounts in fen. */
export interface Bid {
  id: number;
  recyclerId: number;
  amountFen: number;
  feeFen: number;
}

/** Debits a new or raised bid; `fen` is the amount added to its escrow. Throws BALANCE_LOW. */
export async function escrowBid(trx: Trx, bid: Bid, fen: number, dist: number): Promise<void> {
  const ref = `bid:${bid.id}:${bid.amountFen}`;
  try {
    await post(trx, [
      { code: 'recycle_bid', ref, debit: account.available(bid.recyclerId), credit: account.bid(bid.id), fen, dist },
    ]);
  } catch (error) {
    if (asAppError(error)?.error !== 'BALANCE_LOW') throw error;
    throw new AppError('BALANCE_LOW', { text: '可用余额不足，出价须由平台托管全款和服务费', field: 'price' });
  }
}

/** Tops up the platform's recycler by the shortfall of its bid. */
export async function fundPlatform(trx: Trx, bid: Bid, dist: number): Promise<void> {
  const { availableFen } = await loadBalances(trx, bid.recyclerId);
  const fen = bid.amountFen + bid.feeFen - availableFen;
  if (fen <= 0) return;
  await post(trx, [
    {
      code: 'recycle_fund',
      ref: `bid:${bid.id}`,
      debit: account.platform('recycling', bid.id),
      credit: account.available(bid.recyclerId),
      fen,
      dist,
    },
  ]);
}

/**
 * Returns the open bids of a request, all or all except one, and notifies their recyclers of the reason, except the platform's own. The
 * caller holds the request's lock.
 */
export async function returnBids(
  trx: Trx,
  request: { id: number; sn: string; distId: number },
  except: number | null,
  why: string,
): Promise<void> {
  const { rows } = await sql<Bid>`
    update recycle_quote set status = 'returned'
    where request_id = ${request.id} and status = 'open' and id is distinct from ${except}::bigint
    returning id, recycler_id as "recyclerId", amount_fen as "amountFen", fee_fen as "feeFen"`.execute(trx);
  const lines = rows.map(
    (b): Transfer => ({
      code: 'recycle_bid_back',
      ref: `bid:${b.id}`,
      debit: account.bid(b.id),
      credit: account.available(b.recyclerId),
      fen: b.amountFen + b.feeFen,
      dist: request.distId,
    }),
  );
  if (lines.length === 0) return;
  await post(trx, lines);
  const { rows: told } = await sql<{ id: number }>`
    select user_id as id from recycler where user_id = any(${rows.map((b) => b.recyclerId)}::bigint[]) and not is_platform order by user_id`.execute(
    trx,
  );
  if (told.length === 0) return;
  await emit(trx, 'notice', {
    kind: 'recycle.recycler',
    userIds: told.map(({ id }) => id),
    ref: `recycle:${request.id}:back`,
    values: { what: '出价已退回', text: `回收单 ${request.sn} ${why}，出价和服务费已退回可用余额。` },
    link: '/specilPage/businessRecycling?own=1',
  });
}
