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
import { replayPreHydrationEvents } from './pre-hydration.ts';
import { serverResponds } from '../api/server-health.ts';
import { KeptMarkup } from './served-part.tsx';

/**
 * Parts of a page that the server renders completely and whose script the browser loads after the page's own (`hydratedLater`), each in a
 * boundary: `LateBoundary`, or `ServedPart` where its data is not sent either. What is not rendered by the server is `lazyWithRetry`
 * (web/lib/loading/lazy.tsx).
 */

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

/** Around parts that are `hydratedLater`: clicks and input before their script has loaded are replayed afterwards. */
export function LateBoundary({ children }: { children: ReactNode }) {
  return (
    <Suspense fallback={null}>
      <Hydrating>{children}</Hydrating>
    </Suspense>
  );
}

/** A part that can be read and used without its script: it has its own element, which keeps the server's markup when the script cannot be loaded. */
export function keptWhenLost<P extends object>(Part: ComponentType<P>): ComponentType<P> {
  return function Kept(props: P) {
    return (
      <div className="contents" data-served={import.meta.env.SSR ? '' : undefined} suppressHydrationWarning>
        <Part {...props} />
      </div>
    );
  };
}

let isReloading = false;

/**
 * In place of a part whose script cannot be loaded: the server's markup of it, from a `ServedPart` around it or from its own element (`keptWhenLost`).
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

/** In place of a part without which the page still works. */
export const Nothing = (): null => null;

type Part = ComponentType<object>;

/** The modules of parts, which the server loads with the page's own. */
const onServer: Promise<void>[] = [];

/** For the server before it renders a page: it renders in one piece and waits for no part. */
export async function partsLoaded(): Promise<void> {
  await Promise.all(onServer);
}

/** The part for the server, once `partsLoaded`. */
function renderedAtOnce(load: () => Promise<Record<string, Part>>, name: string): Part {
  let Loaded: Part | undefined;
  onServer.push(
    load().then((module) => {
      Loaded = module[name];
    }),
  );
  return function OnServer(props: object) {
    if (!Loaded) throw new Error(`the part ${name} is rendered before partsLoaded()`);
    return <Loaded {...props} />;
  };
}

/**
 * A part that the server renders and whose script the browser loads after the page's own. When the script cannot be loaded, the page keeps the
 * server's markup of a part that is `keptWhenLost` or in a `ServedPart`.
 *
 * @param load imports the module of the part
 * @param name its export
 * @param WhenLost what is rendered instead when its script cannot be loaded
 */
export function hydratedLater<M extends { default: unknown }>(load: () => Promise<M>): M['default'];
export function hydratedLater<M, N extends keyof M>(load: () => Promise<M>, name: N, WhenLost?: Part): M[N];
export function hydratedLater(load: () => Promise<unknown>, name = 'default', WhenLost: Part = Lost): unknown {
  const loadPart = load as () => Promise<Record<string, Part>>;
  if (import.meta.env.SSR) return renderedAtOnce(loadPart, name);
  return lazy(() =>
    withoutReload(loadPart).then(
      (module) => ({ default: module[name] as Part }),
      () => ({ default: WhenLost }),
    ),
  );
}
