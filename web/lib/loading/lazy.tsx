import { type ComponentType, type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { ErrorState } from '#web/ui/states.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { withoutReload } from './chunk-reload.ts';
import { serverResponds } from '#web/lib/api/server-health.ts';

/** A server that responds has another release, or the browser keeps the failed script: only a reload helps. */
async function messageAfter(failures: number): Promise<string> {
  if (failures > 1) return '还是没有加载出来，请刷新页面后再试';
  return (await serverResponds()) ? '这一部分没有加载出来，请刷新页面后再试' : '网络超时';
}

/**
 * A component whose script is loaded when it is first rendered. When loading fails it shows an error and a retry, where
 * React's own `lazy` would replace the whole page: a dialog closes with a toast, a panel displays the message itself. Some browsers
 * (Chromium 150) keep a failed script, and those that it needs, for as long as the page lives: after a second failure the message
 * suggests a remedy.
 *
 * @param load imports the module whose default export is the component
 * @param placeholder is rendered while loading; a function gets the component's properties
 */
export function lazyWithRetry<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  placeholder: ReactNode | ((props: P) => ReactNode) = null,
): ComponentType<P> {
  let loaded: ComponentType<P> | null = null;
  let failures = 0;
  return function Late(props: P) {
    const [Part, setPart] = useState(() => loaded);
    const [attempt, setAttempt] = useState(1);
    const [message, setMessage] = useState('');
    const { onClose } = props as { onClose?: () => void };
    const giveUp = useEffectEvent(async () => {
      failures += 1;
      const text = await messageAfter(failures);
      if (onClose) toast(`提示：${text}`, 'warn');
      onClose?.();
      setMessage(text);
      setAttempt(0);
    });
    useEffect(() => {
      if (loaded || attempt === 0) return;
      // What the user has typed in the page stays.
      withoutReload(load).then((module) => {
        loaded = module.default;
        setPart(() => loaded);
      }, giveUp);
    }, [attempt]);
    if (Part) return <Part {...props} />;
    return attempt > 0 || onClose ? (
      typeof placeholder === 'function' ? (
        placeholder(props)
      ) : (
        placeholder
      )
    ) : (
      <ErrorState message={message} onRetry={() => setAttempt(1)} />
    );
  };
}
