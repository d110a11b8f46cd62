import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { BUYS } from '#contract/rules/parties.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { ordersData } from './orders-loader.ts';
import { OrdersPage } from './orders-page.tsx';

export const handle = { phone: { refresh: true, title: '我买到的' } };

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '我买到的', noindex: true });
}

export function loader(args: LoaderFunctionArgs) {
  return ordersData(args, BUYS);
}

/** Orders of what the viewer bought. */
export default function BuyerOrders() {
  return (
    <OrdersPage
      data={useLoaderData<typeof loader>()}
      path="/center/buyGoodsOrder"
      title="我买到的"
      empty={{
        title: '还没有买过商品',
        text: '付款后货款由平台托管，验收确认才放给卖家。',
        action: (
          <ButtonLink to="/wares" kind="primary">
            去挑一件
          </ButtonLink>
        ),
      }}
    />
  );
}
