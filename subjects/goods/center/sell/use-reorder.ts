import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';

/** A touch held this long picks a picture up; an earlier movement scrolls the page. */
const HOLD_MS = 250;
/** A movement below this is a press. */
const SLOP_PX = 6;

interface Drag {
  pointerId: number;
  /** Its current index in the list. */
  index: number;
  x: number;
  y: number;
  isLifted: boolean;
  timer: ReturnType<typeof setTimeout> | undefined;
}

const tileIndex = (target: EventTarget | Element | null): number | null => {
  const tile = target instanceof Element ? target.closest<HTMLElement>('[data-picture]') : null;
  return tile ? Number(tile.dataset.picture) : null;
};

/** A drag must not scroll the page; React's touch listeners are passive and cannot prevent it. */
function useStillPage(list: RefObject<HTMLElement | null>, drag: RefObject<Drag | null>): void {
  useEffect(() => {
    const element = list.current;
    const stay = (event: TouchEvent) => {
      if (drag.current?.isLifted && event.cancelable) event.preventDefault();
    };
    element?.addEventListener('touchmove', stay, { passive: false });
    return () => element?.removeEventListener('touchmove', stay);
  }, [list, drag]);
}

/**
 * Reorders the tiles of a list (index in `data-picture`) by dragging: immediately with a mouse, after a hold with a finger, so that the
 * page still scrolls. `move` is called for each intermediate index, `end` with the last one. Returns the list's event handlers and the
 * dragged index.
 */
export function useReorder(
  list: RefObject<HTMLElement | null>,
  move: (from: number, to: number) => void,
  end: (at: number) => void,
) {
  const drag = useRef<Drag | null>(null);
  const [dragged, setDragged] = useState<number | null>(null);

  useStillPage(list, drag);
  const lift = (current: Drag) => {
    if (drag.current !== current) return;
    current.isLifted = true;
    list.current?.setPointerCapture(current.pointerId);
    setDragged(current.index);
  };
  const letGo = () => {
    clearTimeout(drag.current?.timer);
    drag.current = null;
    setDragged(null);
  };

  const onPointerDown = (event: PointerEvent) => {
    const index = tileIndex(event.target);
    const isKnob = event.target instanceof Element && event.target.closest('button') !== null;
    if (index === null || isKnob || event.button !== 0 || !event.isPrimary) return;
    const current: Drag = {
      pointerId: event.pointerId,
      index,
      x: event.clientX,
      y: event.clientY,
      isLifted: false,
      timer: undefined,
    };
    if (event.pointerType !== 'mouse') current.timer = setTimeout(() => lift(current), HOLD_MS);
    drag.current = current;
  };

  const onPointerMove = (event: PointerEvent) => {
    const current = drag.current;
    if (current?.pointerId !== event.pointerId) return;
    if (!current.isLifted) {
      if (Math.hypot(event.clientX - current.x, event.clientY - current.y) < SLOP_PX) return;
      if (event.pointerType !== 'mouse') return letGo();
      lift(current);
    }
    const to = tileIndex(document.elementFromPoint(event.clientX, event.clientY));
    if (to === null || to === current.index) return;
    move(current.index, to);
    current.index = to;
    setDragged(to);
  };

  const onPointerUp = (event: PointerEvent) => {
    const current = drag.current;
    if (current?.pointerId !== event.pointerId) return;
    if (current.isLifted) end(current.index);
    letGo();
  };

  const handlers = {
    onPointerDown,
    onPointerMove,
    onPointerUp,
    onPointerCancel: letGo,
    // A long touch would open the browser's context menu.
    onContextMenu: (event: { preventDefault(): void }) => {
      if (drag.current) event.preventDefault();
    },
  };
  return { dragged, handlers };
}
