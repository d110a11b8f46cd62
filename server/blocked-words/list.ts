/** The list of blocked words as rows; filter.ts applies it to texts. */
import { type RawBuilder, sql } from 'kysely';
import type { WordLevel } from '#subjects/back-office/rules/blocked-words.ts';
import type { Trx } from '#server/db/client.ts';

/** A word as it is listed. */
export interface WordRow {
  wordId: number;
  word: string;
  level: WordLevel;
  note: string;
  version: number;
  hits: number;
  lastHit: Date | null;
  createdBy: string | null;
  createTime: Date;
  endTime: Date | null;
  endReason: string | null;
}

/** The words that match a condition on `w`, most hits first. */
export async function wordRows(db: Trx, where: RawBuilder<unknown>, limit: number): Promise<WordRow[]> {
  const { rows } = await sql<WordRow>`
    select w.id as "wordId", w.word, w.level, w.note, w.version, w.hits, w.last_hit_at as "lastHit", s.name as "createdBy",
      w.created_at as "createTime", w.ended_at as "endTime", w.ended_reason as "endReason"
    from blocked_word w left join staff s on s.id = w.created_by where ${where} order by w.hits desc, w.id desc limit ${limit}`.execute(
    db,
  );
  return rows;
}

/** A word to be added. */
export interface NewWord {
  word: string;
  plain: string;
  level: WordLevel;
  note: string;
}

/** Adds words; returns the plain forms of the new ones. */
export async function insertBlockedWords(trx: Trx, words: readonly NewWord[], staffId: number): Promise<Set<string>> {
  const { rows } = await sql<{ plain: string }>`
    insert into blocked_word (word, plain, level, note, created_by)
    select w.word, w.plain, w.level, w.note, ${staffId}::bigint
    from unnest(${words.map((w) => w.word)}::text[], ${words.map((w) => w.plain)}::text[], ${words.map((w) => w.level)}::text[],
      ${words.map((w) => w.note)}::text[]) as w(word, plain, level, note)
    on conflict (plain) where ended_at is null do nothing returning plain`.execute(trx);
  return new Set(rows.map(({ plain }) => plain));
}

/** Changes level and note of a word if it is still in the version its editor saw; otherwise undefined. */
export async function updateWord(
  trx: Trx,
  { wordId, version, level, note }: Pick<WordRow, 'wordId' | 'version' | 'level' | 'note'>,
): Promise<string | undefined> {
  const { rows } = await sql<{ word: string }>`
    update blocked_word set level = ${level}, note = ${note}, version = version + 1
    where id = ${wordId} and version = ${version} and ended_at is null returning word`.execute(trx);
  return rows[0]?.word;
}

/** Removes a word from the list if it is still in the version its editor saw; otherwise undefined. */
export async function closeWord(
  trx: Trx,
  { wordId, version, staffId, reason }: { wordId: number; version: number; staffId: number; reason: string },
): Promise<string | undefined> {
  const { rows } = await sql<{ word: string }>`
    update blocked_word set ended_at = now(), ended_by = ${staffId}, ended_reason = ${reason}, version = version + 1
    where id = ${wordId} and version = ${version} and ended_at is null returning word`.execute(trx);
  return rows[0]?.word;
}
