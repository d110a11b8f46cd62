import { Link, type MetaFunction, useLoaderData } from 'react-router';
import { pageMeta } from '#web/lib/pages/site.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { Breadcrumb } from '#web/ui/lists/breadcrumb.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { Price } from '#web/ui/price.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { DealPanel } from './deal-panel.tsx';
import { HowItWorks, Welcome } from './how.tsx';
import type { PageData, loader } from './middleman-loader.ts';
import { OpenForm } from './open-form.tsx';

export { loader } from './middleman-loader.ts';

export const meta: MetaFunction<typeof loader> = (args) =>
  pageMeta(args, {
    title: '担保中介',
    description: '双方已谈好的交易，货款由平台托管：一方发起，另一方凭链接接受，收货确认后才放款',
    noindex: args.loaderData?.deal !== null,
  });

function Own({ list }: { list: PageData['own'] }) {
  if (list.length === 0) return null;
  return (
    <section className="panel mt-4" aria-labelledby="own-deals">
      <div className="panel-head">
        <h2 id="own-deals">我的担保交易</h2>
      </div>
      <ul>
        {list.map((deal) => (
          <li
            key={deal.dealSn}
            className="grid grid-cols-[minmax(0,1fr)_auto_auto] items-center gap-x-4 border-b border-line-soft px-4 py-2.5 last:border-b-0"
          >
            <span className="min-w-0">
              <Link to={`/intermediary/intermediary?dealSn=${deal.dealSn}`} className="block truncate hover:text-link">
                {deal.title}
              </Link>
              <span className="text-12 text-ink-3">{fullAt(deal.createTime)}</span>
            </span>
            <Tag>{deal.statusName}</Tag>
            <Price yuan={deal.price} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The middleman service: two people have agreed on a deal; one opens it, the other accepts by the link, then it is an ordinary order. */
export default function Middleman() {
  const data = useLoaderData<typeof loader>();
  const { deal, login, isVerified } = data;
  return (
    <div className="mx-auto max-w-220">
      <div className="max-md:hidden">
        <Breadcrumb
          items={[
            { label: '首页', to: '/' },
            { label: '担保中介', ...(deal && { to: '/intermediary/intermediary' }) },
            ...(deal ? [{ label: '交易详情' }] : []),
          ]}
        />
      </div>
      {deal?.ok ? (
        <DealPanel key={deal.data.dealSn} deal={deal.data} data={data} />
      ) : (
        <section className="panel max-md:mt-3" aria-labelledby="middleman">
          <div className="panel-head">
            <h1 id="middleman" className="text-16 font-semibold">
              担保中介
            </h1>
            <p className="max-md:hidden">双方已谈好，钱由平台托管，收货确认后放款</p>
          </div>
          {deal && (
            <p
              className="mx-4 mt-4 rounded-control border border-attn-line bg-attn-bg px-3 py-2 text-13 text-attn"
              role="alert"
            >
              {deal.msg}
            </p>
          )}
          {login ? (
            <Welcome fee={data.fee} login={login} />
          ) : isVerified ? (
            <OpenForm data={data} />
          ) : (
            <EmptyState
              title="先完成实名认证"
              action={
                <ButtonLink
                  kind="primary"
                  to="/center/myself/identityAuthentication?returnUrl=%2Fintermediary%2Fintermediary"
                >
                  去实名认证
                </ButtonLink>
              }
            >
              担保交易需要双方都是已成年的实名用户。
            </EmptyState>
          )}
        </section>
      )}
      {!deal?.ok && <Own list={data.own} />}
      {!deal?.ok && <HowItWorks fee={data.fee} />}
    </div>
  );
}
