import { GOODS_NOT_ENDED } from '#server/states/state-lists.ts';
import { sql } from 'kysely';
import type { Trx } from '#server/db/client.ts';
import { type AccountIdentity, accountIdentity } from '#server/kernel/account-identity.ts';
import { type Keys, sha256 } from '#server/kernel/secrets/crypto.ts';
import { addListings } from '#subjects/goods/server/service.ts';
import type { Correction, Draft } from './row.ts';

/** The result of one row. */
export type RowResult = { line: number; key: string | null } & (
  | { outcome: 'imported' | 'corrected'; goodsId: number; corrections: Correction[] }
  | { outcome: 'existing'; reason: string }
  | { outcome: 'refused'; reason: string; cells: readonly string[] }
);

export interface Seller {
  id: number;
  distId: number;
  /** Limits of a new seller: few and cheap goods before the first sales (domain.md 4). */
  limits: { left: number; maxFen: number } | null;
}

/** A parsed row, to be stored. */
export interface ReadRow {
  line: number;
  draft: Draft;
  corrections: Correction[];
  cells: readonly string[];
}

interface ExistingGoods {
  import_key: string;
  title: string;
  price_fen: number;
  description: string;
  attrs: Record<string, unknown>;
}

const KEYLESS = 'row:';

/** The key that makes a repeated import idempotent: the seller's own number, or one derived from the row. */
function importKey(draft: Draft): string {
  if (draft.key !== null) return draft.key;
  const { title, gameId, typeId, areaId, serverId, accountNo, attrs } = draft;
  return (
    KEYLESS +
    sha256(JSON.stringify([title, gameId, typeId, areaId, serverId, accountNo, attrs]))
      .toString('base64url')
      .slice(0, 32)
  );
}

const accountOf = (keys: Keys, d: Draft): AccountIdentity | null =>
  d.accountNo === null ? null : accountIdentity(keys, d.gameId, d.accountNo);

function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, v: unknown) =>
    typeof v === 'object' && v !== null && !Array.isArray(v)
      ? Object.fromEntries(Object.entries(v).sort(([a], [b]) => (a < b ? -1 : 1)))
      : v,
  );
}

const isSame = (draft: Draft, existing: ExistingGoods): boolean =>
  draft.title === existing.title &&
  draft.priceFen === existing.price_fen &&
  draft.description === existing.description &&
  sortedJson(draft.attrs) === sortedJson(existing.attrs);

interface Candidate {
  row: ReadRow;
  key: string;
  account: AccountIdentity | null;
}

const EXISTING = '已存在';
const CHANGED = '该商家编号已导入过而内容不同：改价请用“改价”，其他修改请编辑原商品';
const SAME_ACCOUNT = '该游戏账号已有在售商品，不能重复发布';
const CLAIMED_ACCOUNT = '该游戏账号正在申诉或包赔理赔，或已由包赔赔付，不能发布';
const SEEN_ACCOUNT = '上一笔订单里已有人查看过这个账号的密码，请先在游戏里修改密码，再单独发布并勾选“已修改密码”';
const SAME_ACCOUNT_IN_LIST = '与本文件前面的一行是同一个游戏账号';

/** The accounts in `prints` that may not be offered, each with its most important reason. */
async function accountsTaken(trx: Trx, seller: Seller, prints: readonly Buffer[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ fingerprint: Buffer; reason: string; weight: number }>`
    select fingerprint, ${SAME_ACCOUNT} as reason, 1 as weight from goods
      where fingerprint = any(${prints}::bytea[]) and status in ${GOODS_NOT_ENDED}
    union all select p, ${CLAIMED_ACCOUNT}, 2 from unnest(${prints}::bytea[]) p where account_barred(p)
    union all select fingerprint, ${SEEN_ACCOUNT}, 3 from goods
      where fingerprint = any(${prints}::bytea[]) and seller_id = ${seller.id} and password_due_at is not null
    order by weight`.execute(trx);
  return new Map(rows.map(({ fingerprint, reason }) => [fingerprint.toString('hex'), reason]));
}

/** Separates rows that exist already: the same key in the database or in this batch, or the same account on sale. */
async function sift(
  trx: Trx,
  seller: Seller,
  keys: Keys,
  rows: readonly ReadRow[],
): Promise<{ candidates: Candidate[]; results: RowResult[] }> {
  const all = rows.map((row): Candidate => ({ row, key: importKey(row.draft), account: accountOf(keys, row.draft) }));
  const prints = all.flatMap((c) => c.account?.print ?? []);
  const { rows: existing } = await sql<ExistingGoods>`
    select import_key, title, price_fen, description, attrs from goods
    where seller_id = ${seller.id} and import_key = any(${all.map((c) => c.key)}::text[])`.execute(trx);
  const byKey = new Map<string, ExistingGoods | Draft>(existing.map((k) => [k.import_key, k]));
  const takenAccounts = await accountsTaken(trx, seller, prints);
  const candidates: Candidate[] = [];
  const results: RowResult[] = [];
  for (const c of all) {
    const { line, draft, cells } = c.row;
    const reject = (reason: string): unknown =>
      results.push({ line, key: draft.key, outcome: 'refused', reason, cells });
    const before = byKey.get(c.key);
    const print = c.account?.print.toString('hex');
    if (before !== undefined) {
      const same = 'import_key' in before ? isSame(draft, before) : sortedJson(before) === sortedJson(draft);
      if (same) results.push({ line, key: draft.key, outcome: 'existing', reason: EXISTING });
      else reject(CHANGED);
    } else if (print !== undefined && takenAccounts.has(print)) reject(takenAccounts.get(print) ?? SAME_ACCOUNT);
    else if (seller.limits && draft.priceFen > seller.limits.maxFen) reject('完成 5 笔交易前单件价格不能超过 3,000 元');
    else if (seller.limits && seller.limits.left <= 0) reject('完成 5 笔交易前最多同时发布 10 件商品');
    else {
      candidates.push(c);
      byKey.set(c.key, draft);
      if (print !== undefined) takenAccounts.set(print, SAME_ACCOUNT_IN_LIST);
      if (seller.limits) seller.limits.left--;
    }
  }
  return { candidates, results };
}

export interface StoreOptions {
  seller: Seller;
  keys: Keys;
  /** Published immediately by a staff decision; otherwise the goods wait for review. */
  publish: boolean;
  /** The actor named in the goods' history. */
  actor: string;
}

/**
 * Stores a batch of rows in the caller's transaction: complete rows or none. A repeated row is 'existing', a repeated account is
 * rejected. Returns the result of each.
 */
export async function storeRows(trx: Trx, rows: readonly ReadRow[], options: StoreOptions): Promise<RowResult[]> {
  const { candidates, results } = await sift(trx, options.seller, options.keys, rows);
  if (candidates.length === 0) return results;
  const { seller, publish, actor } = options;
  const listings = candidates.map(({ row: { draft }, key, account }) => ({ ...draft, key, account }));
  const ids = await addListings(trx, listings, { seller, publish, actor });
  for (const { row, key } of candidates) {
    const { line, draft, corrections, cells } = row;
    const goodsId = ids.get(key);
    // Another request published the same number or account while this batch was being written.
    if (goodsId === undefined) results.push({ line, key: draft.key, outcome: 'refused', reason: SAME_ACCOUNT, cells });
    else
      results.push({
        line,
        key: draft.key,
        outcome: corrections.length > 0 ? 'corrected' : 'imported',
        goodsId,
        corrections,
      });
  }
  return results.sort((a, b) => a.line - b.line);
}
