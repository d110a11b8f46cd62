/** Ties between two people, written as logging in, payees and invitations leave them. */
import { sql } from 'kysely';
import type { LinkReason } from '#subjects/back-office/rules/links.ts';
import type { TestApp } from '../servers/build.ts';

/** Ties two users by one reason. */
export async function tie(t: TestApp, link: LinkReason, a: { id: number }, b: { id: number }): Promise<void> {
  const hash = Buffer.from(`${link}-${a.id}-${b.id}`);
  if (link === 'inviter') await sql`update app_user set inviter_id = ${b.id} where id = ${a.id}`.execute(t.ctx.db);
  else
    for (const { id } of [a, b]) {
      if (link === 'browser')
        await sql`insert into user_browser (user_id, browser_hash) values (${id}, ${hash})`.execute(t.ctx.db);
      if (link === 'network')
        await sql`insert into user_network (user_id, network_hash) values (${id}, ${hash})`.execute(t.ctx.db);
      if (link === 'payee')
        await sql`insert into payout_account (user_id, kind, account_enc, account_hash, account_mask, name_enc)
          values (${id}, 'bank', ${hash}, ${hash}, 'a**b', ${hash})`.execute(t.ctx.db);
    }
}
