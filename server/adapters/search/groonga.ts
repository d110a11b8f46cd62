/** Groonga through its HTTP server. Its columns cannot be null, so null is stored as a number below all others. */
import { z } from 'zod';
import { type Environment, requestVendor } from '../vendor-request.ts';
import { UnknownResult, VendorRejected } from '#server/kernel/errors.ts';
import {
  type EngineHits,
  type EngineQuery,
  NUMBERS,
  type SearchDocument,
  type SearchEngine,
  type WordQuery,
} from '#server/ports/search-engine.ts';
import { alternatives } from './alternatives.ts';
import { shaped, shapedBody } from './shaped.ts';

const NONE = Number.MIN_SAFE_INTEGER;
const MAX_ANSWER = 4 * 1024 * 1024;
const WRITE_MS = 8_000;
const READ_MS = 2_000;

/** `[[code, start, elapsed, message, …], body]`; the message and the body may be absent. */
const ANSWER = z
  .tuple([z.tuple([z.int(), z.unknown(), z.unknown(), z.string().default('')]).rest(z.unknown())])
  .rest(z.unknown());
const SELECTED = z
  .tuple([z.tuple([z.tuple([z.int()]), z.unknown()]).rest(z.tuple([z.int(), z.number()]))])
  .rest(z.unknown());
const COUNTED = z.tuple([z.tuple([z.tuple([z.int()])]).rest(z.unknown())]).rest(z.unknown());
/** The columns, then a row for each table: its number, its name and more. */
const TABLES = z.tuple([z.unknown()]).rest(z.tuple([z.int(), z.string()]).rest(z.unknown()));
const DONE = z.literal(true);

type Arguments = Readonly<Record<string, string>>;

const text = (value: string): string => `"${value.replace(/["\\]/g, '\\$&')}"`;

function wordFilter(query: WordQuery): string {
  if ('word' in query) return `words ${query.isPrefix ? '@^' : '@'} ${text(query.word)}`;
  if ('all' in query) return joined(query.all.map(wordFilter), '&&');
  if ('any' in query) return joined(query.any.map(wordFilter), '||');
  // Groonga has no "at least N of" operator, so every sufficient set is written out.
  return joined(
    alternatives(query.words, query.atLeast).map((set) =>
      joined(
        set.map((word) => `words @ ${text(word)}`),
        '&&',
      ),
    ),
    '||',
  );
}

const joined = (parts: readonly string[], sign: '&&' | '||'): string =>
  parts.length === 0 ? String(sign === '&&') : `(${parts.join(` ${sign} `)})`;

/** The filter of a query in Groonga's script syntax; words come first because they are the most selective. */
export function groongaFilter({ games, words, ranges }: Pick<EngineQuery, 'games' | 'words' | 'ranges'>): string {
  const parts = [
    ...words.map(wordFilter),
    ...(games === undefined
      ? []
      : [
          joined(
            games.map((id) => `game == ${id}`),
            '||',
          ),
        ]),
    ...ranges.flatMap(({ name, min, max }) => [
      `${name} >= ${min ?? NONE + 1}`,
      ...(max === undefined ? [] : [`${name} <= ${max}`]),
    ]),
  ];
  return joined(parts, '&&');
}

function rowOf({ id, words, ...numbers }: SearchDocument): Record<string, unknown> {
  const row: Record<string, unknown> = { _key: id, words };
  for (const name of NUMBERS) row[name] = numbers[name] ?? NONE;
  return row;
}

type Send = (command: string, init: RequestInit, ms: number) => Promise<unknown>;

/** Sends one command; returns the response body. Throws VendorRejected if Groonga rejects it. */
const sender =
  (base: string, environment: Environment): Send =>
  async (command, init, ms) => {
    const response = await requestVendor(environment, `${base}/d/${command}`, init, { ms, bytes: MAX_ANSWER });
    const [[code, , , message], body] = shapedBody('groonga', ANSWER, response);
    if (code !== 0) throw new VendorRejected('input', `groonga ${code} ${message}`.slice(0, 200));
    return body;
  };

