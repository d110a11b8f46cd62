/**
 * Keywords that found nothing, counted for staff (docs/decisions/310, 322). Searchers are not recorded, and a keyword
 * of fewer than three visitors is not stored: it may be a person's name.
 */
import { sql } from 'kysely';
import { findContacts } from '#contract/rules/contacts/contacts.ts';
import type { Context } from '#server/context.ts';

import { type Db, inTransaction, type Trx } from '#server/db/client.ts';
import { blindIndex } from '#server/kernel/secrets/crypto.ts';
import { networkOf } from '#server/kernel/network.ts';
import { normalised } from '../search/tokenize.ts';
import { plainOf } from './corrector.ts';

const FLUSH_MS = 2000;
const MAX_PENDING = 500;
/** The same keyword counts once per visitor within this time. */
const AGAIN_MS = 60 * 60_000;
const MAX_RECENT = 20_000;
/** Maximum rows of the table; each day the least searched keywords are deleted to make room for new ones. */
export const MAX_MISSES = 2000;
const KEPT_MISSES = 1500;
const KEPT_DAYS = 30;
/** A keyword of at least this many visitors identifies no person and may be stored. */
const STORED_FROM = 3;
/** Maximum rows with hashes of keywords that fewer visitors have searched for. */
const MAX_WAITING = 20_000;

const MIN_LENGTH = 2;
const MAX_LENGTH = 40;
/** Numbers as long as the shortest QQ number, however they are grouped. */
const LONG_NUMBER = /(?:\p{N}[\s._-]*){5}/u;
/** Words that can be an account's name: six characters from a letter on with a digit or a line among them, or five of letters and digits. */
const ACCOUNT_NAME = /(?=[a-z\d_-]{6})[a-z][a-z\d]*[\d_-]|(?=[a-z\d]*[a-z])(?=[a-z\d]*\d)[a-z\d]{5}/;

/** Whether a keyword may name a person: a number, an account name, an address. It is then not stored. */
export function isPersonal(keyword: string): boolean {
  const text = normalised(keyword);
  return (
    text.includes('@') ||
    LONG_NUMBER.test(text) ||
    ACCOUNT_NAME.test(text) ||
    findContacts(keyword, { bait: true }).length > 0
  );
}

interface Miss {
  plain: string;
  keyword: string;
  gameId: number | null;
  times: number;
  /** Keyed hash of keyword and game, and of each visitor for this keyword. */
  digest: Buffer;
  visitors: Map<string, Buffer>;
}

