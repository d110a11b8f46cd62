import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Distance to an edge, in px, below which the list counts as being at that edge. */
const NEAR_BOTTOM = 60;
const NEAR_TOP = 120;

/**
 * Keeps the scroll position of a list that grows at both ends: at the bottom it follows new rows, elsewhere it stays
 * and counts the rows added below. `first` and `last` identify the ends of the list; `own` changes with each message of
 * the reader.
 */
export function useScroll(
  ends: { first: string; last: string; own: number; count: number },
  onTop: () => void,
): {
  box: RefObject<HTMLDivElement | null>;
  unseen: number;
  atBottom: boolean;
  toBottom: () => void;
  onScroll: () => void;
} {
  const box = useRef<HTMLDivElement>(null);
  const [atBottom, setAtBottom] = useState(true);
  const [unseen, setUnseen] = useState(0);
  const stick = useRef(true);
  const before = useRef({ first: '', last: '', own: 0, count: 0, height: 0 });

  const toBottom = useCallback(() => {
    const list = box.current;
    if (list) list.scrollTop = list.scrollHeight;
    stick.current = true;
    setAtBottom(true);
    setUnseen(0);
  }, []);

  const { first, last, own, count } = ends;
  useLayoutEffect(() => {
    const list = box.current;
    if (!list) return;
    const was = before.current;
    before.current = { first, last, own, count, height: list.scrollHeight };
    if (own > was.own || stick.current) return toBottom();
    if (first !== was.first && last === was.last) list.scrollTop += list.scrollHeight - was.height;
    else if (last !== was.last) setUnseen((n) => n + Math.max(1, count - was.count));
  }, [first, last, own, count, toBottom]);

  const onScroll = () => {
    const list = box.current;
    if (!list) return;
    const isBottom = list.scrollHeight - list.scrollTop - list.clientHeight < NEAR_BOTTOM;
    stick.current = isBottom;
    setAtBottom(isBottom);
    if (isBottom) setUnseen(0);
    if (list.scrollTop < NEAR_TOP) onTop();
  };

  useEffect(() => {
    const list = box.current;
    if (!list) return;
    // When the input grows, a phone's keyboard opens or a message fails, a list at the bottom stays at the bottom.
    const sized = new ResizeObserver(() => {
      if (stick.current) list.scrollTop = list.scrollHeight;
    });
    sized.observe(list);
    if (list.firstElementChild) sized.observe(list.firstElementChild);
    return () => sized.disconnect();
  }, []);

  return { box, unseen, atBottom, toBottom, onScroll };
}
