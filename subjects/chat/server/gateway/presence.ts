import { sql } from 'kysely';
import type { Context } from '#server/context.ts';

/** Records that a member is connected at this gateway. */
export async function setOnline(ctx: Context, node: string, member: string): Promise<void> {
  await sql`with n as (insert into chat_gateway (node) values (${node}) on conflict (node) do update set seen_at = now())
    insert into chat_presence (member, node) values (${member}, ${node}) on conflict do nothing`.execute(ctx.db);
}

/** Records that a member's last connection at this gateway has closed. */
export async function setOffline(ctx: Context, node: string, member: string): Promise<void> {
  await sql`delete from chat_presence where node = ${node} and member = ${member}`.execute(ctx.db);
}

/**
 * One heartbeat for all members connected here. It corrects the table after a database crash (the tables are unlogged) and after failed
 * writes, and removes gateways that have been silent for ten minutes.
 */
export async function beat(ctx: Context, node: string, members: readonly string[]): Promise<void> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from chat_presence where node = ${node}`.execute(
    ctx.db,
  );
  await sql`insert into chat_gateway (node) values (${node}) on conflict (node) do update set seen_at = now()`.execute(
    ctx.db,
  );
  if (rows[0]?.n !== members.length) {
    await sql`delete from chat_presence where node = ${node} and member <> all(${[...members]}::text[])`.execute(
      ctx.db,
    );
    await sql`insert into chat_presence (member, node) select m, ${node} from unnest(${[...members]}::text[]) m on conflict do nothing`.execute(
      ctx.db,
    );
  }
  await sql`with gone as (delete from chat_gateway where seen_at < now() - interval '10 minutes' returning node)
    delete from chat_presence where node in (select node from gone)`.execute(ctx.db);
}

/** Keeps the presence table up to date: changes are written sequentially, and the last state of a member wins. */
export class Presence {
  readonly #ctx: Context;
  readonly #node: string;
  readonly #isHere: (member: string) => boolean;
  readonly #written = new Set<string>();
  readonly #changed = new Set<string>();
  #running = false;

  constructor(ctx: Context, node: string, isHere: (member: string) => boolean) {
    this.#ctx = ctx;
    this.#node = node;
    this.#isHere = isHere;
  }

  /** Reports that a member connected or disconnected. */
  changed(member: string): void {
    this.#changed.add(member);
    if (!this.#running) void this.#write();
  }

  async #write(): Promise<void> {
    this.#running = true;
    for (const member of this.#changed) {
      this.#changed.delete(member);
      const here = this.#isHere(member);
      if (here === this.#written.has(member)) continue;
      try {
        await (here ? setOnline : setOffline)(this.#ctx, this.#node, member);
        if (here) this.#written.add(member);
        else this.#written.delete(member);
      } catch (error) {
        // The next heartbeat corrects it.
        this.#ctx.log.warn({ error: String(error) }, 'presence not written');
      }
    }
    this.#running = false;
  }
}

/** Removes a gateway that stops. */
export async function leaveNode(ctx: Context, node: string): Promise<void> {
  await sql`with n as (delete from chat_gateway where node = ${node}) delete from chat_presence where node = ${node}`.execute(
    ctx.db,
  );
}
