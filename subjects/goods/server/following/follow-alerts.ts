/** The alerts that followers of a listing receive, and which of them were already sent. */
import { sql } from 'kysely';
import type { Trx } from '#server/db/client.ts';

/** Sets which alerts a follower gets. False when the user does not follow the listing. */
export async function setFollowAlerts(
  db: Trx,
  { goodsSn, userId, drop, back }: { goodsSn: string; userId: number; drop: boolean; back: boolean },
): Promise<boolean> {
  const { rows } = await sql`update goods_follow f set alert_drop = ${drop}, alert_back = ${back} from goods g
    where g.sn = ${goodsSn.toUpperCase()} and f.goods_id = g.id and f.user_id = ${userId} returning 1`.execute(db);
  return rows.length > 0;
}

/**
 * Marks the followers to be notified of a price, in fen, and returns them. The price must still be the listing's, and be below the
 * price at the time of following and below every price that the follower was notified of before.
 */
export async function followersToNotifyOfPrice(trx: Trx, goodsId: number, priceFen: number): Promise<number[]> {
  const { rows } = await sql<{ userId: number }>`
    update goods_follow f set told_fen = ${priceFen} from goods g
    where f.goods_id = ${goodsId} and g.id = f.goods_id and g.price_fen = ${priceFen} and f.alert_drop and f.user_id <> g.seller_id
      and ${priceFen} < least(f.price_fen, coalesce(f.told_fen, f.price_fen)) returning f.user_id as "userId"`.execute(
    trx,
  );
  return rows.map(({ userId }) => userId);
}

/** Marks the followers who are to be notified that a listing is on sale again, each at most once a day; returns them. */
export async function followersToNotifyOfReturn(trx: Trx, goodsId: number, sellerId: number): Promise<number[]> {
  const { rows } = await sql<{ userId: number }>`
    update goods_follow f set told_back_at = now() where f.goods_id = ${goodsId} and f.alert_back and f.user_id <> ${sellerId}
      and (f.told_back_at is null or f.told_back_at < now() - interval '1 day') returning f.user_id as "userId"`.execute(
    trx,
  );
  return rows.map(({ userId }) => userId);
}
