import type { boostRoutes } from '#contract/boosting.ts';
import type { Data } from '#contract/endpoint.ts';
import { grouped } from '#web/lib/format.ts';

export type Guide = NonNullable<Data<typeof boostRoutes>['guide']>;

/** What such work usually costs, as a sentence. */
export function GuideText({ guide: { low, high, samples, of } }: { guide: Guide }) {
  const range = low === high ? `${grouped(low)} 元` : `${grouped(low)} 到 ${grouped(high)} 元`;
  return of === 'deals' ? (
    <>
      同类成交多在 <b className="font-semibold text-ink">{range}</b>（近 90 日 {samples} 单）。
    </>
  ) : (
    <>
      同段位在售套餐 <b className="font-semibold text-ink">{range}</b>（{samples} 个，不含服务费）。
    </>
  );
}
