import { type ComponentType, lazy, type ReactNode, type SyntheticEvent, Suspense, useEffect, useRef } from 'react';
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
      <div className="contents">
        <Part {...props} />
      </div>
    );
  };
}

function AsServed() {
  return <div className="contents" suppressHydrationWarning dangerouslySetInnerHTML={{ __html: '' }} />;
}

/** A `framed` part in the browser: when its script is lost, the page keeps what the server made. */
export function lazyFramed<P extends object>(load: () => Promise<{ default: ComponentType<P> }>): ComponentType<P> {
  return lazy(() =>
    load().catch((): { default: ComponentType<P> } => ({ default: AsServed })),
  ) as unknown as ComponentType<P>;
}
