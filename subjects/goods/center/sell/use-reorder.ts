import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';

/** A touch held this long picks a picture up; an earlier movement scrolls the page. */
const HOLD_MS = 250;
/** A movement below this is a click. */
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

const tileIndex = (target: Element | null): number | null => {
  const tile = target?.closest<HTMLElement>('[data-picture]');
  return tile ? Number(tile.dataset.picture) : null;
};

/**
 * The element below the pointer. The target of the event can be a button next to a finger: browsers direct a touch to the
 * nearest control, and in the middle of a small tile that is always one of its buttons.
 */
const elementBelow = ({ clientX, clientY }: PointerEvent): Element | null =>
  document.elementFromPoint(clientX, clientY);

/**
 * A drag must not scroll the page, and its end must not click the control nearest to the finger; React's touch listeners
 * are passive and cannot prevent it. `isHeld`: the current touch has picked a tile up.
 */
function useStillPage(list: RefObject<HTMLElement | null>, isHeld: RefObject<boolean>): void {
  useEffect(() => {
    const element = list.current;
    const stay = (event: TouchEvent) => {
      if (isHeld.current && event.cancelable) event.preventDefault();
    };
    element?.addEventListener('touchmove', stay, { passive: false });
    element?.addEventListener('touchend', stay, { passive: false });
    return () => {
      element?.removeEventListener('touchmove', stay);
      element?.removeEventListener('touchend', stay);
    };
  }, [list, isHeld]);
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
  const isHeld = useRef(false);
  const [dragged, setDragged] = useState<number | null>(null);

  useStillPage(list, isHeld);
  const lift = (current: Drag) => {
    if (drag.current !== current) return;
    current.isLifted = true;
    isHeld.current = true;
    list.current?.setPointerCapture(current.pointerId);
    setDragged(current.index);
  };
  const letGo = () => {
    clearTimeout(drag.current?.timer);
    drag.current = null;
    setDragged(null);
  };

  const onPointerDown = (event: PointerEvent) => {
    isHeld.current = false;
    const below = elementBelow(event);
    const index = tileIndex(below);
    const isKnob = below !== null && below.closest('button') !== null;
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
    const to = tileIndex(elementBelow(event));
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
