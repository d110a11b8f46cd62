import { Flag } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link, useNavigation } from 'react-router';
import type { boostRoutes } from '#contract/boosting.ts';
import type { Data } from '#contract/endpoint.ts';
import { routeText } from '#contract/rules/rank-ladder.ts';
import { fenOf } from '#web/lib/format.ts';
import { framed } from '#web/lib/lazy-part.tsx';
import { type ListQuery, listPath, parseList } from '#web/lib/list-query.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Amount, Price } from '#web/ui/price.tsx';
import { Tag } from '#web/ui/tag.tsx';

type Routes = Data<typeof boostRoutes>;
type Row = Routes['list'][number];

const REQUESTS = '/center/boosting/requests?new=1';

/** The ranks that a press on one chooses: the first press the lower end, the second the upper one, the third begins anew. */
export function nextRoute(
  ranks: Routes['ranks'],
  { rankFrom, rankTo }: Pick<ListQuery, 'rankFrom' | 'rankTo'>,
  value: number,
): Pick<ListQuery, 'rankFrom' | 'rankTo'> {
  const at = (rank: number | null) => ranks.findIndex((one) => one.value === rank);
  if (rankFrom === null || rankTo !== null || at(value) <= at(rankFrom)) return { rankFrom: value, rankTo: null };
  return { rankFrom, rankTo: value };
}

/** The ranks in a row, each a link that chooses it; what lies between the chosen ones is coloured. */
function Ranks({ ranks, state }: { ranks: Routes['ranks']; state: ListQuery }) {
  const at = (rank: number | null) => ranks.findIndex((one) => one.value === rank);
  const [low, high] = [at(state.rankFrom), at(state.rankTo)];
  const row = useRef<HTMLOListElement>(null);
  // On a phone the row is longer than the screen.
  useEffect(() => {
    const mark = row.current?.children[low];
    if (row.current && mark instanceof HTMLElement) row.current.scrollLeft = mark.offsetLeft - mark.offsetWidth;
  }, [low]);
  return (
    <ol ref={row} className="boost-ranks" aria-label="段位，从低到高">
      {ranks.map(({ value, label }, index) => {
        const isEnd = index === low || index === high;
        const role = index === low ? '现在' : index === high ? '打到这里' : null;
        return (
          <li key={value} className={cx(low >= 0 && index > low && index <= high && 'boost-climb')}>
            <Link
              to={listPath({ ...state, ...nextRoute(ranks, state, value) })}
              preventScrollReset
              rel="nofollow"
              aria-current={isEnd || undefined}
            >
              <em>{role}</em>
              <i aria-hidden="true" />
              <span>{label}</span>
            </Link>
          </li>
        );
      })}
    </ol>
  );
}

/** One package beside the others. The cheapest and the fastest of them are marked. */
function Column({ row, wanted, best }: { row: Row; wanted: string; best: readonly string[] }) {
  const { provider } = row;
  const terms: [string, ReactNode][] = [
    ['约定用时', `${row.hours} 小时`],
    ['方式', row.modeName],
    ['分段付款', row.stages > 1 ? `${row.stages} 段，确认一段付一段` : '完成后付'],
    ['安全保证金', fenOf(row.safetyDeposit) > 0 ? <Amount key="s" yuan={row.safetyDeposit} /> : '无'],
    ['效率保证金', fenOf(row.efficiencyDeposit) > 0 ? <Amount key="e" yuan={row.efficiencyDeposit} /> : '无'],
    ['完成', `${provider.doneNum} 单`],
    ['准时', provider.onTimeRate === null ? '单数不足' : `${provider.onTimeRate}%`],
  ];
  return (
    <li className="grid content-start gap-2 rounded-control border border-line p-3 text-13">
      <p className="flex min-w-0 items-center gap-2">
        <Avatar name={provider.name} src={provider.avatar} size={32} />
        <span className="min-w-0">
          <b className="block truncate font-semibold">{provider.name}</b>
          <span className="flex items-center gap-1 text-12 text-ink-3">
            <i className={cx('dot', provider.online && 'dot-on')} aria-hidden="true" />
            {provider.online ? '在线' : '休息中'}
          </span>
        </span>
      </p>
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Price yuan={row.price} size="lg" />
        {best.map((text) => (
          <Tag key={text} tone="safe">
            {text}
          </Tag>
        ))}
      </p>
      <p className={cx('text-12', wanted === '' ? 'text-ink-3' : 'text-attn')}>{wanted || '正好这一段'}</p>
      <dl className="grid gap-1">
        {terms.map(([name, value]) => (
          <div key={name} className="flex justify-between gap-2">
            <dt className="flex-none text-ink-3">{name}</dt>
            <dd className="text-right">{value}</dd>
          </div>
        ))}
      </dl>
      <ButtonLink to={`/detail/${row.goodsSn}`} size="sm" className="mt-1">
        查看套餐
      </ButtonLink>
    </li>
  );
}

