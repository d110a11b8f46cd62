import { GOODS_NOT_ENDED } from '#server/states/state-lists.ts';
import { GoodsStatus } from '#contract/rules/statuses.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { accountTypes } from '#contract/rules/catalogue.ts';
import { yuanLabel } from '#contract/wire.ts';
import type { UserCall } from '#server/access/call.ts';
import type { Trx } from '#server/db/client.ts';
import { accountFingerprint } from '#server/kernel/account-identity.ts';
import type { AppError } from '#server/kernel/errors.ts';
import { catalogue, type Game } from '#subjects/games/server/service.ts';
import { newSellerLimits, sellableGame } from '#subjects/goods/server/service.ts';
import { joined, markedCells } from './cell-marks.ts';
import { knownPictures, pictureProblems } from './pictures.ts';
import { importKeyOf, type PublishInput, readPublish, type Problem } from './read-publish.ts';
import { type NamedListing, readStock } from './read-stock.ts';
import { type CheckedRow, type ImportRecord, type StoredRow, valuesOf } from './store.ts';

/** The game and type of a file, if they can still be published. Throws NOT_FOUND, GOODS_TYPE_UNSUPPORTED. */
export async function loadForm(
  call: UserCall,
  { gameId, typeId }: Pick<ImportRecord, 'gameId' | 'typeId'>,
): Promise<{ game: Game; typeId: number }> {
  return { game: await sellableGame(call, gameId ?? 0, typeId ?? 0), typeId: typeId ?? 0 };
}

/** Number of rows read before yielding to other requests. */
const ROWS_AT_ONCE = 20;

interface Candidate {
  line: number;
  notes: string[];
  input: PublishInput;
  key: string;
  print: string | null;
  account: string | null;
}

const refusedRow = (line: number, problems: readonly Problem[], notes: readonly string[] = []): CheckedRow => ({
  line,
  state: 'refused',
  problems,
  notes,
  goodsId: null,
});

/**
 * Matches of a file's accounts and numbers among the caller's own listings only: whether another seller sells an account is revealed only by
 * publishing, which has a quota.
 */
async function known(trx: Trx, userId: number, candidates: readonly Candidate[]) {
  const prints = candidates.flatMap(({ print }) => print ?? []);
  const bytes = sql`(select decode(unnest(${prints}::text[]), 'hex'))`;
  const { rows: live } = await sql<{ print: string }>`
    select encode(fingerprint, 'hex') as print from goods where fingerprint in ${bytes} and seller_id = ${userId} and status in ${GOODS_NOT_ENDED}`.execute(
    trx,
  );
  const { rows: due } = await sql<{ print: string }>`
    select encode(fingerprint, 'hex') as print from goods
    where fingerprint in ${bytes} and seller_id = ${userId} and password_due_at is not null`.execute(trx);
  const { rows: own } = await sql<{ key: string; id: number }>`
    select import_key as key, id from goods
    where seller_id = ${userId} and import_key = any(${candidates.map(({ key }) => key)}::text[]) and status <> ${sql.lit(GoodsStatus.Removed)}`.execute(
    trx,
  );
  return {
    live: new Set(live.map(({ print }) => print)),
    due: new Set(due.map(({ print }) => print)),
    own: new Map(own.map(({ key, id }) => [key, id])),
  };
}

/** Checks rows for new listings by the rules of the publishing form. Conditions that can only be checked when publishing are checked then. */
async function checkPublish(call: UserCall, record: ImportRecord, rows: readonly StoredRow[]): Promise<CheckedRow[]> {
  const { ctx, user } = call;
  const form = await loadForm(call, record);
  const pictures = await knownPictures(ctx.db, record.id);
  const checked: CheckedRow[] = [];
  const candidates: Candidate[] = [];
  for (const [i, row] of rows.entries()) {
    if (i % ROWS_AT_ONCE === 0) await nextTurn();
    const values = valuesOf(record, row);
    const { problems: unreadable, notes: readingNotes, input } = readPublish(ctx, form, values);
    const marked = markedCells(record, row);
    const notes = [...marked.notes, ...readingNotes];
    const problems = joined(marked.problems, [...unreadable, ...pictureProblems(ctx, values.pictures ?? '', pictures)]);
    if (!input || problems.length > 0) {
      checked.push(refusedRow(row.line, problems, notes));
      continue;
    }
    const account = accountTypes.includes(form.typeId) ? (input.accountNo ?? null) : null;
    const print = account === null ? null : accountFingerprint(ctx.keys, form.game.id, account).toString('hex');
    candidates.push({ line: row.line, notes, input, key: importKeyOf(values, input), print, account });
  }
  const limits = await newSellerLimits(ctx, ctx.db, user.id);
  const { live, due, own } = await known(ctx.db, user.id, candidates);
  const keys = new Map<string, number>();
  const prints = new Map<string, number>();
  for (const { line, notes, input, key, print } of candidates) {
    const existing = own.get(key);
    if (existing !== undefined) {
      checked.push({ line, state: 'existing', problems: [], notes: ['这一行已发布过'], goodsId: existing });
      continue;
    }
    const problems: Problem[] = [];
    const sameKey = keys.get(key);
    const samePrint = print === null ? undefined : prints.get(print);
    if (sameKey !== undefined)
      problems.push({ field: key.startsWith('row:') ? '' : 'code', text: `与第 ${sameKey} 行是同一件商品` });
    else if (samePrint !== undefined)
      problems.push({ field: 'accountNo', text: `与第 ${samePrint} 行是同一个游戏账号` });
    if (print !== null && live.has(print))
      problems.push({ field: 'accountNo', text: '该游戏账号已有在售商品，不能重复发布' });
    if (print !== null && due.has(print) && input.passwordChanged !== true)
      problems.push({
        field: 'passwordChanged',
        text: '这个账号的旧密码有人看过：请先在游戏里修改密码，再在这里填“是”',
      });
    if (limits && input.price > limits.maxFen)
      problems.push({
        field: 'price',
        text: `完成 ${limits.sales} 笔交易前单件价格不能超过 ${yuanLabel(limits.maxFen)} 元`,
      });
    if (!keys.has(key)) keys.set(key, line);
    if (print !== null && !prints.has(print)) prints.set(print, line);
    checked.push(
      problems.length > 0
        ? refusedRow(line, problems, notes)
        : { line, state: 'ready', problems: [], notes, goodsId: null },
    );
  }
  return checked;
}

