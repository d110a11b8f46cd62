import {
  type ComponentType,
  lazy,
  type ReactNode,
  type SyntheticEvent,
  Suspense,
  useEffect,
  useRef,
  useState,
} from 'react';
import { ErrorState } from '#web/ui/states.tsx';
import { mayReload, withoutReload } from './chunk-reload.ts';
import { replayPreHydrationEvents } from './pre-hydration.ts';

/** A press that itself set off the hydration is delivered by React: it must not be done a second time. */
function delivered({ target }: SyntheticEvent): void {
  const { early } = window;
  if (!early || !(target instanceof HTMLElement)) return;
  for (const pressed of [target, target.closest('button,a[aria-haspopup]')]) early.acts.delete(pressed as HTMLElement);
  early.fields.delete(target as HTMLInputElement);
}

function Hydrating({ children }: { children: ReactNode }) {
  const part = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current } = part;
    if (!current?.hasAttribute('data-late')) return;
    replayPreHydrationEvents(current);
    current.removeAttribute('data-late');
  }, []);
  return (
    <div
      ref={part}
      className="contents"
      data-late={import.meta.env.SSR ? '' : undefined}
      suppressHydrationWarning
      onClickCapture={delivered}
      onSubmitCapture={delivered}
      onInputCapture={delivered}
    >
      {children}
    </div>
  );
}

/**
 * Around a part that the server renders whole and whose script comes after the page's: what is pressed or typed in it before is done when its
 * script is there.
 */
export function LatePart({ children }: { children: ReactNode }) {
  return (
    <Suspense fallback={null}>
      <Hydrating>{children}</Hydrating>
    </Suspense>
  );
}

/**
 * A part for `LatePart` that needs no script to be read and used: it is in an element of its own, which stays as the server made it when the
 * part's script is lost (`lazyFramed`).
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

/** Keeps the server's markup of the part. A part without such markup reloads the page once, and then shows the error. */
function AsServed() {
  const [isMissing, setMissing] = useState(false);
  const look = (part: HTMLDivElement | null): void => {
    if (!part || part.hasAttribute('data-served')) return;
    if (mayReload()) window.location.reload();
    else setMissing(true);
  };
  if (isMissing)
    return <ErrorState message="这一部分没有加载出来，请刷新页面后再试" onRetry={() => window.location.reload()} />;
  return <div ref={look} className="contents" suppressHydrationWarning dangerouslySetInnerHTML={{ __html: '' }} />;
}

/** A `framed` part in the browser: when its script is lost, the page keeps what the server made. */
export function lazyFramed<P extends object>(load: () => Promise<{ default: ComponentType<P> }>): ComponentType<P> {
  return lazy(() =>
    withoutReload(load).catch((): { default: ComponentType<P> } => ({ default: AsServed })),
  ) as unknown as ComponentType<P>;
}
