import { Link } from 'react-router';
import type { pendingConsents } from '#subjects/accounts/contract/consent.ts';
import type { Data } from '#contract/endpoint.ts';
import { lazyWithRetry } from '#web/lib/loading/lazy.tsx';
import { Button } from '#web/ui/button.tsx';

/** Its script comes after the page's own: only few visits show the bar. */
const ConsentButton = lazyWithRetry(
  () => import('./consent-button.lazy.tsx'),
  <Button size="sm" kind="primary" disabled>
    同意新版本
  </Button>,
);

/** An agreement's new version, which the user agrees to before the next trade. */
export function ConsentBar({ consent }: { consent: Data<typeof pendingConsents>['list'][number] }) {
  return (
    <section aria-label="协议更新" className="border-b border-line-soft bg-attn-bg text-13">
      <div className="wrap flex flex-wrap items-center gap-x-3 gap-y-2 py-2">
        <p className="min-w-60 grow">
          《{consent.title}》已更新。
          <Link to={`/rules/${consent.code}`} className="hit link">
            查看改了什么
          </Link>
          ，同意后才能下单和发布；进行中的订单不受影响。
        </p>
        <ConsentButton consent={consent} />
      </div>
    </section>
  );
}
