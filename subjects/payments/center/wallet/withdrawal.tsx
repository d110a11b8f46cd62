import { WithdrawalStatus } from '#contract/rules/statuses.ts';
import { useLoaderData, useRevalidator } from 'react-router';
import { withdrawList } from '#subjects/payments/contract/pay.ts';
import { call } from '#web/lib/api/api.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { ListEnd } from '#web/ui/lists/list-end.tsx';
import { fullAt } from '#web/lib/format/times.ts';
import { useCursorList } from '#web/lib/lists/use-cursor-list.ts';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { Amount } from '#web/ui/price.tsx';
import { EmptyState, ErrorState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { AcceptButton } from './accept-button.tsx';
import { BeforeWithdraw, WithdrawForm } from './withdraw-form.tsx';
import { type loader as withdrawLoader, WITHDRAWALS_PAGE, type WithdrawData } from './withdraw-loader.ts';
import { arrives, withdrawTone } from './withdraw-rules.ts';

export { loader } from './withdraw-loader.ts';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '提现', noindex: true });
}

type Listed = Extract<WithdrawData['list'], { ok: true }>['data'];

function Withdrawals({ first }: { first: Listed }) {
  const { items, next, busy, error, more } = useCursorList(
    first,
    (cursor) => call(withdrawList, { pageSize: WITHDRAWALS_PAGE, cursor }, { quiet: true }),
    ({ withdrawSn }) => withdrawSn,
  );
  if (items.length === 0) return <EmptyState title="还没有提现记录">提交申请后，进度会显示在这里。</EmptyState>;
  return (
    <>
      <ul aria-label="提现记录">
        {items.map((item) => {
          const tone = withdrawTone(item.status);
          return (
            <li
              key={item.withdrawSn}
              className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 border-b border-line-soft px-4 py-3 text-13 last:border-b-0 md:grid-cols-[minmax(0,1fr)_160px_150px_96px]"
            >
              <span className="grid min-w-0 gap-0.5">
                <span>
                  {item.accountName} {item.accountMask}
                </span>
                <span className="text-12 text-ink-3">
                  <CopyButton text={item.withdrawSn} label="提现编号" />
                </span>
              </span>
              <span className="grid text-12 text-ink-3 max-md:order-3">
                <time dateTime={item.createTime}>{fullAt(item.createTime)} 申请</time>
                {item.paidTime && (
                  <time dateTime={item.paidTime}>
                    {fullAt(item.paidTime)} {item.status === WithdrawalStatus.Paid ? '到账' : '打款'}
                  </time>
                )}
              </span>
              <span className="grid justify-items-end">
                <b className="text-14 font-semibold">
                  <Amount yuan={item.amount} />
                </b>
                {item.fee !== '0.00' && (
                  <span className="text-12 text-ink-3">
                    到账 <Amount yuan={arrives(item.amount, item.fee)} />
                  </span>
                )}
              </span>
              <span className="justify-self-end max-md:order-4">
                <Tag {...(tone && { tone })}>{item.statusName}</Tag>
              </span>
              {item.isAccepting && <AcceptButton withdrawSn={item.withdrawSn} />}
              {(item.note ?? item.arrival) && (
                <p className="col-span-full text-12 text-ink-2 max-md:order-5">{item.note ?? item.arrival}</p>
              )}
            </li>
          );
        })}
      </ul>
      <ListEnd next={next} busy={busy} error={error} onMore={more} />
    </>
  );
}

/** The withdrawal form, to the verified person's own account, and the user's earlier withdrawals. */
export default function WithdrawalPage() {
  const data = useLoaderData<typeof withdrawLoader>();
  const { revalidate } = useRevalidator();
  const ready = data.isVerified && data.isAdult && data.payees.some(({ isOpen }) => isOpen);
  return (
    <div className="grid gap-4">
      <section className="panel" aria-labelledby="withdraw">
        <div className="panel-head">
          <h1 id="withdraw" className="text-16 font-semibold">
            提现
          </h1>
          <p className="ml-auto text-13!">
            可用余额 <Amount yuan={data.coin} className="font-semibold text-ink" />
          </p>
        </div>
        {ready ? <WithdrawForm data={data} /> : <BeforeWithdraw data={data} />}
      </section>
      <section className="panel" aria-labelledby="withdrawals">
        <div className="panel-head">
          <h2 id="withdrawals">提现记录</h2>
        </div>
        {data.list.ok ? (
          <Withdrawals first={data.list.data} />
        ) : (
          <ErrorState message={data.list.msg} onRetry={() => void revalidate()} />
        )}
      </section>
    </div>
  );
}
