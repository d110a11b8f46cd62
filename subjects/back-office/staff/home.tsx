import {
  type LoaderFunctionArgs,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
  useSearchParams,
} from 'react-router';
import { staffCan } from '../rules/staff.ts';
import { market } from '#web/lib/pages/context.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { useLayoutCounters } from '#web/layouts/shell/admin-counts.ts';
import { firstData } from './home/first-data.ts';
import { DisputesPanel, FundPanel, HoldsPanel, useMoney } from './home/risk.tsx';
import { FunnelPanel } from './home/funnel.tsx';
import { QueueStrip } from './home/queues.tsx';
import { ReviewPanel } from './home/review.tsx';
import { MissesPanel, StaffPanel, VendorsPanel } from './home/people.tsx';
import { type BoardScope, scopeOf } from './home/scope.ts';
import { TradePanel } from './home/trade.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '工作台', noindex: true });
}

/** With other filters the panels have other inputs and load on their own. */
export function shouldRevalidate({ currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  return currentUrl.pathname === nextUrl.pathname && currentUrl.search !== nextUrl.search
    ? false
    : defaultShouldRevalidate;
}

export async function loader(args: LoaderFunctionArgs) {
  const { staff, call: request } = market(args);
  const may = (permission: Parameters<typeof staffCan>[1]) => staffCan(staff, permission);
  const isPlatform = staff?.distId === null;
  const sees = {
    trade: may('order.read'),
    disputes: may('dispute.read'),
    money: isPlatform && may('ledger.read'),
    staff: may('chat.supervise'),
    vendors: isPlatform && may('vendor.read'),
    misses: isPlatform && may('text.read'),
    review: may('goods.review') && !may('order.read'),
  };
  return { sees, first: await firstData(request, sees, args.url.searchParams) };
}

function MoneyPanels({ initial }: { initial: Parameters<typeof useMoney>[0] }) {
  const state = useMoney(initial);
  return (
    <>
      <FundPanel state={state} />
      <HoldsPanel state={state} />
    </>
  );
}

/**
 * Due work first, then market figures; a failed panel can be reloaded on its own, and each role sees its own panels.
 */
export default function AdminHome() {
  const { sees, first: loaded } = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const scope: BoardScope = scopeOf(search);
  // Panels whose filters differ from the loader's make their own calls.
  const isOfScope = JSON.stringify(loaded.scope) === JSON.stringify(scope);
  const first = isOfScope ? loaded : { ...loaded, trade: null, parts: null, funnel: null, disputes: null };
  const counters = useLayoutCounters();
  return (
    <>
      <div className="admin-head">
        <h1>工作台</h1>
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <QueueStrip of={counters} />
        {sees.trade && (
          <div className="board-wide">
            <TradePanel scope={scope} initial={first} />
            <div className="grid content-start gap-4">
              <FunnelPanel scope={scope} initial={first.funnel} />
              {sees.misses && <MissesPanel initial={first.misses} />}
            </div>
          </div>
        )}
        {sees.review && <ReviewPanel initial={first.review} />}
        {(sees.disputes || sees.money) && (
          <div className="board-thirds">
            {sees.disputes && <DisputesPanel scope={scope} initial={first.disputes} />}
            {sees.money && <MoneyPanels initial={first.money} />}
          </div>
        )}
        {(sees.staff || sees.vendors || (sees.misses && !sees.trade)) && (
          <div className="board-halves">
            {sees.staff && <StaffPanel initial={first.staff} />}
            {sees.vendors && <VendorsPanel initial={first.vendors} />}
            {sees.misses && !sees.trade && <MissesPanel initial={first.misses} />}
          </div>
        )}
      </div>
    </>
  );
}
