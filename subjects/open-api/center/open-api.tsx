import { BookOpen } from 'lucide-react';
import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { apiKeyList } from '#subjects/open-api/contract/open-keys.ts';
import { deliveryStatuses, webhookDeliveries, webhookList } from '#subjects/open-api/contract/webhooks.ts';
import { market } from '#web/lib/pages/context.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { LinkTabs } from '#web/ui/lists/link-tabs.tsx';
import { Deliveries } from './deliveries.tsx';
import { Keys } from './keys.tsx';
import { Webhooks } from './webhooks.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '开放接口', noindex: true });
}

const TABS = [
  { key: 'keys', label: '密钥' },
  { key: 'webhooks', label: '事件推送' },
] as const;

/** The keys of the seller's own programs, or the endpoints with their sent events. */
export async function loader(args: LoaderFunctionArgs) {
  const { call } = market(args);
  const params = args.url.searchParams;
  const status = deliveryStatuses.find((one) => one === params.get('status'));
  if (params.get('tab') !== 'webhooks') return { tab: 'keys' as const, keys: await call(apiKeyList, {}) };
  const [hooks, deliveries] = await Promise.all([
    call(webhookList, {}),
    call(webhookDeliveries, { ...(status && { status }) }),
  ]);
  return { tab: 'webhooks' as const, hooks, deliveries, status };
}

/** 开放接口: a seller connects an own program. */
export default function OpenApiPage() {
  const data = useLoaderData<typeof loader>();
  return (
    <>
      <section className="panel">
        <div className="panel-head max-md:flex-wrap">
          <h1 className="text-16 font-semibold">开放接口</h1>
          <p>用自己的程序发布商品、同步价格和库存、接收订单事件</p>
          <ButtonLink size="sm" className="ml-auto" to="/openApi">
            <BookOpen className="icon size-3.5" aria-hidden="true" />
            开发文档
          </ButtonLink>
        </div>
        <LinkTabs
          label="开放接口"
          items={TABS.map(({ key, label }) => ({ key, label, to: `?tab=${key}`, isCurrent: data.tab === key }))}
        />
        {data.tab === 'keys' ? <Keys {...data.keys} /> : <Webhooks list={data.hooks.list} />}
      </section>
      {data.tab === 'webhooks' && <Deliveries first={data.deliveries} status={data.status} />}
    </>
  );
}
