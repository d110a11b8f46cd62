import { chinaDay } from '#contract/rules/time/china-time.ts';
import { type LoaderFunctionArgs, useLoaderData, useRevalidator } from 'react-router';
import { bill, billStats } from '#subjects/payments/contract/pay.ts';
import { call } from '#web/lib/api/api.ts';
import { marketContext, optional } from '#web/lib/pages/context.ts';
import { fenOf } from '#web/lib/format/format.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { FlowChart } from '../../web/parts/money/flow-chart.tsx';
import { attempt } from '#web/lib/api/attempt.ts';
import { BillList } from '#subjects/payments/web/parts/money/bill-list.tsx';
import { ListBody } from '#web/ui/lists/list-body.tsx';
import { ListEnd } from '#web/ui/lists/list-end.tsx';
import { useCursorList } from '#web/lib/lists/use-cursor-list.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { LinkTabs } from '#web/ui/lists/link-tabs.tsx';
import { Amount } from '#web/ui/price.tsx';
import { EmptyState, ErrorState } from '#web/ui/states.tsx';
import { BillFilters } from './bill-filters.tsx';
import { ACCOUNTS, type BillState, billInput, billPath, isFiltered, parseBill } from './bill-query.ts';

const PAGE = 20;
const PATH = '/center/mywallets/list';

export const handle = { phone: { refresh: true } };

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '账单', noindex: true });
}

const inputOf = (state: BillState) => ({ ...billInput(state), pageSize: PAGE });

export async function loader({ context, url }: LoaderFunctionArgs) {
  const state = parseBill(url.searchParams);
  const { call: request } = context.get(marketContext);
  const { account, minTime, maxTime } = billInput(state);
  const [result, flow] = await Promise.all([
    attempt(request(bill, inputOf(state))),
    // The chart covers account and period only: with the other filters it would be incomplete.
    optional(request(billStats, { account, ...(minTime && { minTime }), ...(maxTime && { maxTime }) })),
  ]);
  return { state, result, flow, today: chinaDay(new Date()) };
}

type BillPageData = Extract<Awaited<ReturnType<typeof loader>>['result'], { ok: true }>['data'];

function Lines({ state, first }: { state: BillState; first: BillPageData }) {
  const { items, next, busy, error, more } = useCursorList(
    first,
    (cursor) => call(bill, { ...inputOf(state), cursor }, { quiet: true }),
    ({ id }) => id,
  );
  if (items.length === 0) {
    return (
      <EmptyState
        title={isFiltered(state) ? '没有符合条件的记录' : '还没有资金记录'}
        action={
          isFiltered(state) ? (
            <ButtonLink to={PATH}>查看全部</ButtonLink>
          ) : (
            <ButtonLink to="/center/myself/recharge" kind="primary">
              去充值
            </ButtonLink>
          )
        }
      >
        每一笔钱的来去都会记在这里，附变动后的余额。
      </EmptyState>
    );
  }
  return (
    <>
      <BillList lines={items} label="账单" />
      <ListEnd next={next} busy={busy} error={error} onMore={more} />
    </>
  );
}

/** Every movement of the user's three accounts with the balance after it. */
export default function BillPage() {
  const { state, result, flow, today } = useLoaderData<typeof loader>();
  const { revalidate } = useRevalidator();
  const current = ACCOUNTS.find(({ account }) => account === state.account);
  return (
    <section className="panel" aria-labelledby="bill">
      <div className="panel-head">
        <h1 id="bill" className="text-16 font-semibold">
          账单
        </h1>
        {result.ok && (
          <p className="ml-auto text-13!">
            {current?.label} <Amount yuan={result.data.balance} className="font-semibold text-ink" />
          </p>
        )}
      </div>
      <LinkTabs
        label="账户"
        items={ACCOUNTS.map(({ account, label }) => ({
          key: account,
          label,
          to: billPath(PATH, { ...state, account }),
          isCurrent: account === state.account,
        }))}
      />
      <p className="px-4 pt-2.5 text-12 text-ink-3">{current?.help}</p>
      <BillFilters state={state} path={PATH} today={today} />
      {flow && fenOf(flow.income) + fenOf(flow.expense) > 0 && (
        <div className="border-b border-line-soft">
          <FlowChart flow={flow} label={`${current?.label ?? ''}收支`} />
        </div>
      )}
      <ListBody path={PATH}>
        {result.ok ? (
          <Lines state={state} first={result.data} />
        ) : (
          <ErrorState message={result.msg} onRetry={() => void revalidate()} />
        )}
      </ListBody>
    </section>
  );
}
