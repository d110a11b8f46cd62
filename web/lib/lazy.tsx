import { type ComponentType, type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { ErrorState } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast-store.ts';

type Load<P> = () => Promise<{ default: ComponentType<P> }>;

/**
 * Loads a module whose script failed before. Chromium keeps a failed script under its address for as long as the page lives, so it is
 * asked for under another one; where the error names no address (Safari, which asks again by itself), in the usual way.
 */
async function loadAgain<P>(load: Load<P>, failure: unknown): ReturnType<Load<P>> {
  const address = /https?:\/\/\S+?\.js/.exec(String(failure))?.[0];
  if (address === undefined) return await load();
  const module = (await import(/* @vite-ignore */ `${address}?again=${Date.now()}`)) as Partial<
    Awaited<ReturnType<Load<P>>>
  >;
  // A script that holds several modules names their exports in its own way, which only the import knows.
  return module.default ? { default: module.default } : await load();
}

/**
 * A component whose script is loaded when it is first rendered. When loading fails it shows an error and a retry, where
 * React's own `lazy` would replace the whole page: a dialog closes with a toast, a panel displays the message itself.
 *
 * @param load imports the module whose default export is the component
 * @param placeholder is rendered while loading
 */
export function lazyWithRetry<P extends object>(load: Load<P>, placeholder: ReactNode = null): ComponentType<P> {
  let loaded: ComponentType<P> | null = null;
  let failure: unknown = null;
  return function Late(props: P) {
    const [Part, setPart] = useState(() => loaded);
    const [attempt, setAttempt] = useState(1);
    const { onClose } = props as { onClose?: () => void };
    const giveUp = useEffectEvent((error: unknown) => {
      failure = error;
      if (onClose) toast('提示：网络超时', 'warn');
      onClose?.();
      setAttempt(0);
    });
    useEffect(() => {
      if (loaded || attempt === 0) return;
      (failure === null ? load() : loadAgain(load, failure)).then((module) => {
        loaded = module.default;
        setPart(() => loaded);
      }, giveUp);
    }, [attempt]);
    if (Part) return <Part {...props} />;
    return attempt > 0 || onClose ? placeholder : <ErrorState message="网络超时" onRetry={() => setAttempt(1)} />;
  };
}
