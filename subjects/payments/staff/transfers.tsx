import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { transferList } from '#subjects/payments/contract/staff-money.ts';
import { type StaffTransfer, transferRows } from '#subjects/ledger/contract/list-ledger.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { Amount } from '#web/ui/price.tsx';
import { OrderLink } from '#subjects/back-office/staff/list/case-cells.tsx';
import { UserLink } from '#subjects/back-office/staff/parts/user-link.tsx';
import { loadList, rowsOf } from '#subjects/back-office/staff/list/list-loader.ts';
import { ListPage } from '#subjects/back-office/staff/list/list-page.tsx';
import type { CellViews } from '#subjects/back-office/staff/list/table.tsx';

export { shouldRevalidate } from '#subjects/back-office/staff/list/list-loader.ts';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '资金流水', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  return await loadList(args, transferRows, transferList);
}

const VIEWS = [
  { name: '今天', query: 'time=today' },
  { name: '今天提现', query: 'group=withdraw&time=today' },
  { name: '今天退款', query: 'group=refund&time=today' },
  { name: '赔付', query: 'group=claim&time=last7' },
  { name: '大额', query: 'amount=10000%7E&time=last7' },
] as const;

const read = rowsOf(transferList);

function Account({ name, userId }: { name: string; userId: string | null }) {
  return userId === null ? <span className="text-ink-2">{name}</span> : <UserLink id={userId}>{name}</UserLink>;
}

const cells: CellViews<StaffTransfer> = {
  time: (t) => (
    <time dateTime={t.time} className="text-12 text-ink-2">
      {fullAt(t.time)}
    </time>
  ),
  from: (t) => <Account name={t.from} userId={t.fromUserId} />,
  to: (t) => <Account name={t.to} userId={t.toUserId} />,
  amount: (t) => <Amount yuan={t.amount} className="font-semibold" />,
  orderSn: (t) => t.orderSn && <OrderLink sn={t.orderSn} />,
};

function Card({ transfer }: { transfer: StaffTransfer }) {
  return (
    <>
      <span className="flex items-baseline gap-2">
        <b className="line-clamp-1 font-medium">{transfer.title}</b>
        <Amount yuan={transfer.amount} className="ml-auto flex-none font-semibold" />
      </span>
      <span className="flex items-center gap-2 text-12 text-ink-3">
        <span className="line-clamp-1">
          <Account name={transfer.from} userId={transfer.fromUserId} /> →{' '}
          <Account name={transfer.to} userId={transfer.toUserId} />
        </span>
        <span className="ml-auto flex-none">{fullAt(transfer.time)}</span>
      </span>
    </>
  );
}

/** Every transfer of the ledger, each from one account to another. */
export default function TransfersPage() {
  const data = useLoaderData<typeof loader>();
  const sites = data.first.sites.map(({ distId, name }) => [String(distId), name] as const);
  const filters = { ...transferRows.filters, distId: { ...transferRows.filters.distId, options: sites } };
  return (
    <ListPage
      list={{ ...transferRows, filters }}
      data={data}
      load={read}
      builtIn={VIEWS}
      views={cells}
      card={(transfer) => <Card transfer={transfer} />}
      head={
        <ButtonLink size="sm" kind="ghost" to="/backstage/ledger">
          核对与试算平衡
        </ButtonLink>
      }
      empty="去掉一个筛选，或核对订单编号、用户编号是否完整。"
    />
  );
}
