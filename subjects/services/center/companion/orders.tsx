import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { SELLS } from '#contract/rules/parties.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { ordersData } from '#subjects/orders/center/orders-loader.ts';
import { OrdersOfRole } from '../orders-of-role.tsx';
import { COMPANION, roleOnly } from '../role.ts';

export const handle = { phone: { refresh: true } };

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '陪玩订单', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  roleOnly(args, COMPANION);
  return await ordersData(args, SELLS, COMPANION.typeId);
}

/** The viewer's orders as a companion. */
export default function CompanionOrders() {
  return <OrdersOfRole role={COMPANION} data={useLoaderData<typeof loader>()} />;
}
