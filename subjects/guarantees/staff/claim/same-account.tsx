import type { staffClaimDetail } from '#subjects/guarantees/contract/staff-claims.ts';
import type { Data } from '#contract/endpoint.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { Tag } from '#web/ui/tag.tsx';
import { PageLink } from '#subjects/back-office/staff/parts/page-link.tsx';

/** Other listings and sales of the claimed account; live listings and later sales are highlighted. */
export function SameAccount({ file }: { file: Pick<Data<typeof staffClaimDetail>, 'sameAccount'> }) {
  const { sameAccount } = file;
  return (
    <section className="panel" aria-label="同一账号">
      <div className="panel-head">
        <h2>同一账号</h2>
        <p>理赔期间和赔付之后不能再出售（规则 5.6）</p>
      </div>
      {sameAccount.length === 0 ? (
        <p className="px-4 py-3 text-13 text-ink-3">没有其他商品或订单。</p>
      ) : (
        <ul className="px-4 py-1 text-13">
          {sameAccount.map((g) => (
            <li
              key={g.goodsSn}
              className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line-soft py-2 last:border-b-0"
            >
              <PageLink to={`/backstage/listings?keyWord=${g.goodsSn}&open=${g.goodsSn}`}>{g.goodsSn}</PageLink>
              <span className="min-w-0 flex-1 truncate">{g.title}</span>
              <span className="text-ink-2">
                {g.sellerName}
                {g.isClaimant && '（申请人）'}
              </span>
              <Tag {...(g.isLive && { tone: 'danger' as const })}>{g.statusName}</Tag>
              {g.orderSn && <PageLink to={`/backstage/orders/${g.orderSn}`}>订单 {g.orderStatusName}</PageLink>}
              <time className="text-ink-3">{fullAt(g.time)}</time>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
