import { useEffect, useSyncExternalStore } from 'react';
import { useLocation, useMatches } from 'react-router';
import { describe } from '#web/lib/api/failure.ts';
import { currentFailedLoad, rememberCurrentPage, subscribeFailedLoad } from '#web/lib/loading/failed-navigation.ts';
import { Button } from '#web/ui/button.tsx';
import { useModal } from '#web/ui/overlays/use-modal.ts';

type FailedNavigation = NonNullable<ReturnType<typeof currentFailedLoad>>;

/** Rendered by the layout itself and not by a lazy component: without a server its script could not be loaded. */
function UnreachedDialog({ error, busy, decide }: FailedNavigation) {
  const ref = useModal();
  const { heading, title, meaning } = describe(error);
  useEffect(() => {
    const again = () => decide('again');
    window.addEventListener('online', again);
    return () => window.removeEventListener('online', again);
  }, [decide]);
  return (
    <dialog
      ref={ref}
      className="dialog"
      role="alertdialog"
      aria-labelledby="unreached"
      aria-describedby="unreached-why"
      onCancel={(event) => {
        event.preventDefault();
        decide('stay');
      }}
    >
      <div className="grid justify-items-center gap-2 px-6 pt-8 pb-6 text-center">
        <h2 id="unreached" className="text-16 font-semibold">
          {heading === 'title' ? title : meaning}
        </h2>
        <p id="unreached-why" className="text-13 text-ink-2">
          {heading === 'title' && `${meaning}。`}这一页和填写的内容都还在。
        </p>
        <div className="mt-3 flex gap-2">
          <Button onClick={() => decide('stay')}>留在本页</Button>
          <Button kind="primary" busy={busy} data-focus-first onClick={() => decide('again')}>
            重试
          </Button>
        </div>
      </div>
    </dialog>
  );
}

/**
 * Remembers the current page, and shows a dialog when navigation to another page failed. Rendered once, in the root.
 */
export function Unreached() {
  const matches = useMatches();
  const location = useLocation();
  const failedLoad = useSyncExternalStore(subscribeFailedLoad, currentFailedLoad, () => null);
  useEffect(() => rememberCurrentPage(location, matches), [location, matches]);
  return failedLoad && <UnreachedDialog {...failedLoad} />;
}
