/** OpenSearch through its REST API, and Elasticsearch as far as they are compatible. */
import { z } from 'zod';
import { type Environment, requestVendor, type VendorResponse } from '../vendor-request.ts';
import { UnknownResult, VendorRejected } from '#server/kernel/errors.ts';
import {
  type EngineQuery,
  MAX_EXACT,
  NUMBERS,
  type SearchDocument,
  type SearchEngine,
  type WordQuery,
} from '#server/ports/search-engine.ts';
import { shapedBody } from './shaped.ts';

const MAX_ANSWER = 4 * 1024 * 1024;
const WRITE_MS = 8_000;
const READ_MS = 2_000;
const NOT_FOUND = 404;

type Json = Readonly<Record<string, unknown>>;

function wordClause(query: WordQuery): Json {
  if ('word' in query) return { [query.isPrefix ? 'prefix' : 'term']: { words: query.word } };
  if ('all' in query) return { bool: { filter: query.all.map(wordClause) } };
  if ('any' in query) return { bool: { should: query.any.map(wordClause), minimum_should_match: 1 } };
  const terms = query.words.map((word) => ({ term: { words: word } }));
  return { bool: { should: terms, minimum_should_match: query.atLeast } };
}

/** The body of `_search`. Results are not scored: they are ordered by a number. */
export function searchBody(query: EngineQuery): Json {
  const { games, words, ranges, sort, after, offset, limit } = query;
  const order = sort.isDescending ? 'desc' : 'asc';
  return {
    query: {
      bool: {
        filter: [
          ...(games === undefined ? [] : [{ terms: { game: games } }]),
          ...words.map(wordClause),
          ...ranges.map(({ name, min, max }) => ({
            range: { [name]: { ...(min !== undefined && { gte: min }), ...(max !== undefined && { lte: max }) } },
          })),
        ],
      },
    },
    sort: [{ [sort.by]: order }, { id: order }],
    ...(after && { search_after: after }),
    ...(offset > 0 && { from: offset }),
    size: limit,
    track_total_hits: after === undefined ? MAX_EXACT + 1 : false,
    _source: false,
  };
}

const MAPPINGS: Json = {
  dynamic: 'strict',
  properties: {
    id: { type: 'long' },
    words: { type: 'keyword', doc_values: false },
    ...Object.fromEntries(NUMBERS.map((name) => [name, { type: 'long' }])),
  },
};

const SHARDS = z.object({ failed: z.int() });
const HITS = z.object({
  timed_out: z.boolean(),
  _shards: SHARDS,
  hits: z.object({
    total: z.object({ value: z.int() }).optional(),
    hits: z.array(z.object({ sort: z.tuple([z.number(), z.int()]) })),
  }),
});
const BULK = z.object({
  errors: z.boolean(),
  items: z.array(
    z.record(z.string(), z.object({ status: z.int(), error: z.object({ type: z.string().optional() }).optional() })),
  ),
});
const COUNT = z.object({ count: z.int(), _shards: SHARDS });
const REFRESHED = z.object({ _shards: SHARDS });
const DONE = z.object({ acknowledged: z.literal(true) });
/** The names of indexes, each with its aliases. */
const ALIASES = z.record(z.string(), z.object({ aliases: z.record(z.string(), z.unknown()) }));

/** Throws UnknownResult when a part of the index did not answer. */
function whole<T extends { _shards: { failed: number }; timed_out?: boolean }>(answer: T): T {
  if (answer.timed_out === true || answer._shards.failed > 0) throw new UnknownResult('opensearch answered in part');
  return answer;
}

type Ask = (method: string, path: string, body?: Json | string, ms?: number) => Promise<VendorResponse>;