/** The arguments of a `select` that returns one page. */
function selection(index: string, query: EngineQuery): Arguments {
  const { sort, after, offset, limit } = query;
  const sign = sort.isDescending ? '<' : '>';
  const direction = sort.isDescending ? '-' : '';
  const filter = groongaFilter(query);
  const behind = after && `(${sort.by} ${sign} ${after[0]} || (${sort.by} == ${after[0]} && _key ${sign} ${after[1]}))`;
  return {
    table: index,
    filter: behind === undefined ? filter : `${filter} && ${behind}`,
    sort_keys: `${direction}${sort.by},${direction}_key`,
    output_columns: `_key,${sort.by}`,
    offset: String(offset),
    limit: String(limit),
  };
}

/** Sends a command with its arguments in a form; returns the body parsed by the schema. */
const runner =
  (send: Send) =>
  async <T>(schema: z.ZodType<T>, command: string, args: Arguments, ms = WRITE_MS): Promise<T> => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = new URLSearchParams(args).toString();
    return shaped('groonga', schema, await send(command, { method: 'POST', headers, body }, ms));
  };

/** An index `x` consists of the table `x` of documents and the table `x_word` of their words. */
export function groonga(base: string, environment: Environment): SearchEngine {
  const send = sender(base, environment);
  const run = runner(send);
  const has = async (name: string): Promise<boolean> => await run(z.boolean(), 'object_exist', { name }, READ_MS);
  const drop = async (index: string): Promise<void> => {
    for (const name of [index, `${index}_word`])
      if (await has(name)) await run(DONE, 'table_remove', { name, dependent: 'yes' });
  };
  return {
    name: 'groonga',
    place: base,
    has,
    drop,
    publish: () => Promise.resolve(),
    async search(index, query): Promise<EngineHits> {
      const [[[total], , ...rows]] = await run(SELECTED, 'select', selection(index, query), READ_MS);
      return { hits: rows.map(([id, key]) => ({ id, key })), total: query.after === undefined ? total : undefined };
    },
    async unpublished(family) {
      const [, ...tables] = await run(TABLES, 'table_list', {});
      const names = tables.map(([, name]) => name).filter((name) => name.startsWith(family));
      return [...new Set(names.map((name) => name.replace(/_word$/, '')))];
    },
    async create(index) {
      await drop(index);
      const words = `${index}_word`;
      await run(DONE, 'table_create', { name: words, flags: 'TABLE_PAT_KEY', key_type: 'ShortText' });
      await run(DONE, 'table_create', { name: index, flags: 'TABLE_HASH_KEY', key_type: 'Int64' });
      await run(DONE, 'column_create', { table: index, name: 'words', flags: 'COLUMN_VECTOR', type: words });
      for (const name of NUMBERS)
        await run(DONE, 'column_create', { table: index, name, flags: 'COLUMN_SCALAR', type: 'Int64' });
      await run(DONE, 'column_create', {
        table: words,
        name: 'at',
        flags: 'COLUMN_INDEX',
        type: index,
        source: 'words',
      });
    },
    async put(index, documents) {
      if (documents.length === 0) return;
      const stored = await send(
        `load?table=${encodeURIComponent(index)}`,
        {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(documents.map(rowOf)),
        },
        WRITE_MS,
      );
      if (stored !== documents.length)
        throw new UnknownResult(`groonga stored ${String(stored)} of ${documents.length}`);
    },
    async remove(index, ids) {
      if (ids.length > 0) await run(DONE, 'delete', { table: index, filter: `in_values(_key, ${ids.join(', ')})` });
    },
    async count(index) {
      const [[[total]]] = await run(COUNTED, 'select', { table: index, limit: '0' }, READ_MS);
      return total;
    },
  };
}
