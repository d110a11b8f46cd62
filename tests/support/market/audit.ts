/** Manipulations of the audit log by a database superuser, and helpers that undo them. */
import type pg from 'pg';
import { superuserClient } from '../database/database.ts';

/**
 * Seals rows again from number $1 on, as an attacker who knows how the chain is built would; `days` moves seals into the past, by their number.
 * Leaves the head as it becomes.
 */
async function reseal(client: pg.Client, from: number): Promise<void> {
  await client.query(
    `do $$
    declare
      s record;
      v_hash bytea := coalesce((select hash from audit_seal where seq = ${from - 1}), decode(repeat('00', 32), 'hex'));
    begin
      for s in select k.seq, k.sealed_at, a from audit_seal k join audit_log a on a.id = k.audit_id where k.seq >= ${from} order by k.seq loop
        v_hash := sha256(v_hash || convert_to(audit_content(s.seq, s.sealed_at, s.a), 'UTF8'));
        update audit_seal set hash = v_hash where seq = s.seq;
      end loop;
    end $$`,
  );
  await client.query(
    'update audit_head h set seq = s.seq, hash = s.hash from (select seq, hash from audit_seal order by seq desc limit 1) s',
  );
}

/** Superuser access to one database. */
export class Tamperer {
  readonly #client: pg.Client;

  private constructor(client: pg.Client) {
    this.#client = client;
  }

  static async over(database: string): Promise<Tamperer> {
    return new Tamperer(await superuserClient(database));
  }

  async run(statement: string): Promise<void> {
    await this.#client.query(statement);
  }

  async reseal(from: number): Promise<void> {
    await reseal(this.#client, from);
  }

  /** Number of a seal → its row. */
  async rows(): Promise<Map<number, number>> {
    const { rows } = await this.#client.query<{ seq: number; audit_id: number }>(
      'select seq, audit_id from audit_seal',
    );
    return new Map(rows.map(({ seq, audit_id }) => [seq, audit_id]));
  }

  /** Keeps the record as it is now, for `restore`. */
  async save(): Promise<void> {
    for (const table of ['audit_log', 'audit_seal', 'audit_head'])
      await this.#client.query(`create table kept_${table} as select * from ${table}`);
  }

  async restore(): Promise<void> {
    await this.#client.query('truncate audit_log, audit_seal, audit_head');
    for (const table of ['audit_log', 'audit_seal', 'audit_head'])
      await this.#client.query(`insert into ${table} overriding system value select * from kept_${table}`);
  }

  async close(): Promise<void> {
    await this.#client.end();
  }
}
