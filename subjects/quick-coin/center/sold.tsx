import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { SELLS } from '#contract/rules/parties.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { CoinOrders, coinOrdersData } from './orders-part.tsx';
import { ownersOnly } from './owners-only.ts';

export const handle = { phone: { refresh: true } };

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '店铺订单', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  ownersOnly(args);
  return await coinOrdersData(args, SELLS);
}

/** Orders of coin that the viewer's shop sold. */
export default function CoinSold() {
  return (
    <CoinOrders
      data={useLoaderData<typeof loader>()}
      path="/center/myshop/shopOrder"
      title="店铺订单"
      empty={{
        title: '还没有金币订单',
        text: '报价有竞争力、在线时间长的店铺更容易接到订单。',
        action: (
          <ButtonLink to="/center/myshop/shopmanage" kind="primary">
            去管理报价
          </ButtonLink>
        ),
      }}
    />
  );
}
