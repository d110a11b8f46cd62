import { describe, expect, test } from 'vitest';
import { engineAt } from '#server/adapters/search/engines.ts';
import { loadConfig } from '#server/config/config.ts';
import { UnknownResult } from '#server/kernel/errors.ts';
import type { EngineQuery } from '#server/ports/search-engine.ts';

const QUERY: EngineQuery = {
  games: undefined,
  words: [],
  ranges: [],
  sort: { by: 'price', isDescending: false },
  after: undefined,
  offset: 0,
  limit: 20,
};

/** Searches an engine that answers everything with this. */
async function searched(address: string, answer: unknown): Promise<unknown> {
  const engine = engineAt(address, {
    fetch: () =>
      Promise.resolve(new Response(JSON.stringify(answer), { headers: { 'content-type': 'application/json' } })),
    now: () => new Date(),
    nonce: () => '',
  });
  return await engine?.search('an_index', QUERY);
}

const shards = { total: 1, successful: 1, failed: 0 };
const hits = { total: { value: 0, relation: 'eq' }, hits: [] };

describe('an answer of another shape is unknown, so that PostgreSQL answers', () => {
  test.each([
    ['an error of a proxy', { error: 'no upstream' }],
    ['nothing', null],
    ['an empty list', []],
    ['hits without a list', [[0, 0, 0], [{ hits: 1 }]]],
  ])('Groonga: %s', async (_, answer) => {
    await expect(searched('groonga+http://127.0.0.1:10041', answer)).rejects.toBeInstanceOf(UnknownResult);
  });

  test.each([
    ['an error of a proxy', { error: 'no upstream' }],
    ['nothing', null],
    ['a search that ran out of time', { timed_out: true, _shards: shards, hits }],
    ['a search without one of its shards', { timed_out: false, _shards: { ...shards, failed: 1 }, hits }],
    ['hits without a list', { timed_out: false, _shards: shards, hits: { total: 1, hits: 'many' } }],
  ])('OpenSearch: %s', async (_, answer) => {
    await expect(searched('opensearch+http://127.0.0.1:9200/market', answer)).rejects.toBeInstanceOf(UnknownResult);
  });
});

test.each([
  'http://localhost:9200',
  'groonga+http://searcher:word@127.0.0.1:10041',
  'groonga+http://127.0.0.1:10041/path',
  'opensearch+https://searcher:se/cret@engine:9200/market',
])('the address %s is refused, and no message repeats its password', (address) => {
  expect(() => loadConfig({ SEARCH_URL: address })).toThrow(/SEARCH_URL/);
  expect(() => loadConfig({ SEARCH_URL: address })).not.toThrow(/se\/cret|searcher:word/);
});