function asker(url: URL, environment: Environment): Ask {
  const login = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  const authorization = url.username === '' ? {} : { authorization: `Basic ${Buffer.from(login).toString('base64')}` };
  return async (method, path, body, ms = WRITE_MS) => {
    const type = typeof body === 'string' ? 'application/x-ndjson' : 'application/json';
    return await requestVendor(
      environment,
      `${url.protocol}//${url.host}${path}`,
      {
        method,
        headers: { ...authorization, ...(body !== undefined && { 'content-type': type }) },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      },
      { ms, bytes: MAX_ANSWER },
    );
  };
}

/** The body of a response. Throws VendorRejected if OpenSearch rejects the request, UnknownResult if it fails. */
function read<T>(schema: z.ZodType<T>, response: VendorResponse): T {
  const { status, body } = response;
  if (status >= 500 || status === 429) throw new UnknownResult(`opensearch answered ${status}`);
  if (status >= 300) throw new VendorRejected('input', `opensearch ${status} ${body.toString().slice(0, 180)}`);
  return shapedBody('opensearch', schema, response);
}

/** An engine at a URL, with log-in and password if required; `alias` points other programs to the index in use. */
export function openSearch(address: string, alias: string, environment: Environment): SearchEngine {
  const url = new URL(address);
  const ask = asker(url, environment);
  const bulk = async (lines: readonly Json[]): Promise<void> => {
    if (lines.length === 0) return;
    const sent = `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;
    const { errors, items } = read(BULK, await ask('POST', '/_bulk', sent));
    if (!errors) return;
    // Deleting a missing object is not an error.
    const failed = items
      .flatMap((item) => Object.entries(item))
      .find(([action, one]) => one.status >= 300 && !(action === 'delete' && one.status === NOT_FOUND));
    if (failed)
      throw new UnknownResult(`opensearch stored not all: ${failed[1].status} ${failed[1].error?.type ?? ''}`);
  };
  const drop = async (index: string): Promise<void> => {
    const response = await ask('DELETE', `/${index}`);
    if (response.status !== NOT_FOUND) read(DONE, response);
  };
  const named = async (path: string): Promise<z.output<typeof ALIASES>> => {
    const response = await ask('GET', path, undefined, READ_MS);
    return response.status === NOT_FOUND ? {} : read(ALIASES, response);
  };
  return {
    name: 'opensearch',
    place: `${url.origin}/${alias}`,
    drop,
    async search(index, query) {
      const response = await ask('POST', `/${index}/_search`, searchBody(query), READ_MS);
      const { hits } = whole(read(HITS, response));
      return { hits: hits.hits.map(({ sort: [key, id] }) => ({ id, key })), total: hits.total?.value };
    },
    async has(index) {
      const { status } = await ask('HEAD', `/${index}`, undefined, READ_MS);
      if (status !== 200 && status !== NOT_FOUND) throw new UnknownResult(`opensearch answered ${status}`);
      return status === 200;
    },
    async unpublished(family) {
      const all = Object.entries(await named(`/${family}*/_alias`));
      return all.flatMap(([index, { aliases }]) => (Object.keys(aliases).length === 0 ? [index] : []));
    },
    async create(index) {
      await drop(index);
      read(DONE, await ask('PUT', `/${index}`, { mappings: MAPPINGS }));
    },
    put: async (index: string, documents: readonly SearchDocument[]) =>
      await bulk(documents.flatMap((document) => [{ index: { _index: index, _id: String(document.id) } }, document])),
    remove: async (index, ids) => await bulk(ids.map((id) => ({ delete: { _index: index, _id: String(id) } }))),
    async count(index) {
      // Includes documents stored a moment ago.
      whole(read(REFRESHED, await ask('POST', `/${index}/_refresh`)));
      return whole(read(COUNT, await ask('GET', `/${index}/_count`, undefined, READ_MS))).count;
    },
    async publish(index) {
      const before = Object.keys(await named(`/_alias/${alias}`)).filter((name) => name !== index);
      const actions = [...before.map((name) => ({ remove: { index: name, alias } })), { add: { index, alias } }];
      read(DONE, await ask('POST', '/_aliases', { actions }));
    },
  };
}
