import { sql } from 'kysely';
import { inTransaction } from '#server/db/client.ts';
import type { UserCall } from '#server/access/call.ts';
import { AppError } from '#server/kernel/errors.ts';

/** Drafts per user; a new one replaces the oldest. */
const MAX_DRAFTS = 40;

const MAX_CHARS = 60_000;
const MAX_DEPTH = 6;

function isShallow(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return depth < MAX_DEPTH && Object.values(value).every((v) => isShallow(v, depth + 1));
}

/** JSON text that the database accepts: no NUL, no lone surrogates, limited depth. Throws BAD_INPUT. */
function storable(body: Record<string, unknown>): string {
  const text = isShallow(body) ? JSON.stringify(body) : '';
  if (text === '' || text.length > MAX_CHARS || text.includes('\\u0000') || /\\ud[89a-f]/i.test(text))
    throw new AppError('BAD_INPUT', { text: '草稿内容过长或格式不正确' });
  return text;
}

/** Saves the input of a form unchanged; an empty body deletes it. The last writer wins. Throws BAD_INPUT. */
export async function storeDraft(call: UserCall, draftKey: string, body: Record<string, unknown>): Promise<void> {
  const { ctx, user } = call;
  if (Object.keys(body).length === 0) {
    await sql`delete from goods_draft where user_id = ${user.id} and draft_key = ${draftKey}`.execute(ctx.db);
    return;
  }
  const json = storable(body);
  await inTransaction(ctx.db, async (trx) => {
    await sql`insert into goods_draft (user_id, draft_key, body) values (${user.id}, ${draftKey}, ${json}::jsonb)
      on conflict (user_id, draft_key) do update set body = excluded.body, updated_at = now()`.execute(trx);
    await sql`delete from goods_draft where user_id = ${user.id} and draft_key in
      (select draft_key from goods_draft where user_id = ${user.id} order by updated_at desc, draft_key offset ${MAX_DRAFTS})`.execute(
      trx,
    );
  });
}

/** The caller's draft; nulls when there is none. */
export async function loadDraft(
  call: UserCall,
  draftKey: string,
): Promise<{ body: Record<string, unknown> | null; updateTime: Date | null }> {
  const { rows } = await sql<{ body: Record<string, unknown>; at: Date }>`
    select body, updated_at as at from goods_draft where user_id = ${call.user.id} and draft_key = ${draftKey}`.execute(
    call.ctx.db,
  );
  return { body: rows[0]?.body ?? null, updateTime: rows[0]?.at ?? null };
}
