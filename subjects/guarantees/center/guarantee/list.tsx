import { ShieldCheck } from 'lucide-react';
import { Link } from 'react-router';
import type { Data } from '#contract/endpoint.ts';
import { type Claim, type Cover, coverList } from '#subjects/guarantees/contract/guarantee.ts';
import { call } from '#web/lib/api/api.ts';
import { ClaimClock } from '#subjects/disputes/web/parts/cases/claim-clock.tsx';
import { GoodsSummary } from '#subjects/orders/web/parts/order/goods-line.tsx';
import { ListEnd } from '#web/ui/lists/list-end.tsx';
import { withoutGame } from '#subjects/orders/web/parts/order/order-details.ts';
import { useCursorList } from '#web/lib/lists/use-cursor-list.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { LinkTabs } from '#web/ui/lists/link-tabs.tsx';
import { Amount } from '#web/ui/price.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';

/** The colour of a cover's or claim's state. */
export function coverTone(status: string): 'safe' | 'attn' | undefined {
  if (status === 'active' || status === 'paid') return 'safe';
  return ['claimed', 'checking', 'chasing', 'escalated'].includes(status) ? 'attn' : undefined;
}

/** The state of a cover, in its colour. */
export function StateTag({ status, name }: { status: string; name: string }) {
  const tone = coverTone(status);
  return <Tag {...(tone && { tone })}>{name}</Tag>;
}

const claimPath = (claimSn: string): string => `/center/buyGuarantee?claimSn=${claimSn}`;

function CoverRow({ cover }: { cover: Cover }) {
  const to = `/center/buyGuarantee?coverId=${cover.coverId}`;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-2 border-b border-line-soft px-4 py-3 last:border-b-0 md:grid-cols-[minmax(0,1fr)_150px_140px_96px]">
      <GoodsSummary
        title={cover.bigTitle}
        gameName={cover.gameName}
        typeId={cover.orderTypeId}
        typeName={cover.orderTypeName}
        thumbnail={cover.thumbnail}
        seed={cover.orderSn}
        to={to}
        lines={1}
        className="max-md:col-span-2"
      >
        <p className="flex flex-wrap gap-x-3 text-12 text-ink-3">
          <span className="inline-flex items-center gap-1 text-ink-2">
            <ShieldCheck className="icon size-3.5 text-safe" aria-hidden="true" />
            {cover.tierName}
          </span>
          <span>
            保费 <Amount yuan={cover.premium} />
          </span>
        </p>
      </GoodsSummary>
      <span className="grid text-13">
        <span className="text-12 text-ink-3">最多赔付</span>
        <b className="font-semibold">
          <Amount yuan={cover.payoutMax} />
        </b>
      </span>
      <span className="grid justify-items-start gap-1 text-12 text-ink-3 max-md:justify-items-end">
        <StateTag status={cover.status} name={cover.statusName} />
      </span>
      <span className="justify-self-end max-md:col-span-2">
        {cover.openClaimSn ? (
          <ButtonLink to={claimPath(cover.openClaimSn)} size="sm" kind="tonal">
            查看理赔进度
          </ButtonLink>
        ) : (
          <ButtonLink to={to} size="sm">
            {cover.status === 'active' && cover.mine ? '理赔' : '查看'}
          </ButtonLink>
        )}
      </span>
    </li>
  );
}

function Claims({ claims, now }: { claims: readonly Claim[]; now: string }) {
  const open = claims.filter(({ status }) => ['checking', 'chasing', 'escalated'].includes(status));
  const done = claims.filter((claim) => !open.includes(claim));
  if (claims.length === 0) return null;
  return (
    <section className="panel" aria-labelledby="claims">
      <div className="panel-head">
        <h2 id="claims">理赔</h2>
        <p>期满未追回的自动赔付；需要核实的由两名工作人员裁定</p>
      </div>
      <ul>
        {open.map((claim) => (
          <li
            key={claim.claimSn}
            className="grid grid-cols-[minmax(0,1fr)] gap-3 border-b border-line-soft px-4 py-3.5 last:border-b-0"
          >
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-13">
              <StateTag status={claim.status} name={claim.statusName} />
              <Link to={claimPath(claim.claimSn)} className="hit min-w-0 flex-1 truncate hover:text-link">
                {claim.gameName} {withoutGame(claim.bigTitle, claim.gameName)}
              </Link>
              <span className="text-ink-3">{claim.reasonName}</span>
              <b className="font-semibold">
                <Amount yuan={claim.asked} />
              </b>
            </p>
            <ClaimClock clock={claim.clock} now={now} />
          </li>
        ))}
        {done.map((claim) => (
          <li
            key={claim.claimSn}
            className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line-soft px-4 py-3 text-13 last:border-b-0"
          >
            <StateTag status={claim.status} name={claim.statusName} />
            <Link to={claimPath(claim.claimSn)} className="hit min-w-0 flex-1 truncate hover:text-link">
              {claim.gameName} {withoutGame(claim.bigTitle, claim.gameName)}
            </Link>
            <span className="text-ink-3">{claim.reasonName}</span>
            <b className="font-semibold">
              <Amount yuan={claim.paid ?? claim.asked} />
            </b>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The viewer's covers, active and ended, and every claim with its deadline. */
export function Covers({ first, state, now }: { first: Data<typeof coverList>; state: 'live' | 'ended'; now: string }) {
  const { items, next, busy, error, more } = useCursorList(
    first,
    (cursor) => call(coverList, { state, pageSize: 20, cursor }, { quiet: true }),
    ({ coverId }) => coverId,
  );
  const tabs = [
    { key: 'live', label: '保障中', to: '/center/buyGuarantee', count: first.counts.live },
    { key: 'ended', label: '已结束', to: '/center/buyGuarantee?state=ended', count: first.counts.ended },
  ] as const;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <Claims claims={first.claims} now={now} />
      <section className="panel" aria-labelledby="covers">
        <div className="panel-head flex-wrap">
          <h1 id="covers" className="text-16 font-semibold">
            我的包赔
          </h1>
          <Link to="/guarantee" className="hit link ml-auto text-13">
            查看包赔基金公示
          </Link>
        </div>
        <LinkTabs label="保障状态" items={tabs.map((tab) => ({ ...tab, isCurrent: state === tab.key }))} />
        {items.length === 0 ? (
          <EmptyState
            title={state === 'live' ? '没有保障中的账号' : '没有已结束的保障'}
            action={
              <ButtonLink to="/wares?gt=1" kind="primary">
                去挑账号
              </ButtonLink>
            }
          >
            下单时选了包赔，确认收货后保障开始；账号在本站转手，保障跟着账号走。
          </EmptyState>
        ) : (
          <>
            <ul aria-label="包赔">
              {items.map((cover) => (
                <CoverRow key={cover.coverId} cover={cover} />
              ))}
            </ul>
            <ListEnd next={next} busy={busy} error={error} onMore={more} />
          </>
        )}
      </section>
    </div>
  );
}
