import { goodsTypeName } from '#contract/rules/catalogue.ts';
import { BOOSTING, COMPANION_PLAY } from '#subjects/orders/rules/order-types.ts';
import { countText } from '#web/lib/format/format.ts';
import { type ChosenTag, FREE_LABELS, type ListQuery } from '#web/lib/lists/list-query.ts';
import type { Wider } from './broader-searches.ts';

interface NoResults {
  title: string;
  text: string;
  links: readonly { label: string; to: string; kind: 'primary' | 'plain' }[];
}

/** What else to do: a want finds no seller of a service. */
const hintOf = (gt: number | null): string =>
  gt === BOOSTING
    ? '自己出价发单，等打手来接。'
    : gt === COMPANION_PLAY
      ? '订阅后，有新的陪玩上架就通知您。'
      : '发布求购或订阅，有合适的马上告诉您。';

/** The message when at least one condition is set. A single condition is named. */
function textsOf(
  { keyWord, sellerId, gt, free, voice, rankTo }: ListQuery,
  isAlone: boolean,
): Pick<NoResults, 'title' | 'text'> {
  if (rankTo !== null) return { title: '这一段还没有套餐', text: '换一段看看，或发单等打手来接。' };
  if (free !== null)
    return { title: `${FREE_LABELS[free]}没有空闲的陪玩`, text: '换个时间试试；陪玩的时段随时会空出来。' };
  if (voice !== null) return { title: '没有找到这样的陪玩', text: '换个声音或减少条件试试。' };
  if (isAlone && sellerId !== null)
    return {
      title: `这位卖家没有在售${gt === null ? '商品' : goodsTypeName(gt)}`,
      text: `清空条件看其他卖家的；${hintOf(gt)}`,
    };
  const advice = isAlone && keyWord !== '' ? '换个关键词试试；' : '减少条件试试；';
  return { title: '没有找到相关商品', text: `${advice}${hintOf(gt)}` };
}

/**
 * The message of a list without results: which conditions to remove, and the form for a want. A single condition cannot
 * be removed.
 */
export function noResults({
  state,
  tags,
  wider,
  clearTo,
  wantTo,
}: {
  state: ListQuery;
  tags: readonly ChosenTag[];
  wider: readonly Wider[];
  clearTo: string;
  wantTo: string;
}): NoResults {
  const want =
    state.gt === BOOSTING
      ? {
          label: '发单，等打手来接',
          to: `/center/boosting/requests?new=1${state.gid === null ? '' : `&gid=${state.gid}`}`,
        }
      : { label: '发布求购', to: wantTo };
  // A want for available hours would find no seller.
  const canWant = state.gt !== COMPANION_PLAY;
  if (tags.length === 0)
    return {
      title: '这里还没有在售商品',
      text: `换个类型或游戏看看；${hintOf(state.gt)}`,
      links: [
        { label: '查看其他游戏', to: '/allgame', kind: 'plain' },
        ...(canWant ? [{ ...want, kind: 'primary' as const }] : []),
      ],
    };
  const removals = tags.length > 1 ? wider : [];
  return {
    ...textsOf(state, tags.length === 1),
    links: [
      ...removals.map(({ label, without, total, totalCapped }) => ({
        label: `去掉 ${label}，有 ${countText(total, totalCapped)} 件`,
        to: without,
        kind: 'plain' as const,
      })),
      { label: '清空条件', to: clearTo, kind: 'primary' },
      ...(canWant ? [{ ...want, kind: 'plain' as const }] : []),
    ],
  };
}
