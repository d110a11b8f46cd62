import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { type Db, inTransaction, type Trx } from '#server/db/client.ts';
import { sha256 } from '#server/kernel/secrets/crypto.ts';
import { readableCode } from '#server/kernel/ids.ts';
import { account, post } from '#subjects/ledger/server/service.ts';
import { lockedOrder, type OrderTerms } from '#subjects/orders/server/service.ts';
import { maskHolder } from './rules.ts';
import { ORDERS_PAID_FOR, ORDERS_VALID } from '#server/states/order-states.ts';

const NO_LENGTH = 12;

/** Creates the covers that paid orders include; they start when the order is completed. Idempotent. */
export async function coverPaid(db: Db, orderIds: readonly number[]): Promise<void> {
  await sql`
    insert into guarantee_cover (dist_id, tier_id, kind, order_id, goods_id, fingerprint, holder_id, price_fen, premium_fen, payout_max_fen, terms)
    select o.dist_id, t.id, t.kind, o.id, o.goods_id, g.fingerprint, o.buyer_id, o.goods_fen,
      case t.kind when 'ensure' then o.ensure_fen else o.fix_ensure_fen end, o.goods_fen * t.payout_bp / 10000,
      jsonb_build_object('name', t.name, 'coverText', t.cover_text, 'exclusions', t.exclusions, 'chaseDays', t.chase_days, 'coverDays', t.cover_days,
        'version', t.version, 'reasons', t.reasons)
    from orders o join guarantee_tier t on t.id in (o.ensure_id, o.fix_ensure_id) left join goods g on g.id = o.goods_id
    where o.id = any(${[...orderIds]}::bigint[]) and o.status in ${ORDERS_PAID_FOR} order by o.id, t.kind on conflict (order_id, kind) do nothing`.execute(
    db,
  );
}

/** Voids the covers of cancelled orders; their premium was refunded with them. */
export async function coverCancelled(db: Db, orderIds: readonly number[]): Promise<void> {
  await sql`
    update guarantee_cover c set status = 'void' from orders o
    where o.id = c.order_id and c.order_id = any(${[...orderIds]}::bigint[]) and c.status = 'waiting' and o.status not in ${ORDERS_VALID}`.execute(
    db,
  );
}

/**
 * The completed orders that have a cover or whose account has one; most have neither. `coverCompleted` determines the holder, because an
 * earlier order of the same batch may be about to transfer it.
 */
