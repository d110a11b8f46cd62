import type { Field } from '#contract/common.ts';
import { type GoodsCard, getGoodsList } from '#contract/goods.ts';
import { type LoadContext, optional } from '#web/lib/context.ts';
import { type ChosenTag, type ListQuery, listInput, parseList } from '#web/lib/list-query.ts';

/** Conditions that are tried without; more of them are seldom chosen. */
const MAX_TRIED = 6;
/** Goods shown that fit all conditions but one. */
const NEAR = 4;

/** A condition whose taking off finds something, and how much. */
export interface Wider extends ChosenTag {
  total: number;
  more: boolean;
}

export interface WiderData {
  /** What helps most first; the keyword last, since without it one looks for something else. */
  wider: Wider[];
  /** Goods that fit all conditions but the first of `wider`. */
  near: readonly GoodsCard[];
}

export const NOTHING_WIDER: WiderData = { wider: [], near: [] };

/** For a list that nothing fits: what each condition, taken off alone, would leave. */
export async function widerOf(
  call: LoadContext['call'],
  state: ListQuery,
  fields: readonly Field[],
  tags: readonly ChosenTag[],
): Promise<WiderData> {
  const tried = await Promise.all(
    tags.slice(0, MAX_TRIED).map(async (tag) => {
      const without = parseList(new URLSearchParams(tag.without.split('?')[1]));
      const answer = await optional(call(getGoodsList, { ...listInput(without, fields, null), pageSize: NEAR }));
      return { tag, list: answer?.list ?? [], total: answer?.total ?? 0, more: answer?.more ?? false, without };
    }),
  );
  const isOther = ({ without }: (typeof tried)[number]): boolean => without.keyWord !== state.keyWord;
  const found = tried
    .filter(({ list }) => list.length > 0)
    .toSorted((a, b) => Number(isOther(a)) - Number(isOther(b)) || b.total - a.total);
  return {
    wider: found.map(({ tag, total, more }) => ({ ...tag, total, more })),
    near: found[0]?.list ?? [],
  };
}
