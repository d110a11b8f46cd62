import { useState } from 'react';
import { Link, type LoaderFunctionArgs, useLoaderData, useRevalidator } from 'react-router';
import { type StaffTopup, staffTopupList } from '#contract/backstage-topups.ts';
import { staffCan } from '#contract/rules/staff.ts';
import { call } from '#web/lib/api.ts';
import { market } from '#web/lib/context.ts';
import { countText, fenOf } from '#web/lib/format.ts';
import { pageMeta } from '#web/lib/site.ts';
import { ListEnd } from '#web/ui/list-end.tsx';
import { fullAt, shortAt } from '#web/lib/times.ts';
import { useCursorList } from '#web/lib/use-cursor-list.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Amount } from '#web/ui/price.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { FilterBar, FilterKeyword } from './parts/filter-bar.tsx';
import { AdminTable } from './parts/admin-table.tsx';
import { TopupRefundDialog } from './parts/topup-refund-dialog.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '充值退回', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  const { call: request, staff } = market(args);
  const query = { keyWord: args.url.searchParams.get('keyWord') || undefined, pageSize: 30 };
  return {
    first: await request(staffTopupList, query),
    query,
    canRefund: staffCan(staff, 'topup.refund'),
  };
}

/** The refunded amount of a top-up, and the amount in progress. */
function RefundedAmount({ topup }: { topup: StaffTopup }) {
  if (fenOf(topup.refunded) === 0) return <span className="text-ink-4">—</span>;
  return (
    <>
      <Amount yuan={topup.refunded} />
      {fenOf(topup.underWay) > 0 && (
        <span className="block text-12 text-attn">
          处理中 <Amount yuan={topup.underWay} />
        </span>
      )}
    </>
  );
}

function RefundAction({ topup, canRefund, onRefund }: { topup: StaffTopup; canRefund: boolean; onRefund: () => void }) {
  return (
    <>
      {topup.askedBy && (
        <span className="mr-2 text-12 text-attn" title={topup.askedReason ?? undefined}>
          {topup.askedBy}申请退回 {topup.askedAmount && <Amount yuan={topup.askedAmount} />}
        </span>
      )}
      {topup.closed ? (
        <span className="text-12 text-ink-3">{topup.closed}</span>
      ) : (
        canRefund && (
          <Button
            size="sm"
            disabled={topup.isMine}
            title={topup.isMine ? '您已申请，需另一位同事复核' : undefined}
            onClick={onRefund}
          >
            {topup.askedBy ? '复核退回' : '原路退回'}
          </Button>
        )
      )}
    </>
  );
}

function Row(props: { topup: StaffTopup; canRefund: boolean; onRefund: () => void }) {
  const { topup } = props;
  return (
    <tr>
      <td>
        <Link to={`/backstage/users?keyWord=${topup.userId}`} className="font-medium hover:text-link">
          {topup.nickName}
        </Link>
      </td>
      <td className="num font-semibold">
        <Amount yuan={topup.amount} />
      </td>
      <td data-wide="">
        {topup.channelName}
        <span className="block text-12 break-all text-ink-3">{topup.interSn}</span>
      </td>
      <td className="num">
        <RefundedAmount topup={topup} />
      </td>
      <td className="num">
        <Amount yuan={topup.refundable} />
      </td>
      <td className="text-12 whitespace-nowrap text-ink-3">
        <time dateTime={topup.payTime} title={fullAt(topup.payTime)}>
          {shortAt(topup.payTime)}
        </time>
      </td>
      <td className="num">
        <RefundAction {...props} />
      </td>
    </tr>
  );
}

/** Completed top-ups; finance refunds one to its source, above the limit with a second person. */
export default function TopupsPage() {
  const { first, query, canRefund } = useLoaderData<typeof loader>();
  const { revalidate } = useRevalidator();
  const [chosen, setChosen] = useState<StaffTopup | null>(null);
  const { items, next, busy, error, more } = useCursorList(
    first,
    (cursor) => call(staffTopupList, { ...query, cursor }, { quiet: true }),
    ({ paymentId }) => paymentId,
  );
  return (
    <>
      <div className="office-head">
        <h1>充值退回</h1>
        <p>{countText(first.total, first.more)} 笔到账充值</p>
        <div className="ml-auto max-lg:ml-0">
          <FilterBar names={['keyWord']}>
            <FilterKeyword placeholder="用户编号、昵称或支付编号" />
          </FilterBar>
        </div>
      </div>
      <section className="panel overflow-hidden" aria-label="充值退回">
        {items.length === 0 ? (
          <EmptyState
            title="没有找到充值"
            action={query.keyWord ? <ButtonLink to="/backstage/topups">看全部充值</ButtonLink> : null}
          >
            到账的充值会在这里列出，用户申请退款或误充时可以原路退回。
          </EmptyState>
        ) : (
          <>
            <AdminTable
              columns={['用户', { num: '充值' }, '渠道', { num: '已退回' }, { num: '可退' }, '到账', { num: '操作' }]}
            >
              {items.map((topup) => (
                <Row key={topup.paymentId} topup={topup} canRefund={canRefund} onRefund={() => setChosen(topup)} />
              ))}
            </AdminTable>
            <ListEnd next={next} busy={busy} error={error} onMore={more} />
          </>
        )}
      </section>
      {chosen && (
        <TopupRefundDialog
          topup={chosen}
          secondPerson={first.secondPerson}
          onDone={() => {
            setChosen(null);
            void revalidate();
          }}
          onClose={() => setChosen(null)}
        />
      )}
    </>
  );
}
