import { lazy, type ReactNode, Suspense } from 'react';
import { isWechat } from '#subjects/payments/rules/payer-browser.ts';
import { useHydrated } from '#web/lib/loading/use-hydrated.ts';

/** Without its script a page behaves as in other browsers. */
const Part = lazy(() =>
  import('./in-wechat.lazy.tsx').then(
    ({ InWechat }) => ({ default: InWechat }),
    () => ({ default: () => null }),
  ),
);

/** Special behaviour inside WeChat for pages outside the market's layout; loaded only there. */
export function PlainInWechat(): ReactNode {
  const isHydrated = useHydrated();
  return (
    isHydrated &&
    isWechat(navigator.userAgent) && (
      <Suspense fallback={null}>
        <Part />
      </Suspense>
    )
  );
}
