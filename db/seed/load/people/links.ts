import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { createHash } from 'node:crypto';
import { encryptedValues } from './encrypted-values.ts';
import type { Market } from '../market.ts';
import type { Person } from './people.ts';

const hash = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * Who shares what with the demo seller, so that a user's page in the back office shows links: two of their buyers used their browser, another user
 * was paid out to their account before, two share a network, and one invited them. Comes after the sellers' levels, which it does not change.
 */
export async function storeLinks(market: Market, people: readonly Person[]): Promise<void> {
  const seller = people[1];
  if (!seller) return;
  const { rows } = await market.client.query<{ id: string }>(
    `select buyer_id::text as id from orders where seller_id = $1 and status = ${OrderStatus.Completed} and not (buyer_id = any($2)) group by buyer_id
     order by count(*) desc, buyer_id limit 6`,
    [seller.id, people.slice(0, 6).map(({ id }) => id)],
  );
  const [first, second, third, fourth, fifth, sixth] = rows.map(({ id }) => Number(id));
  const browser = async (userId: number | undefined, name: string, days: number) => {
    if (userId !== undefined)
      await market.client.query(
        `insert into user_browser (user_id, browser_hash, first_at, last_at) values ($1, $2, now() - make_interval(days => $3), now() - make_interval(hours => $3))`,
        [userId, hash(`browser ${name}`), days],
      );
  };
  await browser(seller.id, 'home', 90);
  await browser(seller.id, 'phone', 60);
  await browser(first, 'home', 11);
  await browser(second, 'home', 30);
  for (const userId of [seller.id, third, fourth])
    if (userId !== undefined)
      await market.client.query(
        `insert into user_network (user_id, network_hash, first_at, last_at) values ($1, $2, now() - interval '20 days', now() - interval '6 hours')`,
        [userId, hash('network of a dormitory')],
      );
  if (fifth !== undefined)
    await market.client.query(
      `insert into payout_account (user_id, kind, account_enc, account_hash, account_mask, name_enc, created_at, removed_at)
       select $1, 'alipay', $2, p.account_hash, p.account_mask, $3, now() - interval '80 days', now() - interval '50 days'
       from payout_account p where p.user_id = $4 and p.kind = 'alipay' and p.removed_at is null`,
      [
        fifth,
        encryptedValues.payout(market.keys, fifth, seller.phone),
        encryptedValues.payoutName(market.keys, fifth, seller.nickName),
        seller.id,
      ],
    );
  if (sixth !== undefined)
    await market.client.query('update app_user set inviter_id = $1 where id = $2 and inviter_id is null', [
      sixth,
      seller.id,
    ]);
}