/** The seller's listings referred to by the rows, by the seller's number or the platform's. */
export async function namedListings(
  trx: Trx,
  userId: number,
  codes: readonly string[],
): Promise<(code: string) => NamedListing | undefined> {
  const upper = codes.map((code) => code.toUpperCase());
  const { rows } = await sql<{
    id: number;
    sn: string;
    key: string | null;
    priceFen: number;
    stock: number;
    typeId: number;
    status: number;
  }>`
    select id, sn, import_key as key, price_fen as "priceFen", stock, type_id as "typeId", status from goods
    where seller_id = ${userId} and status <> ${sql.lit(GoodsStatus.Removed)}
      and (import_key = any(${[...codes]}::text[]) or sn = any(${upper}::text[]))`.execute(trx);
  const listings = rows.map((row) => ({ ...row, isAccount: accountTypes.includes(row.typeId) }));
  const byKey = new Map(listings.flatMap((l) => (l.key === null ? [] : [[l.key, l] as const])));
  const bySn = new Map(listings.map((l) => [l.sn.toUpperCase(), l]));
  return (code) => byKey.get(code) ?? bySn.get(code.toUpperCase());
}

async function checkStock(
  { ctx, user }: UserCall,
  record: ImportRecord,
  rows: readonly StoredRow[],
): Promise<CheckedRow[]> {
  const values = rows.map((row) => ({
    line: row.line,
    values: valuesOf(record, row),
    marked: markedCells(record, row),
  }));
  const codeOf = (of: Record<string, string>): string => of.code?.trim() ?? '';
  const named = await namedListings(
    ctx.db,
    user.id,
    values.map((row) => codeOf(row.values)),
  );
  const lines = new Map<number, number>();
  const check = ({ line, values: of, marked }: (typeof values)[number]): CheckedRow => {
    const listing = named(codeOf(of));
    const { problems: unreadable, notes: readingNotes, change, isSame } = readStock(of, listing);
    const problems = joined(marked.problems, unreadable);
    const notes = [...marked.notes, ...readingNotes];
    const before = listing && lines.get(listing.id);
    if (before !== undefined)
      return refusedRow(line, [{ field: 'code', text: `与第 ${before} 行是同一件商品` }], notes);
    if (listing) lines.set(listing.id, line);
    if (!change || problems.length > 0) return refusedRow(line, problems, notes);
    return {
      line,
      state: isSame ? 'existing' : 'ready',
      problems: [],
      notes: isSame ? ['和现在一样，不用修改'] : notes,
      goodsId: listing?.id ?? null,
    };
  };
  const checked: CheckedRow[] = [];
  for (const [i, row] of values.entries()) {
    if (i % ROWS_AT_ONCE === 0) await nextTurn();
    checked.push(check(row));
  }
  return checked;
}

/** Checks rows of a file. Throws what the form of its game throws when it can no longer be published. */
export async function checkRows(
  call: UserCall,
  record: ImportRecord,
  rows: readonly StoredRow[],
): Promise<CheckedRow[]> {
  return record.kind === 'publish' ? await checkPublish(call, record, rows) : await checkStock(call, record, rows);
}

/** The name of a game for the seller; including hidden games. */
export async function gameNames(call: UserCall, record: Pick<ImportRecord, 'gameId' | 'typeId'>) {
  const game = record.gameId === null ? undefined : (await catalogue(call.ctx)).known(record.gameId);
  return { gameName: game?.name ?? '', typeName: game?.goodsTypes.find((t) => t.id === record.typeId)?.name ?? '' };
}

/** The problem of an error that publishing ended with. */
export function problemOf(error: AppError): Problem {
  const field =
    error.field ?? { GOODS_DUPLICATE: 'accountNo', GOODS_PASSWORD_DUE: 'passwordChanged' }[error.error as string] ?? '';
  return { field: field === 'areaId' || field === 'serverId' ? 'place' : field, text: error.text };
}
