import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { BUYS } from '#contract/rules/parties.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { CoinOrders, coinOrdersData } from './orders-part.tsx';

export const handle = { phone: { refresh: true } };

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '极速金币订单', noindex: true });
}

export function loader(args: LoaderFunctionArgs) {
  return coinOrdersData(args, BUYS);
}

/** Orders of coin that the viewer bought. */
export default function CoinBought() {
  return (
    <CoinOrders
      data={useLoaderData<typeof loader>()}
      path="/center/buyFastGold"
      title="极速金币订单"
      empty={{
        title: '还没有买过金币',
        text: '按份购买，付款后由平台托管，到账确认才放给店铺。',
        action: (
          <ButtonLink to="/fastGold/fastGoldOrder" kind="primary">
            去看金币报价
          </ButtonLink>
        ),
      }}
    />
  );
}
