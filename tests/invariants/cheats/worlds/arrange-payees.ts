/** Where the money of a world's people goes when they withdraw it. */
import { sql } from 'kysely';
import { encrypt } from '#server/kernel/secrets/crypto.ts';
import type { TestUser } from '#tests/support/servers/build.ts';
import type { Market } from './market.ts';
import type { Who } from './model.ts';

interface Stage {
  market: Market;
  people: ReadonlyMap<Who, TestUser>;
}

/** Gives a person a payout account that is usable since yesterday. */
export async function addPayee({ market, people }: Stage, who: Who): Promise<void> {
  const { ctx } = market.t;
  const user = people.get(who);
  const id = user?.id ?? 0;
  const at = (column: string): string => `payout_account.${column}:${id}`;
  await sql`insert into payout_account (user_id, kind, account_enc, account_hash, account_mask, name_enc, created_at, usable_from)
    values (${id}, 'alipay', ${encrypt(ctx.keys, at('account_enc'), `${who}${id}@example.com`)}, ${Buffer.from(`payee ${id}`)}, 'x***',
      ${encrypt(ctx.keys, at('name_enc'), user?.realName ?? '')}, now() - interval '9 days', now() - interval '8 days')`.execute(
    ctx.db,
  );
}
