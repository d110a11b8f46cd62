import { Link } from 'react-router';
import type { Data } from '#contract/endpoint.ts';
import type { blackList } from '#subjects/verification/contract/verification.ts';
import { Amount } from '#web/ui/price.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { TimeLabel } from '#web/ui/time-label.tsx';

export type BlackItem = Data<typeof blackList>['list'][number] & { reviewNote?: string | null };

const TONES = { listed: 'danger', reviewing: 'attn' } as const;

/** Entries as rows: event, masked numbers, amount, date. `withStatus` is for the user's own reports. */
export function BlackRows({ items, withStatus = false }: { items: readonly BlackItem[]; withStatus?: boolean }) {
  return (
    <ul>
      {items.map((item) => (
        <li key={item.blackSn} className="relative border-b border-line-soft px-4 py-3 last:border-b-0 hover:bg-hover">
          <p className="flex items-baseline gap-2">
            <Tag tone={withStatus ? TONES[item.status as keyof typeof TONES] : 'danger'} className="flex-none">
              {withStatus ? item.statusName : item.reasonName}
            </Tag>
            <Link to={`/black/${item.blackSn}`} className="stretched truncate font-medium">
              {item.title}
            </Link>
            <TimeLabel at={item.listTime ?? item.createTime} className="ml-auto flex-none text-12 text-ink-3" />
          </p>
          <p className="mt-1 flex flex-wrap gap-x-4 gap-y-0.5 text-12 text-ink-3">
            {item.accounts.map(({ kind, kindName, mask }) => (
              <span key={`${kind}${mask}`}>
                {kindName} <span className="text-ink-2">{mask}</span>
              </span>
            ))}
            {item.gameName && <span>{item.gameName}</span>}
            {item.amount && (
              <span>
                涉及 <Amount yuan={item.amount} />
              </span>
            )}
          </p>
          {item.reviewNote && <p className="mt-1 text-12 text-attn">审核说明：{item.reviewNote}</p>}
        </li>
      ))}
    </ul>
  );
}
