import { PLATFORM_DIST_ID } from '#contract/rules/parties.ts';
import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import type { Keys } from '#server/kernel/secrets/crypto.ts';
import { createUser } from '#subjects/accounts/server/service.ts';
import { escrowBid, fundPlatform } from './money.ts';
import { platformId, platformSpent } from './rows.ts';

/** Not a real phone number, so logging in as the platform's recycler is impossible. */
const NO_PHONE = '10000000052';
const NAME = '平台回收';

/** Creates the platform's recycler in the caller's transaction and returns its user, who receives no notices outside the site. */
export async function makePlatform(trx: Trx, keys: Keys): Promise<number> {
  const user = await createUser(trx, keys, { distId: PLATFORM_DIST_ID, phone: NO_PHONE, nickName: NAME });
  if (!user) throw new Error("the platform's recycler could not be created");
  await sql`insert into recycler (user_id, dist_id, name, day_limit_fen, status, is_platform)
    values (${user.id}, 1, ${NAME}, 9000000000, 1, true)`.execute(trx);
  return user.id;
}

/** Creates the platform's recycler if there is none. */
export async function ensurePlatform(ctx: Context): Promise<void> {
  if ((await platformId(ctx.db)) !== undefined) return;
  await inTransaction(ctx.db, async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('recycler:platform', 0))`.execute(trx);
    if ((await platformId(trx)) === undefined) await makePlatform(trx, ctx.keys);
  });
}

/** Whether the amount fits into the platform's 30-day budget; the result is valid until the transaction ends. Amounts in fen. */
export async function withinBudget(trx: Trx, fen: number, budgetFen: number): Promise<boolean> {
  await sql`select from recycler where is_platform for update`.execute(trx);
  return (await platformSpent(trx)) + fen <= budgetFen;
}

/** The platform's floor is stored as a bid with its money, as recyclers' bids are, in the transaction that creates the request. */
export async function bidFloor(trx: Trx, request: { id: number; distId: number }, floorFen: number): Promise<void> {
  const recyclerId = await platformId(trx);
  if (recyclerId === undefined) throw new Error('no platform recycler exists');
  const { rows } = await sql<{ id: number }>`
    insert into recycle_quote (request_id, recycler_id, amount_fen) values (${request.id}, ${recyclerId}, ${floorFen}) returning id`.execute(
    trx,
  );
  const bid = { id: rows[0]?.id ?? 0, recyclerId, amountFen: floorFen, feeFen: 0 };
  await fundPlatform(trx, bid, request.distId);
  await escrowBid(trx, bid, floorFen, request.distId);
}
