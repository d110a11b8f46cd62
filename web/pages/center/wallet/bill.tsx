import { type LoaderFunctionArgs, Link, useLoaderData, useNavigation, useRevalidator } from 'react-router';
import { bill } from '#contract/pay.ts';
import { call } from '#web/lib/api.ts';
import { marketContext } from '#web/lib/context.ts';
import { pageMeta } from '#web/lib/site.ts';
import { attempt } from '#web/parts/order/attempt.ts';
import { BillList } from '#web/parts/order/bill-list.tsx';
import { ListEnd } from '#web/parts/order/list-end.tsx';
import { useCursorList } from '#web/parts/order/use-cursor-list.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Amount } from '#web/ui/price.tsx';
import { EmptyState, ErrorState } from '#web/ui/states.tsx';
import { ACCOUNTS, type BillState, billPath, DIRECTIONS, parseBill } from './bill-query.ts';

const PAGE = 20;
const PATH = '/center/mywallets/list';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '账单', noindex: true });
}

function inputOf({ account, direction }: BillState) {
  return { account, pageSize: PAGE, ...(direction && { direction }) };
}

export async function loader({ context, url }: LoaderFunctionArgs) {
  const state = parseBill(url.searchParams);
  return { state, answer: await attempt(context.get(marketContext).call(bill, inputOf(state))) };
}

type BillPageData = Extract<Awaited<ReturnType<typeof loader>>['answer'], { ok: true }>['data'];

function Lines({ state, first }: { state: BillState; first: BillPageData }) {
  const { items, next, busy, error, more } = useCursorList(
    first,
    (cursor) => call(bill, { ...inputOf(state), cursor }, { quiet: true }),
    ({ id }) => id,
  );
  if (items.length === 0) {
    return (
      <EmptyState
        title={state.direction ? '没有这个方向的记录' : '还没有资金记录'}
        action={
          state.direction ? (
            <ButtonLink to={billPath(PATH, { ...state, direction: null })}>看全部</ButtonLink>
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
  const { state, answer } = useLoaderData<typeof loader>();
  const { revalidate } = useRevalidator();
  const navigation = useNavigation();
  const busy = navigation.state === 'loading' && navigation.location.pathname === PATH;
  const current = ACCOUNTS.find(({ account }) => account === state.account);
  return (
    <section className="panel" aria-labelledby="bill">
      <div className="panel-head">
        <h1 id="bill" className="text-16 font-semibold">
          账单
        </h1>
        {answer.ok && (
          <p className="ml-auto text-13!">
            {current?.label} <Amount yuan={answer.data.balance} className="font-semibold text-ink" />
          </p>
        )}
      </div>
      <nav className="tabs" aria-label="账户">
        {ACCOUNTS.map(({ account, label }) => (
          <Link
            key={account}
            to={billPath(PATH, { ...state, account })}
            className="tab"
            aria-current={account === state.account ? 'page' : undefined}
            preventScrollReset
          >
            {label}
          </Link>
        ))}
      </nav>
      <div className="flex flex-wrap items-center gap-2 border-b border-line-soft px-4 py-2.5">
        {DIRECTIONS.map(({ direction, label }) => (
          <Link
            key={label}
            to={billPath(PATH, { ...state, direction })}
            className={cx('pick', direction === state.direction && 'pick-on')}
            aria-current={direction === state.direction ? 'true' : undefined}
            preventScrollReset
          >
            {label}
          </Link>
        ))}
        <span className="ml-auto text-12 text-ink-3">{current?.help}</span>
      </div>
      <div className={cx(busy && 'opacity-60')} aria-busy={busy}>
        {answer.ok ? (
          <Lines state={state} first={answer.data} />
        ) : (
          <ErrorState message={answer.msg} onRetry={() => void revalidate()} />
        )}
      </div>
    </section>
  );
}
