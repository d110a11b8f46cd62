import { type LoaderFunctionArgs, redirect, useLoaderData } from 'react-router';
import { disputeDetail, disputeEntry, disputeList } from '#subjects/disputes/contract/dispute.ts';
import { market, optional } from '#web/lib/pages/context.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { refundInfo } from '#subjects/payments/contract/pay.ts';
import { refundWay } from '#subjects/payments/rules/refund-arrival.ts';
import { disputePath } from '#subjects/orders/web/parts/order/order-links.ts';
import { DisputePage } from './complaint/detail.tsx';
import { Complaints } from './complaint/list.tsx';
import { OpenForm } from './complaint/open-form.tsx';

export const handle = {
  crumb: (data: unknown) => {
    const { mode } = data as { mode: string };
    if (mode === 'list') return undefined;
    return { under: '/center/buyComplaint', name: mode === 'open' ? '发起申诉' : '申诉详情' };
  },
};

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '我的申诉', noindex: true });
}

const PAGE = 20;

/** The list; with an order number the form to open a dispute, or the order's open dispute; with a dispute number that dispute. */
export async function loader(args: LoaderFunctionArgs) {
  const { call } = market(args);
  const query = args.url.searchParams;
  const now = new Date().toISOString();
  const disputeSn = query.get('disputeSn');
  if (disputeSn) {
    const file = await call(disputeDetail, { disputeSn });
    // Only the buyer reads where the refund goes; without the answer the page lacks one sentence.
    const refund = file.refunded ?? file.rulings.at(-1)?.refund ?? '0.00';
    const isRefunded = file.viewer === 'buyer' && refund !== '0.00';
    const info = isRefunded ? await optional(call(refundInfo, { orderSn: file.orderSn })) : null;
    return { mode: 'case' as const, now, file, way: info && refundWay(info, file.totalPrice) };
  }
  const orderSn = query.get('orderSn');
  if (orderSn) {
    const eligibility = await call(disputeEntry, { orderSn });
    if (eligibility.openSn) {
      const away: unknown = redirect(disputePath(eligibility.openSn));
      throw away;
    }
    return { mode: 'open' as const, now, eligibility };
  }
  const state = query.get('state') === 'closed' ? ('closed' as const) : ('open' as const);
  return { mode: 'list' as const, now, state, first: await call(disputeList, { state, pageSize: PAGE }) };
}

/** Disputes of both parties: the open and the closed ones, one in detail, and the form to open one. */
export default function ComplaintPage() {
  const data = useLoaderData<typeof loader>();
  if (data.mode === 'case')
    return <DisputePage key={data.file.disputeSn} file={data.file} way={data.way} now={data.now} />;
  if (data.mode === 'open') return <OpenForm key={data.eligibility.orderSn} eligibility={data.eligibility} />;
  return <Complaints first={data.first} state={data.state} />;
}
