import type { Field } from '#subjects/games/contract/games.ts';
import { type GoodsCard, getGoodsList } from '#subjects/goods/contract/goods.ts';
import { type LoadContext, optional } from '#web/lib/pages/context.ts';
import {
  type ChosenTag,
  chosenTags,
  type ListQuery,
  listInput,
  listPath,
  parseList,
} from '#web/lib/lists/list-query.ts';

/** Maximum number of conditions that are tried. */
const MAX_TRIED = 6;
/** Number of listings displayed that match all conditions but one. */
const NEAR = 4;

/** A condition whose removal yields results, and how many. */
export interface Wider extends ChosenTag {
  total: number;
  totalCapped: boolean;
}

export interface WiderData {
  /** Most effective first; the keyword last, since a search without it is a different search. */
  wider: Wider[];
  /** Listings that match all conditions except the first of `wider`. */
  near: readonly GoodsCard[];
}

export const NOTHING_WIDER: WiderData = { wider: [], near: [] };

const stateOf = (path: string): ListQuery => parseList(new URLSearchParams(path.split('?')[1]));

/** The state with progressively fewer conditions, the last ones removed first, each with the labels of the removed ones. */
function withFewerTags(state: ListQuery, fields: readonly Field[], tags: readonly ChosenTag[]): [string, ListQuery][] {
  const steps: [string, ListQuery][] = [];
  let at = state;
  for (let remaining = tags.length - 1; remaining > 0; remaining--) {
    at = stateOf(chosenTags(at, fields, {}).at(-1)?.without ?? '');
    const off = tags.slice(remaining).map(({ label }) => label);
    steps.push([off.join('、'), at]);
  }
  return steps.slice(1);
}

/**
 * For a search without results: the number of results after removing each condition alone; when that yields nothing, how many must be
 * removed.
 */
export async function broaderSearches(
  call: LoadContext['call'],
  state: ListQuery,
  fields: readonly Field[],
  tags: readonly ChosenTag[],
): Promise<WiderData> {
  const countEach = async (tries: readonly (readonly [string, ListQuery])[]) => {
    const results = await Promise.all(
      tries.slice(0, MAX_TRIED).map(async ([label, without]) => {
        const result = await optional(call(getGoodsList, { ...listInput(without, fields, null), pageSize: NEAR }));
        const { list = [], total = 0, totalCapped = false } = result ?? {};
        return {
          label,
          list,
          total,
          totalCapped,
          without: listPath(without),
          isOther: without.keyWord !== state.keyWord,
        };
      }),
    );
    return results.filter(({ list }) => list.length > 0);
  };
  const singles = await countEach(tags.map(({ label, without }) => [label, stateOf(without)]));
  const broader =
    singles.length > 0
      ? singles.toSorted((a, b) => Number(a.isOther) - Number(b.isOther) || b.total - a.total)
      : (await countEach(withFewerTags(state, fields, tags))).slice(0, 1);
  return {
    wider: broader.map(({ label, without, total, totalCapped }) => ({ label, without, total, totalCapped })),
    near: broader[0]?.list ?? [],
  };
}
