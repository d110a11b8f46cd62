/** Followers of the official account: the binding of a user to the open id that messages are sent to. */
import { sql } from 'kysely';
import type { Trx } from '#server/db/client.ts';

const PROVIDER = 'wechat_push';

/** Binds a follower to a user. Removes earlier bindings of both: each has one. */
export async function bindFollower(trx: Trx, userId: number, openId: string): Promise<void> {
  await sql`delete from third_party_binding where provider = ${PROVIDER} and (user_id = ${userId} or open_id = ${openId})`.execute(
    trx,
  );
  await sql`insert into third_party_binding (user_id, provider, open_id) values (${userId}, ${PROVIDER}, ${openId})`.execute(
    trx,
  );
}

/** Removes the bindings that match every field of `by`. */
export async function removeFollower(db: Trx, by: { userId?: number; openId?: string }): Promise<void> {
  const { userId = null, openId = null } = by;
  if (userId === null && openId === null) throw new Error('removeFollower requires userId or openId');
  await sql`delete from third_party_binding where provider = ${PROVIDER}
    and (${userId}::bigint is null or user_id = ${userId}) and (${openId}::text is null or open_id = ${openId})`.execute(
    db,
  );
}
