/** Files of games in the back office, with the same functions as `npm run admin -- games`. */
import type * as c from '#subjects/games/contract/staff-games.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { sql } from 'kysely';
import type { StaffCall } from '#server/access/call.ts';
import { requirePlatform } from '#server/access/permissions.ts';
import { readUpload } from '#server/access/upload.ts';
import { exportGames, importGames, type ImportReport, type ImportSource } from '../import.ts';
import { listShippedGames } from '../shipped.ts';

type Report = HandlerResult<typeof c.importGameFile>;
type Applying = Parsed<typeof c.importGameFile>;

const reportOf = (report: ImportReport): Report => ({
  applied: report.applied,
  digest: report.digest,
  errors: [...report.errors],
  games: report.games.map(({ code, name, gameId, state, changes }) => ({
    code,
    name,
    gameId,
    state,
    changes: [...changes],
  })),
});

async function bring({ ctx, staff, ip }: StaffCall, source: ImportSource, input: Applying): Promise<Report> {
  const { apply, digest, reason } = input;
  return reportOf(await importGames(ctx, source, { apply, digest, reason, staffId: staff.id, ip }));
}

/** Tries or applies an uploaded file. Throws FORBIDDEN, BAD_INPUT without a file, BODY_TOO_LARGE, GAME_CHANGED. */
export async function importFile(call: StaffCall, input: Applying): Promise<Report> {
  requirePlatform(call.staff, 'game.publish');
  const { body } = await readUpload(call, {
    missing: '请选择游戏文件',
    tooLarge: '文件不能超过 10M，请拆开后分别导入',
    name: 'games.json',
  });
  return await bring(call, { file: body.toString('utf8') }, input);
}

/** Tries or applies games of the shipped catalogue. Throws FORBIDDEN, GAME_CHANGED. */
export async function loadShipped(
  call: StaffCall,
  { codes, ...input }: Parsed<typeof c.loadShippedGames>,
): Promise<Report> {
  requirePlatform(call.staff, 'game.publish');
  return await bring(call, { shipped: codes }, input);
}

/** The games that come with the program, and which of them exist already. Throws FORBIDDEN. */
export async function shipped({ ctx, staff }: StaffCall): Promise<HandlerResult<typeof c.shippedGames>> {
  requirePlatform(staff, 'game.read');
  const { rows } = await sql<{ code: string }>`select code from game`.execute(ctx.db);
  const loaded = new Set(rows.map(({ code }) => code));
  return {
    list: listShippedGames().map(({ code, name, gameType, areas, servers, fields }) => ({
      code,
      name,
      gameType,
      areas,
      servers,
      fields,
      isLoaded: loaded.has(code),
    })),
  };
}

/** All games, or those with these codes, as one file. Throws FORBIDDEN, NOT_FOUND. */
export async function exportFile(
  { ctx, staff }: StaffCall,
  { codes }: Parsed<typeof c.exportGameFile>,
): Promise<HandlerResult<typeof c.exportGameFile>> {
  requirePlatform(staff, 'game.read');
  const file = await exportGames(ctx, codes ?? 'all');
  return { fileName: codes?.length === 1 ? `${codes[0]}.json` : 'games.json', file };
}
