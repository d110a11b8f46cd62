import { useEffect, useState } from 'react';
import type { Data } from '#contract/endpoint.ts';
import type { GoodsCard } from '#contract/goods.ts';
import { goodsSorts } from '#contract/goods-body.ts';
import { whyHere } from '#contract/goods-search.ts';
import { call } from '#web/lib/api.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { ErrorState } from '#web/ui/states.tsx';

type Why = Data<typeof whyHere>;

/** Explains why a listing has its position in the list that the URL names. */
export default function WhyHere({ goods, onClose }: { goods: GoodsCard; onClose: () => void }) {
  const [why, setWhy] = useState<Why | null>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    if (failed) return;
    const stop = new AbortController();
    const query = new URLSearchParams(window.location.search);
    const keyWord = query.get('keyWord')?.trim().slice(0, 40);
    const sort = goodsSorts.find((name) => name === query.get('sort'));
    const input = { goodsSn: goods.goodsSn, ...(keyWord && { keyWord }), ...(sort && { sort }) };
    call(whyHere, input, { quiet: true, signal: stop.signal }).then(setWhy, () => {
      if (!stop.signal.aborted) setFailed(true);
    });
    return () => stop.abort();
  }, [goods.goodsSn, failed]);
  return (
    <Dialog title="为什么排在这里" onClose={onClose}>
      <p className="mb-3 text-13 text-ink-2">{goods.bigTitle}</p>
      {failed ? (
        <ErrorState message="没有读到排序说明，商品可能已下架" onRetry={() => setFailed(false)} />
      ) : (
        <div className="min-h-40" aria-busy={why === null}>
          {why && (
            <>
              <p className="mb-2 text-13 font-semibold">{why.order}</p>
              <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-2 text-13">
                {why.reasons.map(({ label, text }) => (
                  <div key={label} className="contents">
                    <dt className="text-ink-3">{label}</dt>
                    <dd>{text}</dd>
                  </div>
                ))}
              </dl>
            </>
          )}
        </div>
      )}
    </Dialog>
  );
}
