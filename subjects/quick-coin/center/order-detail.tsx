import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { queryQuickOrderList } from '#subjects/quick-coin/contract/quick-coin.ts';
import { SELLS } from '#contract/rules/parties.ts';
import { notFound } from '#web/lib/pages/not-found.ts';
import { market } from '#web/lib/pages/context.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { loadOrder } from '#subjects/orders/center/detail/load-order.ts';
import OrderDetailPage from '#subjects/orders/center/order-detail.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { Picture } from '#web/ui/picture.tsx';

export const handle = {
  phone: { back: true, title: '订单', ownBar: true },
  isWide: true,
  crumb: (data: unknown) => ({
    under: (data as Data).order.viewer === 'buyer' ? '/center/buyFastGold' : '/center/myshop/shopOrder',
    name: '金币订单详情',
  }),
};

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '金币订单详情', noindex: true });
}

/** The common order page, with the coin details next to it. */
export async function loader(args: LoaderFunctionArgs) {
  const { call } = market(args);
  const orderSn = args.url.searchParams.get('orderSn');
  if (!orderSn) return notFound('没有这笔订单');
  const [page, { orderList }] = await Promise.all([loadOrder(args, orderSn), call(queryQuickOrderList, { orderSn })]);
  return { ...page, coin: orderList[0] ?? notFound('没有这笔金币订单') };
}

type Data = Awaited<ReturnType<typeof loader>>;

function CoinCard({ coin }: { coin: Data['coin'] }) {
  const details: [string, string][] = [
    ['应到账', coin.coinText],
    ['已交付', coin.deliveredText],
    ['交货方式', coin.deliveryName],
    ...(coin.roleLevel === null ? [] : [['角色等级', `${coin.roleLevel} 级`] as [string, string]]),
    ['大区', [coin.gameName, coin.areaName, coin.serverName].filter(Boolean).join(' ')],
    ...(coin.auctionItem ? [['拍卖物品', coin.auctionItem] as [string, string]] : []),
    ...(coin.meetPlace ? [['见面地点', coin.meetPlace] as [string, string]] : []),
  ];
  return (
    <section className="panel" aria-labelledby="coin-card">
      <div className="panel-head">
        <h2 id="coin-card">收货信息</h2>
        <p>{coin.belong === SELLS ? '按买家填写的角色交付，上传前后截图' : '请在游戏内核对数量后再确认收货'}</p>
      </div>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-3 px-4 py-4 text-13 md:grid-cols-4">
        <div className="grid min-w-0 gap-0.5">
          <dt className="text-12 text-ink-3">收货角色</dt>
          <dd>
            <CopyButton text={coin.roleName} label="角色名" />
          </dd>
        </div>
        {details.map(([label, value]) => (
          <div key={label} className="grid min-w-0 gap-0.5">
            <dt className="text-12 text-ink-3">{label}</dt>
            <dd className="min-w-0 break-words">{value}</dd>
          </div>
        ))}
      </dl>
      {coin.pictures.length > 0 && (
        <ul className="flex flex-wrap gap-2 border-t border-line-soft px-4 py-3" aria-label="交付截图">
          {coin.pictures.map(({ url, thumb }) => (
            <li key={url}>
              <a href={url} target="_blank" rel="noreferrer">
                <Picture src={thumb} alt="交付截图" width={120} height={80} className="w-30" fallback={null} />
              </a>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** One coin order, for either party. */
export default function CoinOrderDetail() {
  const { coin } = useLoaderData<typeof loader>() as Data;
  return <OrderDetailPage aside={<CoinCard coin={coin} />} />;
}
