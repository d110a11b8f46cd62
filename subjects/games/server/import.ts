import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { GameDoc } from '#subjects/games/contract/game-doc.ts';
import type { GameChange } from '../rules/game-diff.ts';
import { audit } from '#server/audit/audit.ts';
import { type Db, inTransaction, type Trx } from '#server/db/client.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { Bus } from '#server/ports/bus.ts';
import { CATALOGUE_CHANNEL } from './channel.ts';
import { type StoredGame, storedGames } from './doc.ts';
import { type FileError, gameFileText, readGameFile } from './file.ts';
import { lockCatalogue, planGame } from './plan.ts';
import { shippedDocs } from './shipped.ts';
import { type GamePlan, type PublishedBy, writeGame } from './store.ts';

/** The result of an import for one game. */
export interface ImportedGame {
  code: string;
  name: string;
  /** Null while the game does not exist. */
  gameId: number | null;
  state: 'new' | 'changed' | 'same';
  changes: readonly GameChange[];
  /** Its number of versions after the import was applied. */
  version: number;
}

/** The result of an import, or of its trial. With an error nothing is applied. */
export interface ImportReport {
  errors: readonly FileError[];
  games: readonly ImportedGame[];
  applied: boolean;
  /** Identifies this file and this catalogue: `apply` with it is rejected when either has changed since the trial. */
  digest: string;
}

/** A file's text, or codes of games that come with the program. */
export type ImportSource = { file: string } | { shipped: readonly string[] | 'all' };

export interface ImportOptions {
  /** False = trial only. */
  apply: boolean;
  staffId: number | null;
  reason: string;
  /** The digest of the trial that was shown. */
  digest?: string | undefined;
  ip?: string | undefined;
}

interface ReadSource {
  games: readonly GameDoc[];
  errors: readonly FileError[];
  locate: (game: number, path: string, text: string) => FileError;
}

function readSource(source: ImportSource): ReadSource {
  if ('file' in source) return readGameFile(source.file);
  const all = shippedDocs();
  const wanted = source.shipped === 'all' ? all.map(({ code }) => code) : [...new Set(source.shipped)];
  const locate = (_: number, path: string, text: string): FileError => ({ line: null, path, text });
  const unknown = wanted.filter((code) => !all.some((doc) => doc.code === code));
  return {
    games: all.filter(({ code }) => wanted.includes(code)),
    errors: unknown.map((code) => ({ line: null, path: code, text: '随程序附带的目录里没有这个游戏' })),
    locate,
  };
}

function twiceInFile({ games, locate }: ReadSource): FileError[] {
  return games.flatMap((game, i) => {
    const before = games.slice(0, i);
    return [
      ...(before.some(({ code }) => code === game.code) ? [locate(i, 'code', '文件里有两个游戏用了同一编码')] : []),
      ...(before.some(({ name }) => name === game.name) ? [locate(i, 'name', '文件里有两个同名的游戏')] : []),
    ];
  });
}

const stateOf = ({ current, changes }: GamePlan): ImportedGame['state'] =>
  current === undefined ? 'new' : changes.length > 0 ? 'changed' : 'same';

/**
 * Imports games in a transaction that holds the catalogue lock: all of them or, if there is an error, none. A game is identified by its code.
 * Areas, servers, fields and options missing in the source are disabled or retired. Importing the same source again changes nothing.
 */
