import { type ComponentType, type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { ErrorState } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast-store.ts';

/**
 * A part whose script is fetched when it is first shown. One that cannot be fetched says so and may be asked for again, where React's
 * own `lazy` would take the whole page away: a dialog closes under a toast, a panel holds the words itself.
 *
 * @param load imports the module whose default export the part is
 * @param placeholder stands in its place meanwhile
 */
export function lazyWithRetry<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  placeholder: ReactNode = null,
): ComponentType<P> {
  let loaded: ComponentType<P> | null = null;
  return function Late(props: P) {
    const [Part, setPart] = useState(() => loaded);
    const [attempt, setAttempt] = useState(1);
    const { onClose } = props as { onClose?: () => void };
    const giveUp = useEffectEvent(() => {
      if (onClose) toast('提示：网络超时', 'warn');
      onClose?.();
      setAttempt(0);
    });
    useEffect(() => {
      if (loaded || attempt === 0) return;
      load().then((module) => {
        loaded = module.default;
        setPart(() => loaded);
      }, giveUp);
    }, [attempt]);
    if (Part) return <Part {...props} />;
    return attempt > 0 || onClose ? placeholder : <ErrorState message="网络超时" onRetry={() => setAttempt(1)} />;
  };
}
