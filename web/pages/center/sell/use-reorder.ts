import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';

/** A finger that rests so long on a picture picks it up; one that moves sooner scrolls the page. */
const HOLD_MS = 250;
/** What moves less than this is a press. */
const SLOP_PX = 6;

interface Held {
  pointerId: number;
  /** Where in the list it is now. */
  index: number;
  x: number;
  y: number;
  isLifted: boolean;
  timer: ReturnType<typeof setTimeout> | undefined;
}

const placeOf = (target: EventTarget | Element | null): number | null => {
  const tile = target instanceof Element ? target.closest<HTMLElement>('[data-picture]') : null;
  return tile ? Number(tile.dataset.picture) : null;
};

/** A finger that holds a picture must not scroll the page; React's own listeners of touches may not forbid it. */
function useStillPage(list: RefObject<HTMLElement | null>, held: RefObject<Held | null>): void {
  useEffect(() => {
    const element = list.current;
    const stay = (event: TouchEvent) => {
      if (held.current?.isLifted && event.cancelable) event.preventDefault();
    };
    element?.addEventListener('touchmove', stay, { passive: false });
    return () => element?.removeEventListener('touchmove', stay);
  }, [list, held]);
}

/**
 * Puts the tiles of a list (each with its place in `data-picture`) in order by dragging: at once with a mouse, after a moment of rest
 * with a finger, so that the page still scrolls. `move` is called for each place on the way, `end` with the last one. Answers what the
 * list listens with, and which tile is in the hand.
 */
export function useReorder(
  list: RefObject<HTMLElement | null>,
  move: (from: number, to: number) => void,
  end: (at: number) => void,
) {
  const held = useRef<Held | null>(null);
  const [dragged, setDragged] = useState<number | null>(null);

  useStillPage(list, held);
  const lift = (mine: Held) => {
    if (held.current !== mine) return;
    mine.isLifted = true;
    list.current?.setPointerCapture(mine.pointerId);
    setDragged(mine.index);
  };
  const letGo = () => {
    clearTimeout(held.current?.timer);
    held.current = null;
    setDragged(null);
  };

  const onPointerDown = (event: PointerEvent) => {
    const index = placeOf(event.target);
    const isKnob = event.target instanceof Element && event.target.closest('button') !== null;
    if (index === null || isKnob || event.button !== 0 || !event.isPrimary) return;
    const mine: Held = {
      pointerId: event.pointerId,
      index,
      x: event.clientX,
      y: event.clientY,
      isLifted: false,
      timer: undefined,
    };
    if (event.pointerType !== 'mouse') mine.timer = setTimeout(() => lift(mine), HOLD_MS);
    held.current = mine;
  };

  const onPointerMove = (event: PointerEvent) => {
    const mine = held.current;
    if (mine?.pointerId !== event.pointerId) return;
    if (!mine.isLifted) {
      if (Math.hypot(event.clientX - mine.x, event.clientY - mine.y) < SLOP_PX) return;
      if (event.pointerType !== 'mouse') return letGo();
      lift(mine);
    }
    const to = placeOf(document.elementFromPoint(event.clientX, event.clientY));
    if (to === null || to === mine.index) return;
    move(mine.index, to);
    mine.index = to;
    setDragged(to);
  };

  const onPointerUp = (event: PointerEvent) => {
    const mine = held.current;
    if (mine?.pointerId !== event.pointerId) return;
    if (mine.isLifted) end(mine.index);
    letGo();
  };

  const handlers = {
    onPointerDown,
    onPointerMove,
    onPointerUp,
    onPointerCancel: letGo,
    // A long touch would open the browser's menu of the picture.
    onContextMenu: (event: { preventDefault(): void }) => {
      if (held.current) event.preventDefault();
    },
  };
  return { dragged, handlers };
}
