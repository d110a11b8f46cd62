import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { SELLS } from '#contract/rules/parties.ts';
import { ordersData } from './orders-loader.ts';
import { OrdersPage } from './orders-page.tsx';
import { pageMeta } from '#web/lib/pages/site.ts';
import { ButtonLink } from '#web/ui/button.tsx';

export const handle = { phone: { refresh: true, title: '我卖出的' } };

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '我卖出的', noindex: true });
}

export function loader(args: LoaderFunctionArgs) {
  return ordersData(args, SELLS);
}

/** Orders of what the viewer sold. */
export default function SellerOrders() {
  return (
    <OrdersPage
      data={useLoaderData<typeof loader>()}
      path="/center/sellOrder"
      title="我卖出的"
      empty={{
        title: '还没有卖出商品',
        text: '发布后由平台审核，有人付款时会在这里和消息里提醒您。',
        action: (
          <ButtonLink to="/center/sell" kind="primary">
            发布商品
          </ButtonLink>
        ),
      }}
    />
  );
}
