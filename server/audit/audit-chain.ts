import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db, Trx } from '../db/client.ts';

/** A head of the chain as stored outside this machine: `hash` is hex, `day` a date in China's time zone. */
export interface AuditHead {
  day: string;
  seq: number;
  hash: string;
}

/** One inconsistency: its number in the chain, its row in `audit_log`, its day, and a description. */
export interface AuditBreak {
  seq: number | null;
  row: number | null;
  day: string;
  text: string;
}

/** Result of verifying the whole chain; `breaks` is in order and empty when the chain is intact. */
export interface AuditFinding {
  seq: number;
  hash: string;
  /** How many heads were compared. */
  heads: number;
  breaks: AuditBreak[];
}

const GENESIS = Buffer.alloc(32);
const BATCH = 5_000;
/** Further breaks are not reported. */
const MAX_BREAKS = 50;
/** Reading a chain of many millions takes minutes. */
const RUN_LIMIT = '40min';

interface SealRow {
  seq: number;
  audit_id: number;
  day: string;
  hash: Buffer;
  /** The text that the hash covers, built from the row as it is now; null when the row is missing. */
  content: string | null;
}

/**
 * Seals after a number, each with the text it should cover. Does not use the database's own function, which the database's owner could
 * replace.
 */
const sealsBehind = (seq: number) => sql<SealRow>`
  select s.seq, s.audit_id, to_char(s.sealed_at at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as day, s.hash,
    case when a.id is not null then jsonb_build_array(s.seq, (extract(epoch from s.sealed_at) * 1000000)::bigint, a.id, a.staff_id, a.act,
      a.target, a.detail, a.ip, (extract(epoch from a.created_at) * 1000000)::bigint)::text end as content
  from audit_seal s left join audit_log a on a.id = s.audit_id where s.seq > ${seq} order by s.seq limit ${BATCH}`;

/** Reads the seals in order and keeps the state needed to check the next one. */
class Reader {
  readonly breaks: AuditBreak[] = [];
  seq = 0;
  row: number | null = null;
  day = '';
  hash: Buffer = GENESIS;
  readonly #heads: Map<number, AuditHead[]>;
  /** All heads agree up to this number; null once one does not. */
  #lastAgreed: number | null = 0;

  constructor(heads: readonly AuditHead[]) {
    this.#heads = Map.groupBy(heads, ({ seq }) => seq);
  }

  addBreak(auditBreak: AuditBreak): void {
    if (this.breaks.length < MAX_BREAKS) this.breaks.push(auditBreak);
  }

  read(s: SealRow): void {
    if (s.seq !== this.seq + 1) {
      const text = `第 ${this.seq + 1}${s.seq > this.seq + 2 ? ` 至 ${s.seq - 1}` : ''} 条缺失`;
      this.addBreak({ seq: this.seq + 1, row: null, day: s.day, text });
    } else this.#checkHash(s);
    Object.assign(this, { seq: s.seq, row: s.audit_id, day: s.day, hash: s.hash });
    for (const head of this.#heads.get(s.seq) ?? []) this.#compare(s, head);
  }

  #checkHash(s: SealRow): void {
    const at = { seq: s.seq, row: s.audit_id, day: s.day };
    if (s.content === null) return this.addBreak({ ...at, text: `第 ${s.seq} 条的记录已被删除` });
    const due = createHash('sha256').update(this.hash).update(s.content, 'utf8').digest();
    if (!due.equals(s.hash)) this.addBreak({ ...at, text: `第 ${s.seq} 条与封存时的内容不符` });
  }

  #compare(s: SealRow, head: AuditHead): void {
    if (s.hash.toString('hex') === head.hash) {
      if (this.#lastAgreed !== null) this.#lastAgreed = s.seq;
      return;
    }
    if (this.#lastAgreed === null) return;
    const text = `第 ${this.#lastAgreed + 1} 至 ${s.seq} 条在 ${head.day} 存证之后被改写`;
    this.addBreak({ seq: s.seq, row: s.audit_id, day: head.day, text });
    this.#lastAgreed = null;
  }

  /** Checks the end: stored heads and the `audit_head` row must not lie beyond the last seal. */
  end(last: { seq: number; hash: Buffer } | undefined, heads: readonly AuditHead[]): void {
    const cut = heads.filter(({ seq }) => seq > this.seq).toSorted((a, b) => a.seq - b.seq)[0];
    const at = { seq: this.seq + 1, row: null };
    if (cut)
      this.addBreak({
        ...at,
        day: cut.day,
        text: `第 ${this.seq + 1} 条起被截去，${cut.day} 的存证到第 ${cut.seq} 条`,
      });
    else if (!last) this.addBreak({ ...at, day: this.day, text: '链头的记录缺失' });
    else if (last.seq !== this.seq || !last.hash.equals(this.hash))
      this.addBreak({ ...at, day: this.day, text: `第 ${this.seq} 条之后被截去，链头在第 ${last.seq} 条` });
  }
}

/** Rows without a seal: inserted past the trigger, or their seal was removed. */
async function unsealed(trx: Trx): Promise<AuditBreak[]> {
  const { rows } = await sql<{ id: number; day: string }>`
    select a.id, to_char(a.created_at at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as day from audit_log a
    where not exists (select from audit_seal s where s.audit_id = a.id) order by a.id limit ${MAX_BREAKS}`.execute(trx);
  return rows.map(({ id, day }) => ({ seq: null, row: id, day, text: `记录 ${id} 没有封存` }));
}

/**
 * Verifies the whole audit chain on one snapshot, without blocking writers, and compares it with the heads stored outside this
 * machine. Detects rows that were changed, removed, reordered or inserted by hand, a truncated tail, and a chain that was resealed.
 * Throws database errors.
 */
export async function verifyAudit(db: Db, heads: readonly AuditHead[]): Promise<AuditFinding> {
  return await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      await sql`select set_config('statement_timeout', ${RUN_LIMIT}, true)`.execute(trx);
      const reader = new Reader(heads);
      for (;;) {
        const { rows } = await sealsBehind(reader.seq).execute(trx);
        for (const row of rows) reader.read(row);
        if (rows.length < BATCH) break;
      }
      const { rows } = await sql<{ seq: number; hash: Buffer }>`select seq, hash from audit_head`.execute(trx);
      reader.end(rows[0], heads);
      const breaks = [...reader.breaks, ...(await unsealed(trx))].slice(0, MAX_BREAKS);
      return { seq: reader.seq, hash: reader.hash.toString('hex'), heads: heads.length, breaks };
    });
}
