import { sql } from 'kysely';
import type { Context } from '#server/context.ts';

/** Notes that a person is connected at this gateway. */
export async function comeOnline(ctx: Context, node: string, member: string): Promise<void> {
  await sql`with n as (insert into chat_gateway (node) values (${node}) on conflict (node) do update set seen_at = now())
    insert into chat_presence (member, node) values (${member}, ${node}) on conflict do nothing`.execute(ctx.db);
}

/** Notes that a person's last connection at this gateway is gone. */
export async function goOffline(ctx: Context, node: string, member: string): Promise<void> {
  await sql`delete from chat_presence where node = ${node} and member = ${member}`.execute(ctx.db);
}

/**
 * One beat for all who are connected here. A database that crashed has forgotten them (the tables are unlogged): then they are
 * written again. Gateways that have been silent for ten minutes are cleared away.
 */
export async function beat(ctx: Context, node: string, members: readonly string[]): Promise<void> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from chat_presence where node = ${node}`.execute(
    ctx.db,
  );
  await sql`insert into chat_gateway (node) values (${node}) on conflict (node) do update set seen_at = now()`.execute(
    ctx.db,
  );
  if (rows[0]?.n !== members.length) {
    await sql`insert into chat_presence (member, node) select m, ${node} from unnest(${[...members]}::text[]) m on conflict do nothing`.execute(
      ctx.db,
    );
  }
  await sql`with gone as (delete from chat_gateway where seen_at < now() - interval '10 minutes' returning node)
    delete from chat_presence where node in (select node from gone)`.execute(ctx.db);
}

/** Clears a gateway that stops. */
export async function leaveNode(ctx: Context, node: string): Promise<void> {
  await sql`with n as (delete from chat_gateway where node = ${node}) delete from chat_presence where node = ${node}`.execute(
    ctx.db,
  );
}