async function importWithin(trx: Trx, source: ImportSource, options: ImportOptions): Promise<ImportReport> {
  const read = readSource(source);
  const { rows } = await sql<{ id: number }>`
    select id from game where code = any(${read.games.map(({ code }) => code)}::text[]) order by id for update`.execute(
    trx,
  );
  const stored = await storedGames(
    trx,
    rows.map(({ id }) => id),
  );
  const currentOf = (code: string): StoredGame | undefined => stored.find(({ doc }) => doc.code === code);
  const plans = await Promise.all(read.games.map(async (doc) => await planGame(trx, currentOf(doc.code), doc, 'name')));
  const errors = [
    ...read.errors,
    ...twiceInFile(read),
    ...plans.flatMap(({ problems }, i) => problems.map(({ path, text }) => read.locate(i, path, text))),
  ].toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0));
  const digest = createHash('sha256')
    .update(JSON.stringify([source, stored.map(({ id, version }) => [id, version])]))
    .digest('base64url');
  const report = (
    applied: boolean,
    written: ReadonlyMap<GamePlan, { gameId: number; version: number }>,
  ): ImportReport => ({
    errors,
    applied,
    digest,
    games: plans.map((plan) => ({
      code: plan.doc.code,
      name: plan.doc.name,
      gameId: written.get(plan)?.gameId ?? plan.current?.id ?? null,
      state: stateOf(plan),
      changes: plan.changes,
      version: written.get(plan)?.version ?? plan.current?.version ?? 0,
    })),
  });
  if (errors.length > 0 || !options.apply) return report(false, new Map());
  if (options.digest !== undefined && options.digest !== digest) throw new AppError('GAME_CHANGED');
  const by: PublishedBy = {
    staffId: options.staffId,
    source: 'file' in source ? 'file' : 'shipped',
    reason: options.reason,
  };
  const written = new Map<GamePlan, { gameId: number; version: number }>();
  for (const plan of plans) if (stateOf(plan) !== 'same') written.set(plan, await writeGame(trx, plan, by));
  const staff = options.staffId === null ? null : { id: options.staffId };
  for (const [plan, { gameId, version }] of written) {
    const detail = { name: plan.doc.name, version, changes: plan.changes.length, reason: options.reason };
    await audit(trx, staff, 'game.import', `game:${gameId}`, detail, options.ip);
  }
  return report(true, written);
}

/**
 * Imports games from a file or from the shipped catalogue: all or, if there is an error, nothing, with each error by line and path. `apply:
 * false` is a trial that returns the differences. Afterwards all nodes see the games immediately. Throws GAME_CHANGED when `digest` is given
 * and the file or the catalogue has changed since the trial.
 */
export async function importGames(
  ctx: { db: Db; bus: Bus },
  source: ImportSource,
  options: ImportOptions,
): Promise<ImportReport> {
  const report = await inTransaction(ctx.db, async (trx) => {
    await lockCatalogue(trx);
    return await importWithin(trx, source, options);
  });
  if (report.applied) ctx.bus.publish(CATALOGUE_CHANNEL, {});
  return report;
}

/** All games, or those with these codes, as the text of one file. Throws NOT_FOUND for a code that no game has. */
export async function exportGames(ctx: { db: Db }, codes: readonly string[] | 'all'): Promise<string> {
  const all = await storedGames(ctx.db, null);
  const chosen = codes === 'all' ? all : all.filter(({ doc }) => codes.includes(doc.code));
  if (codes !== 'all' && chosen.length < new Set(codes).size) throw errorOf('NOT_FOUND', 'gameCode');
  return gameFileText(chosen);
}

/**
 * Stores the shipped games for the demo market, in the caller's transaction, except those changed by staff or by a file. Returns how many
 * were written.
 */
export async function storeShippedGames(trx: Trx, docs: readonly GameDoc[]): Promise<{ versions: number }> {
  const { rows } = await sql<{ code: string; own: boolean }>`
    select g.code, exists (select from game_version v where v.game_id = g.id and v.source not in ('shipped', 'before'))
      or exists (select from catalogue_version c where c.game_id = g.id and c.created_by is not null) as own from game g`.execute(
    trx,
  );
  const own = new Set(rows.filter((row) => row.own).map(({ code }) => code));
  const stored = await storedGames(trx, null);
  let versions = 0;
  for (const doc of docs) {
    if (own.has(doc.code)) continue;
    const current = stored.find((game) => game.doc.code === doc.code);
    const plan = await planGame(trx, current, doc, 'name');
    if (plan.problems.length > 0) throw new Error(`${doc.code}: ${JSON.stringify(plan.problems)}`);
    if (stateOf(plan) === 'same') continue;
    await writeGame(trx, plan, { staffId: null, source: 'shipped', reason: '随程序附带的目录' });
    versions += 1;
  }
  return { versions };
}