export async function coveredAmong(db: Db, orderIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select o.id from orders o where o.id = any(${[...orderIds]}::bigint[]) and (o.ensure_id is not null or o.fix_ensure_id is not null or exists (
      select from goods g join guarantee_cover c on c.fingerprint = g.fingerprint
      where g.id = o.goods_id and g.fingerprint is not null and c.status in ('waiting', 'active'))) order by o.id`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

interface PendingCover {
  id: number;
  kind: string;
  fingerprint: Buffer | null;
}

/**
 * Starts the covers of a completed order, and transfers the existing covers of the account to the new owner. A new cover of the same kind
 * replaces the older one; while that one is being claimed, both exist.
 */
export async function coverCompleted(ctx: Context, orderId: number): Promise<void> {
  await coverPaid(ctx.db, [orderId]);
  await inTransaction(ctx.db, async (trx) => {
    const order = await lockedOrder(trx, orderId);
    if (order.status !== OrderStatus.Completed) return;
    const { rows } = await sql<PendingCover>`
      select id, kind, fingerprint from guarantee_cover where order_id = ${orderId} and status = 'waiting' order by id for update`.execute(
      trx,
    );
    for (const cover of rows) await startCover(trx, order, cover);
    await transferCovers(trx, order);
  });
}

async function startCover(trx: Trx, order: OrderTerms, cover: PendingCover): Promise<void> {
  await sql`update guarantee_cover set status = 'ended', ends_at = now()
    where fingerprint = ${cover.fingerprint} and kind = ${cover.kind} and status = 'active' and id <> ${cover.id}`.execute(
    trx,
  );
  await sql`update guarantee_cover c set status = 'active', starts_at = now(),
      ends_at = now() + make_interval(days => (c.terms->>'coverDays')::int),
      fingerprint = case when exists (select from guarantee_cover x where x.fingerprint = c.fingerprint and x.kind = c.kind and x.status = 'claimed')
        then null else c.fingerprint end
    where c.id = ${cover.id}`.execute(trx);
  await sql`insert into guarantee_holder (cover_id, seq, user_id, order_id) values (${cover.id}, 1, ${order.buyerId}, ${order.id}) on conflict do nothing`.execute(
    trx,
  );
  await issueCertificate(trx, cover.id);
}

/** Transfers the seller's covers on the account to the buyer. Covers of other holders stay: an account that was sold twice keeps its cover. */
async function transferCovers(trx: Trx, order: OrderTerms): Promise<void> {
  const { rows } = await sql<{ id: number; kind: string; fingerprint: Buffer }>`
    select c.id, c.kind, c.fingerprint from goods g join guarantee_cover c on c.fingerprint = g.fingerprint
    where g.id = ${order.goodsId} and g.fingerprint is not null and c.status = 'active' and c.holder_id = ${order.sellerId} and c.order_id <> ${order.id}`.execute(
    trx,
  );
  for (const cover of rows) {
    await sql`select guarantee_move(${cover.fingerprint}, ${cover.kind}, ${order.buyerId}, ${order.id})`.execute(trx);
    await issueCertificate(trx, cover.id);
  }
}

interface CertificateRow {
  seq: number;
  holder: string;
  price: number;
  payoutMax: number;
  terms: { name: string; coverText: string; exclusions: string[]; chaseDays: number };
  gameName: string;
  title: string;
  from: Date;
  before: string | null;
}

/** The text that a certificate's digest is computed from. Keys are sorted, because the database does not preserve their order. */
export const certificateText = (body: Readonly<Record<string, unknown>>): string =>
  JSON.stringify(
    Object.keys(body)
      .toSorted()
      .map((key) => [key, body[key]]),
  );

/** Issues the holder's certificate and marks the previous one as replaced. Once per holder. */
async function issueCertificate(trx: Trx, coverId: number): Promise<void> {
  const { rows } = await sql<CertificateRow>`
    select h.seq, u.nick_name as holder, c.price_fen as price, c.payout_max_fen as "payoutMax", c.terms,
      coalesce(o.snapshot->>'gameName', '') as "gameName", coalesce(o.snapshot->>'title', '') as title, h.from_at as from,
      (select p.no from guarantee_certificate p where p.cover_id = c.id and p.holder_seq < h.seq order by p.holder_seq desc limit 1) as before
    from guarantee_cover c join guarantee_holder h on h.cover_id = c.id and h.to_at is null join app_user u on u.id = h.user_id
      join orders o on o.id = c.order_id
    where c.id = ${coverId} and not exists (select from guarantee_certificate p where p.cover_id = c.id and p.holder_seq = h.seq)`.execute(
    trx,
  );
  const row = rows[0];
  if (!row) return;
  const no = readableCode(NO_LENGTH);
  const body = {
    tierName: row.terms.name,
    gameName: row.gameName,
    title: row.title,
    holder: maskHolder(row.holder),
    holderSeq: row.seq,
    priceFen: row.price,
    payoutMaxFen: row.payoutMax,
    coverText: row.terms.coverText,
    exclusions: row.terms.exclusions,
    chaseDays: row.terms.chaseDays,
    from: row.from.toISOString(),
  };
  await sql`insert into guarantee_certificate (no, cover_id, holder_seq, body, body_hash)
    values (${no}, ${coverId}, ${row.seq}, ${JSON.stringify(body)}::jsonb, ${sha256(certificateText(body))})`.execute(
    trx,
  );
  if (row.before !== null)
    await sql`update guarantee_certificate set replaced_by = ${no} where no = ${row.before}`.execute(trx);
}

/**
 * Voids the covers of a completed order whose whole price was returned by a ruling, and returns the premium to the buyer, less the
 * coupon's share. The caller holds the order's lock. Returns the amount, in fen.
 */
export async function voidCovers(trx: Trx, order: OrderTerms): Promise<number> {
  const { rows } = await sql<{ premium: number }>`
    update guarantee_cover set status = 'void' where order_id = ${order.id} and status = 'active' and holder_id = ${order.buyerId}
    returning premium_fen as premium`.execute(trx);
  const premium = rows.reduce((sum, r) => sum + r.premium, 0);
  if (premium === 0) return 0;
  // The coupon's share is the same as of the rest of the order. It is rounded up, because its share of the price is rounded down
  // (subjects/disputes/rules/ruling.ts), so that both add up to the coupon and no fen more is returned than was paid.
  const totalFen = order.goodsFen + order.serviceFeeFen + order.ensureFen + order.fixEnsureFen;
  const share = (BigInt(premium) * BigInt(order.discountFen) + BigInt(totalFen) - 1n) / BigInt(totalFen);
  const fen = premium - Number(share);
  if (fen === 0) return 0;
  await post(trx, [
    {
      code: 'premium_back',
      ref: `order:${order.id}`,
      debit: account.platform('guarantee_fund', order.id),
      credit: account.available(order.buyerId),
      fen,
      dist: order.distId,
      order: order.id,
    },
  ]);
  return fen;
}
