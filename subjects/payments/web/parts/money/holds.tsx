import { CircleCheck, Clock } from 'lucide-react';
import { Link } from 'react-router';
import type { capitalManagement } from '#subjects/accounts/contract/user.ts';
import type { Data } from '#contract/endpoint.ts';
import { Amount } from '#web/ui/price.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { holdParts } from './hold-parts.ts';
import { orderPath } from '#subjects/orders/web/parts/order/order-links.ts';
import { fullAt, shortAt } from '#web/lib/format/times.ts';

export type Hold = Data<typeof capitalManagement>['holds'][number];

const NAMES: Readonly<Record<string, string>> = {
  sale_protection: '货款保护期',
  withdrawal: '提现处理中',
  refund: '原路退回中',
  staff_freeze: '平台冻结',
};

/** Link to the details of a hold. */
function More({ hold }: { hold: Hold }) {
  if (hold.orderSn)
    return (
      <Link to={orderPath(hold.orderSn)} className="hit hover:text-link">
        {hold.reason.includes(hold.orderSn) ? '查看订单' : `订单 ${hold.orderSn}`}
      </Link>
    );
  if (hold.code === 'withdrawal')
    return (
      <Link to="/center/mywallets/withdrawal" className="hit hover:text-link">
        查看提现进度
      </Link>
    );
  return null;
}

/**
 * The parts of a sale's money, earliest first, each with its time; renders nothing for a hold with a single release.
 */
function Stages({ hold }: { hold: Hold }) {
  if (hold.stages.length === 0) return null;
  const parts = holdParts(hold);
  return (
    <ol aria-label="分段放款" className="col-span-full mt-1 flex flex-wrap gap-x-4 gap-y-1 text-12 text-ink-3">
      {parts.map((part, index) => (
        <li key={part.time ?? index} className="flex items-center gap-1">
          {part.released ? (
            <CircleCheck className="icon text-safe" aria-hidden="true" />
          ) : (
            <Clock className="icon" aria-hidden="true" />
          )}
          <Amount yuan={part.amount} />
          {part.time ? (
            <span>
              <time dateTime={part.time}>{shortAt(part.time)}</time> {part.released ? '已放出' : '放出'}
            </span>
          ) : (
            <span>暂停计时</span>
          )}
        </li>
      ))}
    </ol>
  );
}

/** Each held amount, with the reason and the end. */
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
            <p className="mt-0.5 flex flex-wrap gap-x-3 text-12 text-ink-3">
              <time dateTime={hold.createTime}>{fullAt(hold.createTime)} 起</time>
              <More hold={hold} />
            </p>
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
          <Stages hold={hold} />
        </li>
      ))}
    </ul>
  );
}
