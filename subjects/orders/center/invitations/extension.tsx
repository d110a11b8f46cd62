import { QrCode } from 'lucide-react';
import { type LoaderFunctionArgs, useLoaderData, useRevalidator } from 'react-router';
import type { Data } from '#contract/endpoint.ts';
import { inviteList, inviteStats } from '#subjects/orders/contract/invite.ts';
import { call } from '#web/lib/api/api.ts';
import { market, marketContext } from '#web/lib/pages/context.ts';
import { fenOf } from '#web/lib/format/format.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { FlowChart } from '#subjects/payments/web/parts/money/flow-chart.tsx';
import { attempt } from '#web/lib/api/attempt.ts';
import { ListEnd } from '#web/ui/lists/list-end.tsx';
import { fullAt } from '#web/lib/format/times.ts';
import { useCursorList } from '#web/lib/lists/use-cursor-list.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { CopyButton, copyText } from '#web/ui/copy-button.tsx';
import { Amount } from '#web/ui/price.tsx';
import { EmptyState, ErrorState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';

const PAGE = 20;

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '我的推广', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  const { call: request } = market(args);
  const [stats, list] = await Promise.all([
    request(inviteStats, {}),
    attempt(args.context.get(marketContext).call(inviteList, { pageSize: PAGE })),
  ]);
  return { stats, list };
}

type Stats = Data<typeof inviteStats>;

function Figures({ stats }: { stats: Stats }) {
  const figures = [
    ['累计奖励', <Amount key="all" yuan={stats.rewardTotal} />],
    ['其中待结算', <Amount key="maturing" yuan={stats.rewardMaturing} />],
    ['近 30 天', <Amount key="30" yuan={stats.reward30} />],
    ['邀请人数', `${stats.invited} 人`],
    ['已成交', `${stats.active} 人`],
  ] as const;
  return (
    <dl className="grid grid-cols-2 md:grid-cols-5">
      {figures.map(([label, value]) => (
        <div
          key={label}
          className="grid gap-1 border-line-soft px-4 py-3.5 max-md:border-b md:border-r md:last:border-r-0"
        >
          <dt className="text-12 text-ink-3">{label}</dt>
          <dd className="text-20 font-semibold">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Share({ stats }: { stats: Stats }) {
  return (
    <div className="grid gap-3 border-t border-line-soft p-4 text-13">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="text-ink-3">邀请码</span>
        <b className="text-16">
          <CopyButton text={stats.inviteCode} label="邀请码" />
        </b>
      </p>
      <p className="flex flex-wrap items-center gap-2">
        <code className="min-w-0 flex-1 truncate rounded-control bg-sunken px-3 py-1.5 font-mono text-12">
          {stats.shareUrl}
        </code>
        <Button onClick={() => void copyText(stats.shareUrl)}>复制链接</Button>
        <ButtonLink to="/center/extend/qrCode">
          <QrCode className="icon" aria-hidden="true" />
          二维码
        </ButtonLink>
      </p>
    </div>
  );
}

function People({ first }: { first: Data<typeof inviteList> }) {
  const { items, next, busy, error, more } = useCursorList(
    first,
    (cursor) => call(inviteList, { pageSize: PAGE, cursor }, { quiet: true }),
    ({ id }) => id,
  );
  if (items.length === 0) {
    return (
      <EmptyState
        title="还没有邀请到人"
        action={
          <ButtonLink kind="primary" to="/center/extend/qrCode">
            去分享
          </ButtonLink>
        }
      >
        好友用您的链接注册后会出现在这里，名字只显示首尾两字。
      </EmptyState>
    );
  }
  return (
    <>
      <ul aria-label="我邀请的人">
        {items.map((person) => (
          <li
            key={person.id}
            className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-0.5 border-b border-line-soft px-4 py-2.5 text-13 last:border-b-0 md:grid-cols-[minmax(0,1fr)_160px_110px_120px]"
          >
            <span className="flex items-center gap-2">
              <b className="font-medium">{person.nickName}</b>
              {person.verified && <Tag tone="safe">已实名</Tag>}
            </span>
            <time dateTime={person.time} className="text-12 text-ink-3 max-md:order-3">
              {fullAt(person.time)} 注册
            </time>
            <span className="text-12 text-ink-3 max-md:order-4 max-md:text-right">成交 {person.orders} 单</span>
            <span className="text-right text-14 font-semibold">
              {fenOf(person.reward) > 0 ? (
                <Amount yuan={person.reward} sign="+" />
              ) : (
                <span className="text-ink-4">—</span>
              )}
            </span>
          </li>
        ))}
      </ul>
      <ListEnd next={next} busy={busy} error={error} onMore={more} />
    </>
  );
}

/** Results of invitations: figures, rewards by day, and the invited users with masked names. */
export default function ExtensionPage() {
  const { stats, list } = useLoaderData<typeof loader>();
  const { revalidate } = useRevalidator();
  const days = stats.days.map(({ day, reward }) => ({ day, income: reward, expense: '0.00' }));
  return (
    <div className="grid gap-4">
      <section className="panel overflow-hidden" aria-labelledby="extension">
        <div className="panel-head">
          <h1 id="extension" className="text-16 font-semibold">
            我的推广
          </h1>
          <p>好友成交，得平台手续费的 {stats.rateText}</p>
        </div>
        <Figures stats={stats} />
        <Share stats={stats} />
      </section>
      {stats.maturing.length > 0 && (
        <section className="panel" aria-labelledby="maturing">
          <div className="panel-head">
            <h2 id="maturing">待结算的奖励</h2>
            <p>订单保护期结束后进入可用余额</p>
          </div>
          <ul aria-label="待结算的奖励">
            {stats.maturing.map((m) => (
              <li
                key={m.orderSn}
                className="flex flex-wrap items-center gap-x-4 border-b border-line-soft px-4 py-2.5 text-13 last:border-b-0"
              >
                <span>订单尾号 {m.orderSn}</span>
                <span className="text-12 text-ink-3">
                  {m.releaseTime ? `${fullAt(m.releaseTime)} 到账` : '订单处理中，暂停计时'}
                </span>
                <b className="ml-auto font-semibold">
                  <Amount yuan={m.reward} sign="+" />
                </b>
              </li>
            ))}
          </ul>
        </section>
      )}
      {fenOf(stats.reward30) > 0 && (
        <section className="panel" aria-labelledby="by-day">
          <div className="panel-head">
            <h2 id="by-day">近 30 天奖励</h2>
          </div>
          <FlowChart flow={{ days, income: stats.reward30, expense: '0.00' }} label="近 30 天奖励" singleDirection />
        </section>
      )}
      <section className="panel" aria-labelledby="people">
        <div className="panel-head">
          <h2 id="people">我邀请的人</h2>
        </div>
        {list.ok ? <People first={list.data} /> : <ErrorState message={list.msg} onRetry={() => void revalidate()} />}
      </section>
      <section className="panel" aria-labelledby="how">
        <div className="panel-head">
          <h2 id="how">奖励规则</h2>
        </div>
        <ol className="grid list-decimal gap-1.5 py-3 pr-4 pl-9 text-13 text-ink-2">
          {stats.rules.map((rule) => (
            <li key={rule}>{rule}</li>
          ))}
        </ol>
      </section>
    </div>
  );
}
