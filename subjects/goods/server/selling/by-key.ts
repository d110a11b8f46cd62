import { sql } from 'kysely';
import { yuanLabel } from '#contract/wire.ts';
import type { UserCall } from '#server/access/call.ts';
import type { Trx } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';

/** The recorded author of a listing's change: its seller, or the API key of the seller's own program. */
export const actorOf = ({ caller, user }: UserCall): string =>
  caller.key ? `key:${caller.key.id}` : `user:${user.id}`;

/**
 * Limits the damage of a stolen key: it may not lower a price by more than its owner allowed, relative to the highest
 * price of the last day, so that many small steps do not add up. Sellers themselves are not limited. Throws KEY_DROP.
 */
export async function checkKeyDrop(
  { caller }: UserCall,
  trx: Trx,
  own: { id: number; priceFen: number },
  priceFen: number,
): Promise<void> {
  const { key } = caller;
  if (!key || priceFen >= own.priceFen) return;
  const { rows } = await sql<{ highest: number | null }>`
    select max(price_fen) as highest from goods_price_day where goods_id = ${own.id} and until > now() - interval '1 day'`.execute(
    trx,
  );
  const highest = Math.max(own.priceFen, rows[0]?.highest ?? 0);
  const least = Math.ceil((highest * (100 - key.maxDropPercent)) / 100);
  if (priceFen >= least) return;
  throw new AppError('KEY_DROP', {
    text: `密钥一天内最多降价 ${key.maxDropPercent}%，这件商品不能低于 ${yuanLabel(least)} 元；要降更多请在「我的商品」页由本人修改`,
    field: 'price',
  });
}
