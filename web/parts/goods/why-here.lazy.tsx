import { useEffect, useState } from 'react';
import type { Data } from '#contract/endpoint.ts';
import type { GoodsCard } from '#subjects/goods/contract/goods.ts';
import { goodsSorts } from '#subjects/goods/contract/goods-body.ts';
import { whyHere } from '#subjects/goods/contract/goods-search.ts';
import { call } from '#web/lib/api/api.ts';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Select } from '#web/ui/forms/input.tsx';
import { ErrorState } from '#web/ui/states.tsx';

type Why = Data<typeof whyHere>;

/** Explains the order of the list that the URL names, and why one of its listings is where it is. */
export default function WhyHere({ goods: list, onClose }: { goods: readonly GoodsCard[]; onClose: () => void }) {
  const [goodsSn, choose] = useState(list[0]?.goodsSn ?? '');
  const [why, setWhy] = useState<Why | null>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    if (failed) return;
    const stop = new AbortController();
    const query = new URLSearchParams(window.location.search);
    const keyWord = query.get('keyWord')?.trim().slice(0, 40);
    const sort = goodsSorts.find((name) => name === query.get('sort'));
    const input = { goodsSn, ...(keyWord && { keyWord }), ...(sort && { sort }) };
    call(whyHere, input, { quiet: true, signal: stop.signal }).then(setWhy, () => {
      if (!stop.signal.aborted) setFailed(true);
    });
    return () => stop.abort();
  }, [goodsSn, failed]);
  return (
    <Dialog title="为什么排在这里" onClose={onClose}>
      <label className="mb-3 block text-13">
        <span className="mb-1 block text-ink-3">看哪一件</span>
        <Select value={goodsSn} onChange={({ target }) => choose(target.value)}>
          {list.map((goods, index) => (
            <option key={goods.goodsSn} value={goods.goodsSn}>
              {index + 1}. {goods.bigTitle}
            </option>
          ))}
        </Select>
      </label>
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
