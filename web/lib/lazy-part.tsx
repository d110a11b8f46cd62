import {
  type ComponentType,
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react';
import { ErrorState } from '#web/ui/states.tsx';
import { isLeaving, mayReload, withoutReload } from './chunk-reload.ts';
import { KeptMarkup } from './kept-markup.tsx';
import { replayPreHydrationEvents } from './pre-hydration.ts';
import { serverResponds } from './server-health.ts';

function Hydrating({ children }: { children: ReactNode }) {
  const part = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current } = part;
    if (!current?.hasAttribute('data-late')) return;
    replayPreHydrationEvents(current);
  }, []);
  return (
    <div ref={part} className="contents" data-late={import.meta.env.SSR ? '' : undefined} suppressHydrationWarning>
      {children}
    </div>
  );
}

/**
 * Wraps a part of a page that the server renders completely and whose script loads after the page's: clicks and input before that are replayed
 * once the script has loaded.
 */
export function LazyPart({ children }: { children: ReactNode }) {
  return (
    <Suspense fallback={null}>
      <Hydrating>{children}</Hydrating>
    </Suspense>
  );
}

/**
 * A part for `LazyPart` that can be read and used without its script: it has its own element, which keeps the server's markup when the
 * script cannot be loaded (`lazyWithMarkup`).
 */
export function framed<P extends object>(Part: ComponentType<P>): ComponentType<P> {
  return function Framed(props: P) {
    return (
      <div className="contents" data-served={import.meta.env.SSR ? '' : undefined} suppressHydrationWarning>
        <Part {...props} />
      </div>
    );
  };
}

let isReloading = false;

/**
 * In place of a part whose script cannot be loaded: the server's markup of it, from a `ServedPart` around it or from its own element (`framed`).
 * Without either the page is reloaded once, if the server responds, and then the error is shown.
 */
function Lost() {
  const kept = useContext(KeptMarkup);
  const [isMissing, setMissing] = useState(false);
  const look = useCallback((place: HTMLElement | null): void => {
    if (!place || place.hasAttribute('data-served')) return;
    void serverResponds().then((isUp) => {
      if (isReloading) return;
      isReloading = isUp && mayReload();
      if (isReloading) window.location.reload();
      else if (!isLeaving()) setMissing(true);
    });
  }, []);
  if (kept !== null) return kept;
  if (isMissing)
    return <ErrorState message="这一部分没有加载出来，请刷新页面后再试" onRetry={() => window.location.reload()} />;
  return <div ref={look} className="contents" suppressHydrationWarning dangerouslySetInnerHTML={{ __html: '' }} />;
}

/**
 * A part that the server renders and whose script the browser loads after the page's own. When the script cannot be loaded, the page keeps the
 * server's markup of a `framed` part and of a part in a `ServedPart`.
 */
export function lazyWithMarkup<P extends object>(load: () => Promise<{ default: ComponentType<P> }>): ComponentType<P> {
  return lazy(() =>
    withoutReload(load).catch((): { default: ComponentType<P> } => ({ default: Lost })),
  ) as unknown as ComponentType<P>;
}