/** Collects keywords without result and stores them every two seconds in one statement. A killed process loses those it has not stored. */
export class Misses {
  readonly #ctx: Pick<Context, 'db' | 'log' | 'keys'>;
  readonly #pending = new Map<string, Miss>();
  #recent = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(ctx: Pick<Context, 'db' | 'log' | 'keys'>) {
    this.#ctx = ctx;
  }

  /** Counts a keyword that found nothing, once an hour for an address; the address is forgotten with the process. */
  note(keyword: string, gameId: number | undefined, address: string): void {
    const plain = plainOf(keyword);
    const lengths = [plain, keyword.trim()].map((text) => [...text].length);
    if (lengths.some((length) => length < MIN_LENGTH || length > MAX_LENGTH) || isPersonal(keyword)) return;
    const now = Date.now();
    const key = `${plain}|${gameId ?? ''}`;
    const network = networkOf(address);
    const by = `${network}|${key}`;
    if ((this.#recent.get(by) ?? 0) + AGAIN_MS > now) return;
    if (this.#recent.size >= MAX_RECENT) this.#recent = new Map([...this.#recent].slice(MAX_RECENT / 2));
    this.#recent.set(by, now);
    const pending = this.#pending.get(key) ?? {
      plain,
      keyword: keyword.trim(),
      gameId: gameId ?? null,
      times: 0,
      digest: blindIndex(this.#ctx.keys, 'search-miss', key),
      visitors: new Map<string, Buffer>(),
    };
    if (pending.times === 0 && this.#pending.size >= MAX_PENDING) return;
    pending.times += 1;
    pending.visitors.set(network, blindIndex(this.#ctx.keys, 'search-miss-visitor', by));
    this.#pending.set(key, pending);
    this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref();
  }

  /** Writes the counts. Never throws: a count is not worth a failed page. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const misses = [...this.#pending.values()];
    this.#pending.clear();
    if (misses.length > 0)
      this.#writing = this.#writing
        .then(async () => await store(this.#ctx.db, misses))
        .catch((error: unknown) => this.#ctx.log.warn({ error: String(error) }, 'keywords without result not stored'));
    await this.#writing;
  }
}

/**
 * Counts keywords that are already stored; for the others, counts the visitors and stores keywords of enough visitors.
 */
async function store(db: Db, misses: readonly Miss[]): Promise<void> {
  const col = <T>(pick: (miss: Miss) => T): T[] => misses.map(pick);
  const by = misses.flatMap(({ digest, visitors }) => [...visitors.values()].map((visitor) => ({ digest, visitor })));
  await inTransaction(db, async (trx) => {
    const { rows: known } = await sql<{ plain: string; game: number | null }>`
      update search_miss m set times = m.times + v.times, last_at = now()
      from (select * from unnest(${col((m) => m.plain)}::text[], ${col((m) => m.gameId)}::int[], ${col((m) => m.times)}::int[]) u(plain, game, times)) v
      where m.plain = v.plain and m.game_id is not distinct from v.game returning m.plain, m.game_id as game`.execute(
      trx,
    );
    const isKnown = (miss: Miss) => known.some(({ plain, game }) => plain === miss.plain && game === miss.gameId);
    const fresh = misses.filter((miss) => !isKnown(miss));
    if (fresh.length === 0) return;
    const seen = by.filter(({ digest }) => fresh.some((miss) => miss.digest === digest));
    await sql`insert into search_miss_visitor (keyword, visitor)
      select v.keyword, v.visitor from unnest(${seen.map(({ digest }) => digest)}::bytea[], ${seen.map(({ visitor }) => visitor)}::bytea[]) v(keyword, visitor)
      where (select count(*) from search_miss_visitor) < ${MAX_WAITING}
      order by v.keyword, v.visitor on conflict (keyword, visitor) do update set last_at = now()`.execute(trx);
    await promote(trx, fresh);
  });
}

/** Stores the keywords that enough visitors have searched for, and deletes the hashes of these visitors. */
async function promote(trx: Trx, misses: readonly Miss[]): Promise<void> {
  const col = <T>(pick: (miss: Miss) => T): T[] => misses.map(pick);
  await sql`insert into search_miss (plain, keyword, game_id, times)
    select v.plain, v.keyword, v.game, n.visitors
    from unnest(${col((m) => m.plain)}::text[], ${col((m) => m.keyword)}::text[], ${col((m) => m.gameId)}::int[], ${col((m) => m.digest)}::bytea[])
      v(plain, keyword, game, digest), lateral (select count(*)::int as visitors from search_miss_visitor w where w.keyword = v.digest) n
    where n.visitors >= ${STORED_FROM} and (select count(*) from search_miss) < ${MAX_MISSES}
      and (v.game is null or exists (select from game g where g.id = v.game))
    order by v.plain on conflict do nothing`.execute(trx);
  await sql`delete from search_miss_visitor w using unnest(${col((m) => m.plain)}::text[], ${col((m) => m.gameId)}::int[], ${col((m) => m.digest)}::bytea[])
      v(plain, game, digest), search_miss m
    where w.keyword = v.digest and m.plain = v.plain and m.game_id is not distinct from v.game`.execute(trx);
}

/** Deletes keywords that were not searched for in a month, to make room for new ones. */
export async function sweepMisses(db: Trx): Promise<void> {
  await sql`delete from search_miss where last_at < now() - ${KEPT_DAYS} * interval '1 day' or id in (
    select id from search_miss order by times desc, last_at desc, id offset ${KEPT_MISSES})`.execute(db);
  await sql`delete from search_miss_visitor where last_at < now() - ${KEPT_DAYS} * interval '1 day'`.execute(db);
}

/** A keyword without result as staff see it. */
export interface MissRow {
  missId: number;
  keyword: string;
  gameName: string | null;
  times: number;
  firstTime: Date;
  lastTime: Date;
}

/** The keywords without results, most frequent first, without those that staff have dismissed. */
export async function missRows(db: Trx, limit: number): Promise<MissRow[]> {
  const { rows } = await sql<MissRow>`
    select m.id as "missId", m.keyword, g.name as "gameName", m.times, m.first_at as "firstTime", m.last_at as "lastTime"
    from search_miss m left join game g on g.id = m.game_id
    where m.set_aside_at is null order by m.times desc, m.id desc limit ${limit}`.execute(db);
  return rows;
}

/** Removes a keyword from the list for staff; undefined when it is not in the list. */
export async function setMissAside(trx: Trx, missId: number): Promise<string | undefined> {
  const { rows } = await sql<{ keyword: string }>`
    update search_miss set set_aside_at = now() where id = ${missId} and set_aside_at is null returning keyword`.execute(
    trx,
  );
  return rows[0]?.keyword;
}
