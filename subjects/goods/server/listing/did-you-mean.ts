import type { HandlerResult } from '#contract/endpoint.ts';
import type { searchHelp } from '#subjects/goods/contract/goods-search.ts';
import { defaultGoodsType } from '#contract/rules/catalogue.ts';
import { isGoodsCode } from '../../rules/goods-code.ts';
import { cacheKind, cacheOf } from '#server/caches.ts';
import type { Context } from '#server/context.ts';
import { type Catalogue, catalogue, CATALOGUE_CHANNEL, showsGame } from '#subjects/games/server/service.ts';
import { addNames, corrections, type Correction, emptyIndex, type Index } from '../correct/corrector.ts';
import { namesOf } from '../correct/names.ts';
import { SYNONYM_CHANNEL, loadSynonyms, type Synonyms } from '../correct/synonyms.ts';
import { listGoods, type VisibleGames } from './list.ts';

type Help = HandlerResult<typeof searchHelp>;

/** Number of names prepared before yielding to other requests. */
const BATCH = 100;
const MAX_VISIBLE = 3;

/** The index of a catalogue and the synonyms; rebuilt when either changes. */
class CorrectionIndex {
  #of: { all: Catalogue; synonyms: Synonyms; index: Promise<Index> } | undefined;

  drop(): void {
    this.#of = undefined;
  }

  async get(all: Catalogue, synonyms: Synonyms): Promise<Index> {
    if (this.#of?.all === all && this.#of.synonyms === synonyms) return await this.#of.index;
    const index = build(all, synonyms);
    this.#of = { all, synonyms, index };
    return await index;
  }
}

async function build(all: Catalogue, synonyms: Synonyms): Promise<Index> {
  const names = namesOf(all.list(), [...synonyms.values()]);
  const index = emptyIndex();
  for (let at = 0; at < names.length; at += BATCH) {
    addNames(index, names.slice(at, at + BATCH));
    await new Promise((resolve) => setImmediate(resolve));
  }
  return index;
}

const indexCache = cacheKind('goods.corrections', () => new CorrectionIndex(), {
  dropOn: [CATALOGUE_CHANNEL, SYNONYM_CHANNEL],
});

/** The prefix of codes on a market of less than ten million listings; users often omit it. */
const CODE_START = 'YS';

/**
 * The listing code that a keyword probably means: only its digits, with punctuation, or with letters in place of
 * digits.
 */
function codeOf(keyWord: string): string | undefined {
  const plain = keyWord
    .normalize('NFKC')
    .replace(/[\s_.-]/g, '')
    .toUpperCase();
  if (/^\d{7}$/.test(plain)) return CODE_START + plain;
  const [, letters = '', rest = ''] = /^([A-Z]{2})([\dOILSZB]{6,7})$/.exec(plain) ?? [];
  const digits = rest.replace(/[OILSZB]/g, (c) => '0115283'.charAt('OILSZB'.indexOf(c)));
  const code = letters + digits;
  return isGoodsCode(code) && code !== keyWord.toUpperCase() ? code : undefined;
}

function urlOf({ keyWord, gameId }: Correction): string {
  const query = new URLSearchParams({
    gt: String(gameId === null ? 0 : keyWord === '' ? defaultGoodsType(gameId) : 0),
  });
  if (gameId !== null) query.set('gid', String(gameId));
  if (keyWord !== '') query.set('keyWord', keyWord);
  return `/wares?${query}`;
}

/**
 * Suggests corrections for a keyword that found few or no listings: only corrections with results on this site, with
 * their number. It runs only after such a search, so ordinary searches do not wait for it.
 */
export async function didYouMean(
  ctx: Context,
  dist: VisibleGames,
  { keyWord, gameId }: { keyWord: string; gameId: number | undefined },
): Promise<Help> {
  const [all, synonyms] = await Promise.all([catalogue(ctx), loadSynonyms(ctx)]);
  const code = codeOf(keyWord);
  if (code !== undefined) {
    const { list } = await listGoods(ctx, dist, { keyWord: code });
    const [goods] = list;
    if (goods) return { list: [{ text: goods.goodsSn, url: goods.pageUrl, total: 1, totalCapped: false }] };
  }
  const index = await cacheOf(ctx, indexCache).get(all, synonyms);
  const shows = (id: number): boolean => showsGame(dist, id);
  const counted = await Promise.all(
    corrections(index, keyWord, { shows, gameId }).map(async (correction) => {
      const game = correction.gameId ?? undefined;
      const { total, totalCapped } = await listGoods(ctx, dist, {
        ...(correction.keyWord !== '' && { keyWord: correction.keyWord }),
        ...(game !== undefined && {
          gameId: game,
          ...(correction.keyWord === '' && { goodsTypeId: defaultGoodsType(game) }),
        }),
        pageSize: 1,
      });
      return { text: correction.text, url: urlOf(correction), total, totalCapped: totalCapped ?? false };
    }),
  );
  return { list: counted.filter(({ total }) => total > 0).slice(0, MAX_VISIBLE) };
}
