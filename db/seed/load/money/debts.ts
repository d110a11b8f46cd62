import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { sql } from 'kysely';
import { account, recordDebt } from '#subjects/ledger/server/service.ts';
import type { Market } from '../market.ts';
import type { Person } from '../people/people.ts';

/** Missing part of an agreed refund, in fen: a seller's balance has it, so it is paid immediately. */
const MISSING_FEN = 1_200;

interface Sale {
  id: number;
  sn: string;
  buyer: number;
  seller: number;
  distId: number;
}

/** Debts that agreements left and that are paid: one to the demo buyer, one of the demo seller. */
export async function storeDebts(market: Market, people: readonly Person[]): Promise<void> {
  const [buyer, seller] = [people[0], people[1]];
  if (!buyer || !seller) return;
  for (const whose of [
    sql`o.buyer_id = ${buyer.id} and o.seller_id <> ${seller.id}`,
    sql`o.seller_id = ${seller.id} and o.buyer_id <> ${buyer.id}`,
  ]) {
    const { rows } = await sql<Sale>`
      select o.id, o.sn, o.buyer_id as buyer, o.seller_id as seller, o.dist_id as "distId" from orders o
        join hold h on h.code = 'sale_protection' and h.ref = o.id::text and h.released_at is not null
      where ${whose} and o.status = ${sql.lit(OrderStatus.Completed)} and o.goods_fen > ${MISSING_FEN} order by o.id desc limit 1`.execute(
      market.db,
    );
    const sale = rows[0];
    if (!sale) continue;
    await recordDebt(market.db, {
      debtor: { userId: sale.seller },
      creditor: account.available(sale.buyer),
      fen: MISSING_FEN,
      code: 'settled',
      reason: `订单 ${sale.sn} 协商结案，退款的差额`,
      ref: `demo:debt:${sale.id}`,
      orderId: sale.id,
      distId: sale.distId,
    });
  }
}
