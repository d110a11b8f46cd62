import { sql } from 'kysely';
import type { GameDoc } from '#subjects/games/contract/game-doc.ts';
import type { Trx } from '#server/db/client.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { type StoredGame, storedGames } from '../doc.ts';
import { planGame } from '../plan.ts';

/** The shared draft of a game's next version. */
export interface Draft {
  rev: number;
  base: number;
  doc: GameDoc;
  staffId: number | null;
  staffName: string | null;
  time: Date;
}

/** The draft of a game; `lock` blocks other writers of it until the transaction ends. */
export async function loadDraft(db: Trx, gameId: number, lock = false): Promise<Draft | undefined> {
  // The lock is a separate statement: a query that also locks would return the row as it was before it waited for the lock.
  if (lock) await sql`select from game_draft where game_id = ${gameId} for update`.execute(db);
  const { rows } = await sql<Draft>`
    select d.rev, d.base_version as base, d.doc, d.updated_by as "staffId", s.name as "staffName", d.updated_at as time
    from game_draft d left join staff s on s.id = d.updated_by where d.game_id = ${gameId}`.execute(db);
  return rows[0];
}

/** A game as stored and its draft. Throws NOT_FOUND when there is neither. */
export async function editedGame(
  db: Trx,
  gameId: number,
  lock = false,
): Promise<{ current: StoredGame | undefined; draft: Draft | undefined }> {
  if (lock) await sql`select from game where id = ${gameId} for update`.execute(db);
  const draft = await loadDraft(db, gameId, lock);
  const [current] = await storedGames(db, [gameId]);
  if (!current && !draft) throw errorOf('NOT_FOUND', 'game');
  return { current, draft };
}

/** The plan for publishing the draft, or the published document when there is no draft. */
export async function plannedGame(db: Trx, current: StoredGame | undefined, doc: GameDoc) {
  return await planGame(db, current, doc, 'number');
}

/** Always throws GAME_CHANGED, naming the person who changed the draft since it was read. */
export function refuseStale(draft: Draft | undefined): never {
  const text = draft
    ? `${draft.staffName ?? '系统'}刚改过这份草稿，您的改动还没有保存`
    : '这份草稿刚被发布或放弃了，您的改动还没有保存';
  throw new AppError('GAME_CHANGED', { text, field: 'rev' });
}

/**
 * Stores a document over the draft that the editor has seen: `rev` 0 creates one. When two editors send the same `rev`, the second is
 * rejected. Throws GAME_CHANGED with the field `rev`.
 */
export async function storeDraft(
  trx: Trx,
  { gameId, rev, base, doc, staffId }: { gameId: number; rev: number; base: number; doc: GameDoc; staffId: number },
): Promise<{ rev: number; time: Date }> {
  const body = JSON.stringify(doc);
  const { rows } =
    rev === 0
      ? await sql<{ rev: number; time: Date }>`
          insert into game_draft (game_id, rev, base_version, doc, updated_by) values (${gameId}, 1, ${base}, ${body}::jsonb, ${staffId})
          on conflict (game_id) do nothing returning rev, updated_at as time`.execute(trx)
      : await sql<{ rev: number; time: Date }>`
          update game_draft set rev = rev + 1, base_version = ${base}, doc = ${body}::jsonb, updated_by = ${staffId}, updated_at = now()
          where game_id = ${gameId} and rev = ${rev} returning rev, updated_at as time`.execute(trx);
  return rows[0] ?? refuseStale(await loadDraft(trx, gameId));
}
