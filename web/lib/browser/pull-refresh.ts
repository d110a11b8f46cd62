/** Finger travel that counts as a pull, and how far the mark follows (px). */
const TRIGGER = 72;
const FARTHEST = 96;
/** The mark follows the finger at this part of its travel, as a spring would. */
const SLACK = 0.5;

/** Whether an element between the touched one and the page can still be scrolled up itself, or covers the page. */
function isElsewhere(target: EventTarget | null): boolean {
  for (let at = target instanceof Element ? target : null; at && at !== document.body; at = at.parentElement)
    if (at.scrollTop > 0 || at.matches('dialog, [popover], input[type=range], [data-no-pull]')) return true;
  return false;
}

function createMark(): {
  show: (px: number, text: string, isBusy?: boolean) => void;
  hide: () => void;
  remove: () => void;
} {
  const box = document.createElement('div');
  box.className = 'pull-mark';
  box.setAttribute('role', 'status');
  const ring = document.createElement('span');
  const label = document.createElement('span');
  box.append(ring, label);
  document.body.append(box);
  return {
    show(px, text, isBusy = false) {
      box.dataset.shown = '';
      box.style.setProperty('--pull', `${px}px`);
      ring.className = isBusy ? 'spinner' : 'pull-ring';
      ring.style.setProperty('--part', String(Math.min(1, px / (TRIGGER * SLACK))));
      if (label.textContent !== text) label.textContent = text;
    },
    hide() {
      delete box.dataset.shown;
      box.style.removeProperty('--pull');
    },
    remove: () => box.remove(),
  };
}

/**
 * Pulling down at the top of the page reloads its data, even if the browser has no such gesture (inside WeChat, as an app on
 * the home screen); the browser's own gesture is disabled meanwhile, because it would load the whole page. Returns a function that ends it.
 */
export function watchPull(refresh: () => Promise<void>): () => void {
  const mark = createMark();
  const root = document.documentElement;
  root.style.overscrollBehaviorY = 'contain';
  let from: { x: number; y: number } | null = null;
  let pulled = 0;
  let isBusy = false;

  const onMove = (event: TouchEvent) => {
    const touch = event.touches[0];
    if (!from || !touch || event.touches.length > 1) return;
    const [dx, dy] = [touch.clientX - from.x, touch.clientY - from.y];
    if (pulled === 0 && (dy <= 0 || Math.abs(dx) > dy || window.scrollY > 0)) {
      if (dy < -4 || Math.abs(dx) > 4) end();
      return;
    }
    // A pull that began while the page still scrolled cannot be cancelled; at the top it moves nothing.
    if (event.cancelable) event.preventDefault();
    pulled = Math.max(1, dy);
    mark.show(Math.min(FARTHEST, pulled) * SLACK, pulled >= TRIGGER ? '松开刷新' : '下拉刷新');
  };
  const end = () => {
    from = null;
    document.removeEventListener('touchmove', onMove);
  };
  const onStart = (event: TouchEvent) => {
    const touch = event.touches[0];
    if (isBusy || !touch || event.touches.length > 1 || window.scrollY > 0 || isElsewhere(event.target)) return;
    from = { x: touch.clientX, y: touch.clientY };
    pulled = 0;
    // Only while a pull can begin: a listener that may prevent scrolling slows scrolling down.
    document.addEventListener('touchmove', onMove, { passive: false });
  };
  const onEnd = (event: TouchEvent) => {
    const isPull = pulled >= TRIGGER && event.type === 'touchend';
    end();
    const wasPulled = pulled > 0;
    pulled = 0;
    if (!isPull) {
      if (wasPulled) mark.hide();
      return;
    }
    isBusy = true;
    mark.show(TRIGGER * SLACK, '正在刷新', true);
    void refresh().finally(() => {
      isBusy = false;
      mark.hide();
    });
  };
  document.addEventListener('touchstart', onStart, { passive: true });
  document.addEventListener('touchend', onEnd);
  document.addEventListener('touchcancel', onEnd);
  return () => {
    end();
    document.removeEventListener('touchstart', onStart);
    document.removeEventListener('touchend', onEnd);
    document.removeEventListener('touchcancel', onEnd);
    root.style.overscrollBehaviorY = '';
    mark.remove();
  };
}
