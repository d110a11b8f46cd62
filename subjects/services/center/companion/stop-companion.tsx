import { useEffect, useState } from 'react';
import { serviceOrder } from '#subjects/services/contract/services.ts';
import { call } from '#web/lib/api/api.ts';
import { ReasonDialog } from '#subjects/services/web/parts/service/service-dialogs.tsx';
import type { ServiceOrder } from '#subjects/services/web/parts/service/service-order.ts';
import { Button } from '#web/ui/button.tsx';

/** During companion play, next to the conversation: report and stop immediately. */
export function StopCompanion({ orderSn }: { orderSn: string }) {
  const [service, setService] = useState<ServiceOrder | null>(null);
  const [isAsked, setAsked] = useState(false);
  useEffect(() => {
    let isGone = false;
    call(serviceOrder, { orderSn }, { quiet: true }).then(
      (data) => !isGone && setService(data),
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, [orderSn]);
  if (!service?.acts.includes('stop')) return null;
  return (
    <section className="panel px-4 py-3" aria-label="安全">
      <p className="text-12 text-ink-3">感到不舒服，随时可以停，不用对方同意；客服会看到记录并联系双方。</p>
      <Button kind="danger" className="mt-2 w-full" onClick={() => setAsked(true)}>
        举报并停止
      </Button>
      {isAsked && <ReasonDialog service={service} what="stop" seq={0} onClose={() => setAsked(false)} />}
    </section>
  );
}