/** The packages side by side, or what to do where none leads there. */
function Compared({ routes, state }: { routes: Routes; state: ListQuery }) {
  const { ranks, list } = routes;
  if (list.length === 0)
    return (
      <div className="flex flex-wrap items-center gap-3 border-t border-line-soft px-4 py-4 text-13">
        <span>还没有打手挂出这一段的套餐。</span>
        <ButtonLink to={REQUESTS} size="sm" kind="primary">
          发单，等打手来接
        </ButtonLink>
      </div>
    );
  const hasDeposit = list.some((row) => fenOf(row.safetyDeposit) + fenOf(row.efficiencyDeposit) > 0);
  const least = (value: (row: Row) => number) => Math.min(...list.map(value));
  const [cheapest, fastest] = [least((row) => fenOf(row.price)), least((row) => row.hours)];
  return (
    <>
      <ul className="boost-compared" aria-label="套餐对比">
        {list.map((row) => (
          <Column
            key={row.goodsSn}
            row={row}
            wanted={
              row.from === state.rankFrom && row.to === state.rankTo
                ? ''
                : `套餐是 ${routeText(ranks, row)}，比您要的长`
            }
            best={
              list.length > 1
                ? [...(fenOf(row.price) === cheapest ? ['最便宜'] : []), ...(row.hours === fastest ? ['最快'] : [])]
                : []
            }
          />
        ))}
      </ul>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line-soft px-4 py-3 text-12 text-ink-3">
        <span>全包价含服务费{hasDeposit && '；打手的保证金在接单时冻结，出问题先从这里赔您'}。</span>
        <Link to={REQUESTS} className="link">
          都不合适？发单等打手来接
        </Link>
      </p>
    </>
  );
}

/** The list's query with the ranks that were pressed, also while their packages are still being fetched: the next press builds on them. */
function usePressed(state: ListQuery): ListQuery {
  const { location } = useNavigation();
  if (location?.pathname !== '/wares') return state;
  const { gt, gid, rankFrom, rankTo } = parseList(new URLSearchParams(location.search));
  return gt === state.gt && gid === state.gid ? { ...state, rankFrom, rankTo } : state;
}

/** Boosting by rank: where the account stands, where it is to go, and who takes it there for what. */
function BoostLadder({ routes, state: fetched }: { routes: Routes; state: ListQuery }) {
  const state = usePressed(fetched);
  const { rankFrom, rankTo } = state;
  const text = routeText(routes.ranks, { from: rankFrom ?? -1, to: rankTo ?? -1 });
  const isWhole = rankFrom !== null && rankTo !== null;
  const isFetched = rankFrom === fetched.rankFrom && rankTo === fetched.rankTo;
  return (
    <section className="panel mt-4 overflow-hidden max-md:mt-2" aria-labelledby="ladder">
      <div className="panel-head">
        <h2 id="ladder">按段位比套餐</h2>
        <p>{isWhole ? text : rankFrom === null ? '先点现在的段位' : '再点要打到的段位'}</p>
        {rankFrom !== null && (
          <Link
            to={listPath({ ...state, rankFrom: null, rankTo: null })}
            preventScrollReset
            className="more ml-auto"
            rel="nofollow"
          >
            重选
          </Link>
        )}
        {isWhole && isFetched && (
          <span className="sr-only" aria-live="polite">
            {routes.total} 个套餐
          </span>
        )}
      </div>
      <Ranks ranks={routes.ranks} state={state} />
      {isWhole && isFetched && <Compared routes={routes} state={state} />}
      {!isWhole && (
        <p className="flex items-center gap-1.5 px-4 pb-3 text-12 text-ink-3">
          <Flag className="icon size-3.5" aria-hidden="true" />
          选好两端，价格、用时和保证金并排看。
        </p>
      )}
    </section>
  );
}

export default framed(BoostLadder);
