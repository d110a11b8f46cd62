import { grouped } from '#web/lib/format/format.ts';
import { Amount } from '#web/ui/price.tsx';
import type { ServiceOrder } from './service-order.ts';

type Split = ServiceOrder['splits'][number];

type Viewer = ServiceOrder['viewer'];
type Name = 'buyer' | 'provider' | 'fee';

/** The buyer sees their payment, the booster their proceeds. */
const AMOUNTS: Readonly<Record<Viewer, readonly (readonly [Name, string])[]>> = {
  buyer: [
    ['buyer', '退回您'],
    ['provider', '付给打手'],
    ['fee', '平台服务费'],
  ],
  seller: [
    ['buyer', '退回买家'],
    ['provider', '您共得'],
    ['fee', '平台费用'],
  ],
};

/** A sum of the split; of the booster's, what was paid already and is not returned. */
function Sum({ split, name }: { split: Split; name: Name }) {
  return (
    <>
      <Amount yuan={split[name]} />
      {name === 'provider' && Number(split.paid) > 0 && (
        <span className="block text-ink-3">其中已付 {grouped(split.paid)} 元，不退</span>
      )}
    </>
  );
}

/** Describes the recipient of the efficiency deposit; empty where the order has none. */
function efficiencyText({ efficiency, efficiencyToBuyer }: Split): string {
  if (Number(efficiency) === 0) return '无';
  return `${grouped(efficiency)} 元${efficiencyToBuyer ? '归买家' : '退回打手'}`;
}

/** The split of one cancellation, line by line. */
export function SplitTerms({ split, viewer }: { split: Split; viewer: Viewer }) {
  return (
    <dl className="grid gap-1">
      {AMOUNTS[viewer].map(([key, label]) => (
        <div key={key} className="flex justify-between gap-3">
          <dt className="text-ink-3">{label}</dt>
          <dd className="text-right">
            <Sum split={split} name={key} />
          </dd>
        </div>
      ))}
      <div className="flex justify-between gap-3">
        <dt className="text-ink-3">效率保证金</dt>
        <dd>{efficiencyText(split)}</dd>
      </div>
    </dl>
  );
}

/**
 * The split of a cancellation now: always visible, and recomputed with every proof. On phones it is shown line by line.
 */
export function Splits({ service }: { service: Pick<ServiceOrder, 'cancel' | 'splits' | 'viewer'> }) {
  const { viewer } = service;
  const splits = service.cancel ? [service.cancel.split] : service.splits;
  if (splits.length === 0) return null;
  return (
    <section className="border-t border-line-soft px-4 py-3" aria-labelledby="splits">
      <h3 id="splits" className="text-13 font-medium">
        {service.cancel ? '申请中的取消方案' : '现在取消，各得多少'}
      </h3>
      <ul className="mt-2 grid gap-3 text-12 md:hidden">
        {splits.map((split) => (
          <li key={split.reason} className="grid gap-1.5 rounded-control bg-sunken px-3 py-2">
            <h4 className="font-medium">{split.reasonName}</h4>
            <SplitTerms split={split} viewer={viewer} />
          </li>
        ))}
      </ul>
      <table className="mt-1 w-full text-12 max-md:hidden">
        <thead className="text-ink-3">
          <tr className="text-left">
            <th className="py-1 font-normal">原因</th>
            {AMOUNTS[viewer].map(([key, label]) => (
              <th key={key} className="py-1 pl-3 text-right font-normal whitespace-nowrap">
                {label}
              </th>
            ))}
            <th className="py-1 pl-3 text-right font-normal whitespace-nowrap">效率保证金</th>
          </tr>
        </thead>
        <tbody>
          {splits.map((split) => (
            <tr key={split.reason} className="border-t border-line-soft">
              <td className="py-1.5">{split.reasonName}</td>
              {AMOUNTS[viewer].map(([key]) => (
                <td key={key} className="py-1.5 pl-3 text-right">
                  <Sum split={split} name={key} />
                </td>
              ))}
              <td className="py-1.5 pl-3 text-right whitespace-nowrap">{efficiencyText(split)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
