import type { capitalManagement } from '#contract/user.ts';
import type { Data } from '#contract/endpoint.ts';
import { Amount } from '#web/ui/price.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { fullAt } from './times.ts';

export type Hold = Data<typeof capitalManagement>['holds'][number];

const NAMES: Readonly<Record<string, string>> = {
  sale_protection: '货款保护期',
  withdrawal: '提现处理中',
  dispute: '申诉处理中',
};

/** Each sum that waits: how much, why, and until when. */
export function Holds({ holds }: { holds: readonly Hold[] }) {
  if (holds.length === 0)
    return <EmptyState title="没有冻结中的钱">卖出的货款在保护期内会冻结在这里，写明原因和解冻时间。</EmptyState>;
  return (
    <ul aria-label="冻结明细">
      {holds.map((hold) => (
        <li
          key={`${hold.code}${hold.ref}`}
          className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-0.5 border-b border-line-soft px-4 py-2.5 text-13 last:border-b-0"
        >
          <div className="min-w-0">
            <Tag tone="attn">{NAMES[hold.code] ?? '冻结'}</Tag>
            <p className="mt-1 text-13 text-ink-2">{hold.reason}</p>
          </div>
          <div className="grid justify-items-end gap-0.5">
            <b className="text-14 font-semibold">
              <Amount yuan={hold.amount} />
            </b>
            <span className="text-12 whitespace-nowrap text-ink-3">
              {hold.releaseTime ? (
                <time dateTime={hold.releaseTime}>{fullAt(hold.releaseTime)} 解冻</time>
              ) : (
                '处理完成后解冻'
              )}
            </span>
          </div>
        </li>
      ))}
    </ul>
  );
}
