import { type CSSProperties, type PointerEvent, type WheelEvent, useRef, useState } from 'react';

/** Maximum scale, and the step of a key or a double press. */
const MAX = 5;
const STEP = 1.6;

interface Place {
  scale: number;
  x: number;
  y: number;
}

const WHOLE: Place = { scale: 1, x: 0, y: 0 };

/** The offset after a change of scale that keeps the point (px, py), measured from the centre, in place. */
function scaled({ scale, x, y }: Place, factor: number, px = 0, py = 0): Place {
  const next = Math.min(MAX, Math.max(1, scale * factor));
  const by = next / scale;
  return next === 1 ? WHOLE : { scale: next, x: px - (px - x) * by, y: py - (py - y) * by };
}

const fromCentre = ({ clientX, clientY }: { clientX: number; clientY: number }): [number, number] => [
  clientX - window.innerWidth / 2,
  clientY - window.innerHeight / 2,
];

/**
 * Enlarging a picture by wheel, double press, two fingers or keys, and moving the enlarged one. `onSwipe` is called with -1 or 1 when the
 * whole picture is swiped to a side; another `picture` starts unscaled.
 */
export function useZoom(picture: number, onSwipe: (by: -1 | 1) => void) {
  const [of, setOf] = useState({ picture, place: WHOLE });
  const position = of.picture === picture ? of.place : WHOLE;
  const setPlace = (next: (at: Place) => Place) =>
    setOf((now) => ({ picture, place: next(now.picture === picture ? now.place : WHOLE) }));
  const fingers = useRef(new Map<number, [number, number]>());
  const start = useRef<[number, number] | null>(null);
  const spread = (): number => {
    const [a, b] = [...fingers.current.values()];
    return a && b ? Math.hypot(a[0] - b[0], a[1] - b[1]) : 0;
  };
  const onPointerDown = (event: PointerEvent) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    fingers.current.set(event.pointerId, fromCentre(event));
    start.current = fingers.current.size === 1 ? fromCentre(event) : null;
  };
  const onPointerMove = (event: PointerEvent) => {
    const before = fingers.current.get(event.pointerId);
    if (!before) return;
    const was = spread();
    const now = fromCentre(event);
    fingers.current.set(event.pointerId, now);
    const [dx, dy] = [now[0] - before[0], now[1] - before[1]];
    if (was > 0) setPlace((at) => scaled(at, spread() / was, ...now));
    else setPlace((at) => (at.scale > 1 ? { ...at, x: at.x + dx, y: at.y + dy } : at));
  };
  const onPointerUp = (event: PointerEvent) => {
    fingers.current.delete(event.pointerId);
    const from = start.current;
    start.current = null;
    if (!from || position.scale > 1) return;
    const moved = fromCentre(event)[0] - from[0];
    if (Math.abs(moved) > 48) onSwipe(moved < 0 ? 1 : -1);
  };
  return {
    scale: position.scale,
    zoom: (factor: 'in' | 'out') => setPlace((at) => scaled(at, factor === 'in' ? STEP : 1 / STEP)),
    reset: () => setPlace(() => WHOLE),
    style: {
      transform: `translate(${position.x}px, ${position.y}px) scale(${position.scale})`,
      cursor: position.scale > 1 ? 'grab' : 'zoom-in',
    } satisfies CSSProperties,
    handlers: {
      onPointerDown,
      onPointerMove,
      onPointerUp,
      onPointerCancel: onPointerUp,
      onWheel: (event: WheelEvent) => {
        const { deltaY } = event;
        setPlace((at) => scaled(at, deltaY < 0 ? 1.2 : 1 / 1.2, ...fromCentre(event)));
      },
      onDoubleClick: (event: { clientX: number; clientY: number }) => {
        const at = fromCentre(event);
        setPlace((now) => (now.scale > 1 ? WHOLE : scaled(now, 2.5, ...at)));
      },
    },
  };
}
