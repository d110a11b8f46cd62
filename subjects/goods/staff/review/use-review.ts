import { useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { approveReview, type ReviewGoods, reviewGoodsList } from '#subjects/goods/contract/staff-review.ts';
import type { Data } from '#contract/endpoint.ts';
import { call } from '#web/lib/api/api.ts';
import { useCursorList } from '#web/lib/lists/use-cursor-list.ts';
import { REVIEW_PAGE, reviewQuery } from './review-loader.ts';
import { useHeld } from './use-held.ts';

/** A click within this time after an approval is the second click of a double click. */
const DOUBLE_CLICK_MS = 400;

/** Below this many rows the next page is prefetched. */
const FEW = 8;

/** The selected listing: the one in the URL when that changes, else the one selected on the page. */
function useChosen(param: string | null): [string | null, (sn: string | null) => void] {
  const [state, setState] = useState({ given: param, sn: param });
  if (state.given !== param) setState({ given: param, sn: param });
  return [state.given === param ? state.sn : param, (sn) => setState({ given: param, sn })];
}

const keyOf = ({ goodsSn, version }: ReviewGoods): string => `${goodsSn}:${version}`;

/** The queue's URL with another listing selected. */
function hrefWith(search: URLSearchParams, sn: string | null): string {
  const next = new URLSearchParams(search);
  if (sn === null) next.delete('sn');
  else next.set('sn', sn);
  return `?${next.toString()}`;
}

/**
 * The queue on screen: decided listings leave it, the next one is selected, and more are loaded when it runs short. `named` is a listing
 * from the URL beyond the first page; a number that is not in the queue opens nothing (`missingSn`). An approval can be undone before it is
 * sent; one that fails puts its listing back.
 */
export function useReview(queue: Data<typeof reviewGoodsList>, named: ReviewGoods | null) {
  const [search] = useSearchParams();
  const [chosenSn, setChosen] = useChosen(search.get('sn'));
  const [done, setDone] = useState<ReadonlySet<string>>(new Set());
  const list = useCursorList(
    queue,
    (cursor) => call(reviewGoodsList, { ...reviewQuery(search), pageSize: REVIEW_PAGE, cursor }, { quiet: true }),
    keyOf,
  );
  const all =
    named && !list.items.some(({ goodsSn }) => goodsSn === named.goodsSn) ? [named, ...list.items] : list.items;
  const items = all.filter((item) => !done.has(keyOf(item)));
  const index = items.findIndex(({ goodsSn }) => goodsSn === chosenSn);
  const missingSn = chosenSn !== null && index < 0 ? chosenSn : null;
  const at = Math.max(0, index);
  const goods = missingSn === null ? items[at] : undefined;

  const hrefOf = (sn: string | null): string => hrefWith(search, sn);
  const choose = (sn: string | null): void => {
    setChosen(sn);
    // The URL changes without a navigation, so that the next key press already applies to the next listing.
    window.history.replaceState(window.history.state, '', hrefOf(sn));
  };
  const leave = (item: ReviewGoods): void => {
    setDone((before) => new Set([...before, keyOf(item)]));
    if (items.length <= FEW && list.next) list.more();
    const from = items.indexOf(item);
    const next = items[from + 1] ?? items[from - 1];
    if (chosenSn !== null) choose(next?.goodsSn ?? null);
  };
  const approvedAt = useRef(0);
  const putBack = (item: ReviewGoods): void =>
    setDone((before) => new Set([...before].filter((key) => key !== keyOf(item))));
  const { held, hold, undo } = useHeld<ReviewGoods>(async (item) => {
    try {
      await call(approveReview, { goodsSn: item.goodsSn, version: item.version }, { keepalive: true });
    } catch {
      // `call` has shown the message.
      putBack(item);
    }
  });
  return {
    ...list,
    items,
    goods,
    missingSn,
    held,
    isOpen: chosenSn !== null,
    total: Math.max(0, queue.total - done.size),
    hrefOf,
    step: (by: number) => {
      const to = items[at + by];
      if (to) choose(to.goodsSn);
    },
    leave,
    approve: () => {
      // The second click of a double click was meant for the listing that was just removed.
      if (!goods || Date.now() - approvedAt.current < DOUBLE_CLICK_MS) return;
      approvedAt.current = Date.now();
      hold(goods);
      leave(goods);
    },
    undo: () => {
      const item = undo();
      if (item === null) return false;
      approvedAt.current = 0;
      putBack(item);
      if (all.includes(item)) choose(item.goodsSn);
      return true;
    },
  };
}
