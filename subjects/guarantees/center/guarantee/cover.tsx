import { ShieldCheck } from 'lucide-react';
import { Link } from 'react-router';
import type { Data } from '#contract/endpoint.ts';
import type { coverDetail } from '#subjects/guarantees/contract/guarantee.ts';
import { ClaimClock } from '#subjects/disputes/web/parts/cases/claim-clock.tsx';
import { GoodsSummary } from '#subjects/orders/web/parts/order/goods-line.tsx';
import { orderPath } from '#subjects/orders/web/parts/order/order-links.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { Amount } from '#web/ui/price.tsx';
import { ClaimForm } from './claim-form.tsx';
import { StateTag } from './list.tsx';

type CoverFile = Data<typeof coverDetail>;

function Details({ cover }: { cover: CoverFile }) {
  const details = [
    ['商品价', <Amount key="price" yuan={cover.price} />],
    ['保费', <Amount key="premium" yuan={cover.premium} />],
    ['最多赔付', <Amount key="most" yuan={cover.payoutMax} className="font-semibold" />],
    ['保障开始', cover.startTime ? fullAt(cover.startTime) : '确认收货后'],
    ['保障结束', cover.endTime ? fullAt(cover.endTime) : '持有账号期间一直有效'],
    ['追索天数', `${cover.terms.chaseDays} 天`],
  ] as const;
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden bg-line-soft text-13 md:grid-cols-3">
      {details.map(([name, value]) => (
        <div key={name} className="bg-panel px-4 py-2.5">
          <dt className="text-12 text-ink-3">{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** One cover: what it includes and excludes, its holders, its certificate, its claims, and the form for a new claim. */
export function CoverPage({ cover, now }: { cover: CoverFile; now: string }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <section className="panel overflow-hidden" aria-label="保障">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3.5">
          <ShieldCheck className="icon size-5 text-safe" aria-hidden="true" />
          <h1 className="text-20 font-semibold">{cover.tierName}</h1>
          <StateTag status={cover.status} name={cover.statusName} />
          <p className="min-w-0 flex-1 text-13 text-ink-2 max-md:basis-full">{cover.explain}</p>
          {cover.certificateNo && (
            <ButtonLink to={`/guarantee/${cover.certificateNo}`} size="sm">
              查看证书
            </ButtonLink>
          )}
        </div>
        <Details cover={cover} />
        <div className="grid gap-3 border-t border-line-soft px-4 py-3.5">
          <GoodsSummary
            title={cover.bigTitle}
            gameName={cover.gameName}
            typeId={cover.orderTypeId}
            typeName={cover.orderTypeName}
            thumbnail={cover.thumbnail}
            seed={cover.orderSn}
            lines={1}
          >
            {cover.mine && cover.holders.length <= 1 && (
              <Link to={orderPath(cover.orderSn)} className="text-12 text-ink-3 hover:text-link">
                订单 {cover.orderSn}
              </Link>
            )}
          </GoodsSummary>
          <p className="text-13 text-ink-2">{cover.terms.coverText}。</p>
          <ul className="grid list-disc gap-0.5 pl-5 text-13 text-ink-2" aria-label="每种原因赔多少">
            {cover.reasons.map(({ code, name, text }) => (
              <li key={code}>
                {name}：{text}。
              </li>
            ))}
          </ul>
          <ul className="grid list-disc gap-0.5 pl-5 text-13 text-ink-3" aria-label="不赔的情形">
            {cover.terms.exclusions.map((sentence) => (
              <li key={sentence}>不赔：{sentence}。</li>
            ))}
          </ul>
        </div>
      </section>
      {cover.claims.map((claim) => (
        <section key={claim.claimSn} className="panel" aria-label={`理赔 ${claim.claimSn}`}>
          <div className="panel-head">
            <h2>理赔</h2>
            <StateTag status={claim.status} name={claim.statusName} />
            <Link to={`/center/buyGuarantee?claimSn=${claim.claimSn}`} className="hit link ml-auto text-13">
              查看进度
            </Link>
          </div>
          <div className="px-4 py-3">
            <ClaimClock clock={claim.clock} now={now} />
          </div>
        </section>
      ))}
      {cover.closed === null ? (
        <ClaimForm cover={cover} />
      ) : (
        <p className="panel px-4 py-3 text-13 text-ink-2">现在不能申请理赔：{cover.closed}。</p>
      )}
      {cover.holders.length > 0 && (
        <section className="panel" aria-label="持有人">
          <div className="panel-head">
            <h2>持有人</h2>
            <p>账号在本站转手，保障跟着账号走</p>
          </div>
          <ol className="px-4 py-2 text-13">
            {cover.holders.map((h) => (
              <li key={h.seq} className="flex flex-wrap gap-x-4 border-b border-line-soft py-2 last:border-b-0">
                <b className="w-20 font-semibold">{h.name}</b>
                <span className="text-ink-3">
                  {fullAt(h.from)} 起{h.to && `，${fullAt(h.to)} 转出`}
                </span>
              </li>
            ))}
          </ol>
        </section>
      )}
    </div>
  );
}
