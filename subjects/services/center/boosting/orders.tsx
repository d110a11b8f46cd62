import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { SELLS } from '#contract/rules/parties.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { ordersData } from '#subjects/orders/center/orders-loader.ts';
import { OrdersOfRole } from '../orders-of-role.tsx';
import { BOOSTER, roleOnly } from '../role.ts';

export const handle = { phone: { refresh: true } };

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '代练订单', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  roleOnly(args, BOOSTER);
  return await ordersData(args, SELLS, BOOSTER.typeId);
}

/** The viewer's orders as a booster. */
export default function BoosterOrders() {
  return <OrdersOfRole role={BOOSTER} data={useLoaderData<typeof loader>()} />;
}
