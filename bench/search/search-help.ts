/**
 * What a forgiving search costs: an ordinary keyword with no synonym and with the most that there may be, the list of all games with and
 * without collections, and what was meant by a mistyped keyword. First fill a market, then measure it:
 *
 *     DATA_DIR=/tmp/big npm run seed -- --goods 100000
 *     DATA_DIR=/tmp/big npm run bench -- search-help
 */
import pino from 'pino';
import { loadConfig } from '#server/config/config.ts';
import { createContext } from '#server/context.ts';
import { startEmbedded } from '#server/db/embedded.ts';
import { catalogue } from '#subjects/games/server/service.ts';
import { addNames, corrections, emptyIndex } from '#subjects/goods/server/correct/corrector.ts';
import { namesOf } from '#subjects/goods/server/correct/names.ts';
import { expandedParts, MAX_SYNONYMS } from '#subjects/goods/server/correct/synonyms.ts';
import { keywordParts } from '#subjects/goods/server/search/filters.ts';
import { EVERY_LISTING } from '#subjects/goods/server/search/search.ts';
import { findGoods } from '#subjects/goods/server/search/find-goods.ts';
import { quantile } from '../lib/stats.ts';

const SAMPLES = Number(process.env.SAMPLES ?? 300);
const KEYWORDS = ['王者荣耀 貂蝉', '安卓QQ', '雷神', 'ak47', 'V8 皮肤', '和平精英 特斯拉'];
const MISTYPED = ['王者农药', '和平精鹰', '英雄连盟', 'wangzerongyao', 'k47', '王者荣燿貂蝉', '今天天气真好'];
const quiet = { info: () => undefined, warn: console.warn, error: console.error };

const show = (what: string, spans: number[], unit: string): void =>
  console.log(
    JSON.stringify({ what, p50: quantile(spans, 0.5).toFixed(3), p95: quantile(spans, 0.95).toFixed(3), unit }),
  );

async function measured(work: (i: number) => unknown): Promise<number[]> {
  const spans: number[] = [];
  for (let i = 0; i < SAMPLES; i++) {
    const start = performance.now();
    await work(i);
    spans.push(performance.now() - start);
  }
  return spans;
}

const of = (list: readonly string[], i: number): string => list[i % list.length] ?? '';

const config = loadConfig(process.env);
const embedded = await startEmbedded({ dataDir: config.dataDir, log: quiet });
const ctx = await createContext(config, embedded.url, { log: pino({ level: 'error' }) });
try {
  const all = await catalogue(ctx);
  const synonyms = new Map(
    Array.from({ length: MAX_SYNONYMS }, (_, i) => [`同义词${i}`, { term: `同义词${i}`, meant: '王者荣耀' }]),
  );
  await measured((i) => keywordParts(of(KEYWORDS, i)));
  show('keyword to query', await measured((i) => keywordParts(of(KEYWORDS, i))), 'ms');
  show('the same without synonyms', await measured((i) => expandedParts(of(KEYWORDS, i), new Map())), 'ms');
  show('the same with the most', await measured((i) => expandedParts(of(KEYWORDS, i), synonyms)), 'ms');

  const start = performance.now();
  const index = emptyIndex();
  const names = namesOf(all.list(), []);
  addNames(index, names);
  console.log(JSON.stringify({ what: 'index', names: names.length, ms: Math.round(performance.now() - start) }));
  const scope = { shows: () => true, gameId: undefined };
  show('what was meant', await measured((i) => corrections(index, of(MISTYPED, i), scope)), 'ms');

  const search = { ...EVERY_LISTING, typeId: 1 };
  const page = { after: undefined, offset: 0, limit: 21 };
  const games = all.list().flatMap(({ id, code }) => (code === 'zyq' ? [] : [id]));
  await measured(async () => await findGoods(ctx.db, search, page));
  show('accounts of all games', await measured(async () => await findGoods(ctx.db, search, page)), 'ms');
  show('without collections', await measured(async () => await findGoods(ctx.db, { ...search, games }, page)), 'ms');
} finally {
  await ctx.close();
  await embedded.stop();
}
