import { WifiOff } from 'lucide-react';
import { useSyncExternalStore } from 'react';

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

/** Says that the network is gone, for as long as it is (product.md 8: offline status is tracked). */
export function OfflineBar() {
  const online = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
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
