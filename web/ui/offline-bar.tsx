import { WifiOff } from 'lucide-react';
import { useEffect, useSyncExternalStore } from 'react';
import { serverResponds } from '#web/lib/api/server-health.ts';
import { toast } from './overlays/toast-store.ts';

/**
 * Without a network a link would lead to the browser's own error page and lose the input, so the navigation is
 * cancelled.
 */
function stay(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (navigator.onLine || !link?.href || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const isHere = link.pathname === window.location.pathname && link.hash !== '';
  if (link.origin !== window.location.origin || link.target === '_blank' || isHere) return;
  event.preventDefault();
  event.stopPropagation();
  void serverResponds().then((reached) => (reached ? window.location.assign(link.href) : toast('网络超时', 'warn')));
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

/** Shows that the network is down, while it is (product.md 8: offline status is tracked). */
export function OfflineBar() {
  const online = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
  useEffect(() => {
    document.addEventListener('click', stay, true);
    return () => document.removeEventListener('click', stay, true);
  }, []);
  return (
    <div role="status" aria-live="polite">
      {!online && (
        <p className="offline-bar">
          <WifiOff className="icon" aria-hidden="true" />
          网络已断开，恢复后可继续操作，填写的内容不会丢失
        </p>
      )}
    </div>
  );
}
