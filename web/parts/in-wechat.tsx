import { lazy, type ReactNode, Suspense } from 'react';
import { isWechat } from '#subjects/payments/rules/payer-browser.ts';
import { useHydrated } from '#web/lib/hydration.ts';

/** Without its script a page is as it is elsewhere. */
const Part = lazy(() =>
  import('./in-wechat.lazy.tsx').then(
    ({ InWechat }) => ({ default: InWechat }),
    () => ({ default: () => null }),
  ),
);

/** What pages outside of the market's layout do differently inside WeChat; loaded there only. */
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
