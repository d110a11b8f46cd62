import { sql } from 'kysely';
import { maskContacts } from '#contract/rules/contacts/contacts.ts';
import type { Context } from '#server/context.ts';
import type { Trx } from '#server/db/client.ts';
import { decrypt, encrypt } from '#server/kernel/secrets/crypto.ts';
import type { WordFilter } from '#server/blocked-words/filter.ts';

/** A text of a listing from which the contact filter removed something. */
export interface Finding {
  /** The field's label in the form. */
  label: string;
  /** The text as the seller wrote it. */
  original: string;
  /** The removed sentences. */
  sentences: string[];
}

/**
 * Returns the text without contact details and masked words. Adds to `findings` what was removed and what a reviewer should see.
 * Throws BAD_INPUT with the field for a word that is rejected.
 */
export function withoutContacts(
  words: Pick<WordFilter, 'clean'>,
  { label, field, original }: { label: string; field: string; original: string },
  findings: Finding[],
): string {
  const clean = words.clean(original, { label, field, isReviewed: true });
  const { text, masked, sentences } = maskContacts(clean.text);
  if (masked || clean.text !== original || clean.flagged.length > 0)
    findings.push({ label, original, sentences: [...sentences, ...clean.flagged] });
  return text;
}

/** Additional authenticated data for the encrypted findings of a listing. */
export const findingAad = (goodsId: number): string => `goods_finding.sealed:${goodsId}`;

/** Stores the findings of a listing, encrypted, until its review is decided; replaces those of an earlier version. */
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
  const encrypted = encrypt(ctx.keys, findingAad(goodsId), JSON.stringify(findings));
  await sql`insert into goods_finding (goods_id, sealed) values (${goodsId}, ${encrypted})
    on conflict (goods_id) do update set sealed = excluded.sealed, created_at = now()`.execute(trx);
}

/** Deletes a listing's findings, once its review is decided. */
export async function forgetFindings(trx: Trx, goodsId: number): Promise<void> {
  await sql`delete from goods_finding where goods_id = ${goodsId}`.execute(trx);
}

/** The findings of several listings, by listing, for reviewers. */
export async function loadFindings(ctx: Context, goodsIds: readonly number[]): Promise<Map<number, Finding[]>> {
  if (goodsIds.length === 0) return new Map();
  const { rows } = await sql<{ id: number; sealed: Buffer }>`
    select goods_id as id, sealed from goods_finding where goods_id = any(${[...goodsIds]}::bigint[])`.execute(ctx.db);
  return new Map(
    rows.map(({ id, sealed }) => {
      const findings: Finding[] = JSON.parse(decrypt(ctx.keys, findingAad(id), sealed));
      return [id, findings];
    }),
  );
}
