import type { boostRoutes } from '#subjects/services/contract/boosting.ts';
import type { Data } from '#contract/endpoint.ts';
import { grouped } from '#web/lib/format/format.ts';

export type Guide = NonNullable<Data<typeof boostRoutes>['guide']>;

/** The usual price of such work, as a sentence. */
export function GuideText({ guide: { low, high, samples, of } }: { guide: Guide }) {
  const [from, to] = [Math.round(Number(low)), Math.round(Number(high))];
  const range = from === to ? `${grouped(from)} 元` : `${grouped(from)} 到 ${grouped(to)} 元`;
  return of === 'deals' ? (
    <>
      同类成交多在 <b className="font-semibold text-ink">{range}</b>（近 90 日 {samples} 单）。
    </>
  ) : (
    <>
      按经过这一段的 {samples} 个套餐折算，多在 <b className="font-semibold text-ink">{range}</b>，不含服务费。
    </>
  );
}
