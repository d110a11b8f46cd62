import { sql } from 'kysely';
import type { FieldDoc, GameDoc } from '#subjects/games/contract/game-doc.ts';
import { type GameProblem, gameProblems } from '../rules/game-check.ts';
import { fieldKindNames, gameChanges } from '../rules/game-diff.ts';
import { GoodsStatus } from '#contract/rules/statuses.ts';
import type { Trx } from '#server/db/client.ts';
import type { StoredGame } from './doc.ts';
import { type Identity, settledDoc } from './settle.ts';
import type { GamePlan } from './store.ts';

/** One key for all writers of the catalogue: publications are rare, and names and numbers must stay unique. */
const CATALOGUE_LOCK = 7_204_811_352;

/** Allows one writer of the catalogue at a time, until its transaction ends. */
export async function lockCatalogue(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${CATALOGUE_LOCK})`.execute(trx);
}

/** Fields whose kind changes although listings have values of the old kind. */
async function kindProblems(trx: Trx, gameId: number, current: GameDoc, next: GameDoc): Promise<GameProblem[]> {
  const before = new Map(current.fields.map((f) => [f.key, f]));
  const changed = next.fields.flatMap((field, i): { field: FieldDoc; from: FieldDoc; i: number }[] => {
    const from = before.get(field.key);
    return from && from.kind !== field.kind ? [{ field, from, i }] : [];
  });
  if (changed.length === 0) return [];
  const keys = changed.map(({ field }) => field.key);
  const { rows } = await sql<{ key: string; count: number }>`
    select k as key, count(*)::int as count from goods g, unnest(${keys}::text[]) k
    where g.game_id = ${gameId} and g.status <> ${GoodsStatus.Removed} and g.attrs ? k group by k`.execute(trx);
  return changed.flatMap(({ field, from, i }) => {
    const count = rows.find(({ key }) => key === field.key)?.count ?? 0;
    if (count === 0) return [];
    const text = `已有 ${count} 件商品填了「${from.label}」，类型不能从${fieldKindNames[from.kind]}改为${fieldKindNames[field.kind]}；请停用它，另加一项`;
    return [{ path: `fields.${i}.kind`, text }];
  });
}

/** A file identifies a game by its code, so a published game keeps its code. */
function codeProblems(current: GameDoc, next: GameDoc): GameProblem[] {
  return current.code === next.code ? [] : [{ path: 'code', text: `发布后编码不能再改，应为 ${current.code}` }];
}

const ICON_MIN = 96;

/** An uploaded icon is a picture that staff uploaded, square and large enough for a sharp screen. */
async function iconProblems(trx: Trx, key: string): Promise<GameProblem[]> {
  const { rows } = await sql<{ width: number; height: number }>`
    select width, height from picture where key = ${key} and purpose = 'content' and staff_id is not null`.execute(trx);
  const [size] = rows;
  if (!size) return [{ path: 'icon', text: '图标不存在，请重新上传' }];
  if (size.width === size.height && size.width >= ICON_MIN) return [];
  return [{ path: 'icon', text: `图标应为正方形，边长至少 ${ICON_MIN}；这张是 ${size.width} × ${size.height}` }];
}

/** Names used by another game. */
async function takenProblems(trx: Trx, gameId: number | undefined, doc: GameDoc): Promise<GameProblem[]> {
  const { rows } = await sql<{ code: string; name: string }>`
    select code, name from game where (code = ${doc.code} or lower(name) = lower(${doc.name})) and id is distinct from ${gameId ?? null}::int`.execute(
    trx,
  );
  return rows.map(({ code }) =>
    code === doc.code ? { path: 'code', text: '这个编码已有别的游戏在用' } : { path: 'name', text: '已有同名的游戏' },
  );
}

/**
 * The plan for publishing a document: the document merged with the current one, the differences, and all conflicts, with paths into the given
 * document. Writes nothing.
 */
export async function planGame(
  trx: Trx,
  current: StoredGame | undefined,
  doc: GameDoc,
  identity: Identity,
): Promise<GamePlan & { problems: GameProblem[] }> {
  const next = settledDoc(current?.doc, doc, identity);
  const problems = [
    ...gameProblems(next),
    ...(current ? codeProblems(current.doc, next) : []),
    ...(await takenProblems(trx, current?.id, next)),
    ...(next.icon !== null && next.icon !== current?.doc.icon ? await iconProblems(trx, next.icon) : []),
    ...(current ? await kindProblems(trx, current.id, current.doc, next) : []),
  ];
  const empty: GameDoc = { ...next, areas: [], fields: [], goodsTypes: [], handover: { accounts: [], deliveries: [] } };
  return {
    current,
    wantedId: doc.id,
    doc: next,
    changes: gameChanges(current?.doc ?? empty, next),
    problems,
  };
}
