import { sql } from 'kysely';
import { maskContacts } from '#contract/rules/contacts.ts';
import type { Context } from '#server/context.ts';
import type { Trx } from '#server/db/client.ts';
import { decrypt, encrypt } from '#server/kernel/crypto.ts';

/** One text of a listing from which the contact filter cut something. */
export interface Finding {
  /** Name of the field as the form calls it. */
  label: string;
  /** As the seller wrote it. */
  original: string;
  /** The sentences that were cut. */
  sentences: string[];
}

/** A text without its contacts; what was cut is added to `findings`. */
export function withoutContacts(label: string, original: string, findings: Finding[]): string {
  const { text, masked, sentences } = maskContacts(original);
  if (masked) findings.push({ label, original, sentences });
  return text;
}

const placeOf = (goodsId: number): string => `goods_finding.sealed:${goodsId}`;

/** Keeps what was cut from a listing until its review is decided, sealed; forgets what an earlier version of it held. */
export async function saveFindings(
  ctx: Context,
  trx: Trx,
  goodsId: number,
  findings: readonly Finding[],
): Promise<void> {
  if (findings.length === 0) {
    await forgetFindings(trx, goodsId);
    return;
  }
  const sealed = encrypt(ctx.keys, placeOf(goodsId), JSON.stringify(findings));
  await sql`insert into goods_finding (goods_id, sealed) values (${goodsId}, ${sealed})
    on conflict (goods_id) do update set sealed = excluded.sealed, created_at = now()`.execute(trx);
}

/** Forgets what was cut: its review is decided. */
export async function forgetFindings(trx: Trx, goodsId: number): Promise<void> {
  await sql`delete from goods_finding where goods_id = ${goodsId}`.execute(trx);
}

/** What was cut from each of some listings, for those who review them. */
export async function findingsOf(ctx: Context, goodsIds: readonly number[]): Promise<Map<number, Finding[]>> {
  if (goodsIds.length === 0) return new Map();
  const { rows } = await sql<{ id: number; sealed: Buffer }>`
    select goods_id as id, sealed from goods_finding where goods_id = any(${[...goodsIds]}::bigint[])`.execute(ctx.db);
  return new Map(
    rows.map(({ id, sealed }) => {
      const findings: Finding[] = JSON.parse(decrypt(ctx.keys, placeOf(id), sealed));
      return [id, findings];
    }),
  );
}
