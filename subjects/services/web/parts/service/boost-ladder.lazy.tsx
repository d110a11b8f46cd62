import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useNavigate, useNavigation } from 'react-router';
import type { boostRoutes } from '#subjects/services/contract/boosting.ts';
import type { Data } from '#contract/endpoint.ts';
import { routeText } from '../../../rules/rank-ladder.ts';
import { fenOf, yuanOf } from '#web/lib/format/format.ts';
import { keptWhenLost } from '#web/lib/loading/hydrated-later.tsx';
import { type ListQuery, listPath, parseList } from '#web/lib/lists/list-query.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Select } from '#web/ui/forms/input.tsx';
import { Amount, Price } from '#web/ui/price.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { GuideText } from './guide-text.tsx';

type Routes = Data<typeof boostRoutes>;
type Row = Routes['list'][number];

/**
 * The ranks selected by a click: the first click sets the lower end, the second the upper one. Each further click moves
 * the nearer end.
 */
export function nextRoute(
  ranks: Routes['ranks'],
  { rankFrom, rankTo }: Pick<ListQuery, 'rankFrom' | 'rankTo'>,
  value: number,
): Pick<ListQuery, 'rankFrom' | 'rankTo'> {
  const at = (rank: number | null) => ranks.findIndex((one) => one.value === rank);
  const [clicked, low, high] = [at(value), at(rankFrom), at(rankTo)];
  if (rankFrom === null || (rankTo === null && clicked <= low)) return { rankFrom: value, rankTo: null };
  if (rankTo === null || clicked > high || (clicked > low && high - clicked <= clicked - low))
    return { rankFrom, rankTo: value };
  return { rankFrom: value, rankTo };
}

/** The ranks as bars that grow, each a link that moves an end; those between the chosen ones are coloured. */
function Ranks({
  ranks,
  state,
  selected,
}: {
  ranks: Routes['ranks'];
  /** With the ends that are shown. */
  state: ListQuery;
  /** With the ends that were chosen, on which the next click builds. */
  selected: ListQuery;
}) {
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
        const role = index === low ? '现在' : index === high ? '想到' : null;
        return (
          <li key={value} className={cx(low >= 0 && index > low && index < high && 'boost-climb')}>
            <Link
              to={listPath({ ...selected, ...nextRoute(ranks, selected, value) })}
              preventScrollReset
              rel="nofollow"
              aria-current={isEnd || undefined}
            >
              {role && <em>{role}</em>}
              <i style={{ '--rise': index / (ranks.length - 1) }} aria-hidden="true" />
              <span>{label}</span>
            </Link>
          </li>
        );
      })}
    </ol>
  );
}

/** Both ends as select lists, which are quicker than the bars by keyboard and on phones. */
function Ends({ ranks, state }: { ranks: Routes['ranks']; state: ListQuery }) {
  const navigate = useNavigate();
  const to = (ends: Pick<ListQuery, 'rankFrom' | 'rankTo'>) =>
    void navigate(listPath({ ...state, ...ends }), { preventScrollReset: true });
  const low = ranks.findIndex(({ value }) => value === state.rankFrom);
  const high = ranks.findIndex(({ value }) => value === state.rankTo);
  const numberOf = (text: string) => (text === '' ? null : Number(text));
  return (
    <div className="flex flex-wrap gap-x-5 gap-y-2 px-4 pt-3 text-13 max-md:grid max-md:grid-cols-2">
      <label className="inline-flex items-center gap-2">
        <span className="flex-none text-ink-3">现在</span>
        <Select
          small
          value={state.rankFrom ?? ''}
          onChange={({ target }) => {
            const rankFrom = numberOf(target.value);
            const isBelow = ranks.findIndex(({ value }) => value === rankFrom) < high;
            to({ rankFrom, rankTo: isBelow ? state.rankTo : null });
          }}
        >
          <option value="">选段位</option>
          {ranks.slice(0, -1).map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </label>
      <label className="inline-flex items-center gap-2">
        <span className="flex-none text-ink-3">想到</span>
        <Select
          small
          value={state.rankTo ?? ''}
          disabled={low < 0}
          onChange={({ target }) => to({ rankFrom: state.rankFrom, rankTo: numberOf(target.value) })}
        >
          <option value="">选段位</option>
          {ranks.slice(low + 1).map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </label>
    </div>
  );
}

const DEPOSIT = (row: Row): ReactNode => {
  const fen = fenOf(row.safetyDeposit) + fenOf(row.efficiencyDeposit);
  return fen === 0 ? '无' : <Amount yuan={yuanOf(fen)} />;
};

/** The rows of the comparison. */
const TERMS: readonly (readonly [string, (row: Row) => ReactNode])[] = [
  ['全包价', (row) => <Price yuan={row.price} size="lg" />],
  ['承诺用时', (row) => <b>{row.hours} 小时</b>],
  ['方式', (row) => row.modeName],
  [
    '按时完成',
    ({ provider }) => (
      <>
        <b>{provider.onTimeRate === null ? '单数不足' : `${provider.onTimeRate}%`}</b>{' '}
        <span className="text-12 text-ink-3">{provider.doneNum} 单</span>
      </>
    ),
  ],
  ['保证金', DEPOSIT],
  ['付款', (row) => (row.stages > 1 ? `${row.stages} 段，验收一段付一段` : '完成后付')],
];

/** The packages side by side: one is chosen, and the summary follows it. */
function Compared({
  routes: { ranks, list },
  state,
  chosen,
  onChoose,
}: {
  routes: Routes;
  state: ListQuery;
  chosen: Row;
  onChoose: (goodsSn: string) => void;
}) {
  const least = (value: (row: Row) => number) => Math.min(...list.map(value));
  const [cheapest, fastest] = [least((row) => fenOf(row.price)), least((row) => row.hours)];
  const tagsOf = (row: Row) =>
    list.length < 2
      ? []
      : [...(fenOf(row.price) === cheapest ? ['最便宜'] : []), ...(row.hours === fastest ? ['最快'] : [])];
  return (
    <div className="boost-compared">
      <table aria-label="套餐对比">
        <thead>
          <tr>
            <th scope="col">
              <span className="sr-only">比什么</span>
            </th>
            {list.map((row) => (
              <th key={row.goodsSn} scope="col" className={cx(row === chosen && 'boost-on')}>
                <label className="flex items-center gap-2">
                  <input
                    type="radio"
                    name="boost-package"
                    checked={row === chosen}
                    onChange={() => onChoose(row.goodsSn)}
                  />
                  <span className="min-w-0">
                    <span className="flex items-center gap-1.5">
                      <b className="truncate text-14 font-semibold">{row.provider.name}</b>
                      {tagsOf(row).map((text) => (
                        <Tag key={text} tone="safe">
                          {text}
                        </Tag>
                      ))}
                    </span>
                    <span className="block text-12 font-normal text-ink-3">
                      {row.from === state.rankFrom && row.to === state.rankTo
                        ? '正好这一段'
                        : `套餐是 ${routeText(ranks, row)}，比您要的长`}
                    </span>
                  </span>
                </label>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {TERMS.map(([name, render]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {list.map((row) => (
                <td key={row.goodsSn} className={cx(row === chosen && 'boost-on')}>
                  {render(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The chosen package in one column: price, promises, and the link to the order. */
function Summary({ row, text }: { row: Row; text: string }) {
  const { provider } = row;
  const lines: [string, ReactNode][] = [
    ['打手', `${provider.name}，${provider.online ? '在线' : '休息中'}`],
    ['承诺用时', `${row.hours} 小时，误时按约定赔`],
    [
      '按时完成',
      provider.onTimeRate === null
        ? `${provider.doneNum} 单，还不够统计`
        : `${provider.onTimeRate}%，${provider.doneNum} 单`,
    ],
    ['打手的保证金', DEPOSIT(row)],
    ['付款', row.stages > 1 ? `分 ${row.stages} 段，验收一段付一段` : '完成后付'],
  ];
  return (
    <aside className="boost-summary" aria-label="所选套餐">
      <p className="text-12 text-ink-3">{text}</p>
      <p className="flex items-baseline gap-2">
        <Price yuan={row.price} size="xl" />
        <span className="text-12 text-ink-3">全包价</span>
      </p>
      <dl className="my-3 text-13">
        {lines.map(([name, value]) => (
          <div key={name} className="flex justify-between gap-3 border-b border-line-soft py-2">
            <dt className="flex-none text-ink-3">{name}</dt>
            <dd className="text-right">{value}</dd>
          </div>
        ))}
      </dl>
      <ButtonLink to={`/goods/${row.goodsSn}/order`} kind="primary" size="lg" className="mt-auto w-full">
        选这个，去下单
      </ButtonLink>
      <p className="mt-2 text-center text-12 text-ink-3">
        <Link to={`/detail/${row.goodsSn}`} className="link">
          查看套餐
        </Link>
        ，没人接之前随时取消，全额退回
      </p>
    </aside>
  );
}

/** The form of an open order with this route filled in. */
const requestPath = ({ gid, rankFrom, rankTo }: ListQuery): string => {
  const query = new URLSearchParams({ new: '1', gid: String(gid) });
  if (rankFrom !== null) query.set('from', String(rankFrom));
  if (rankTo !== null) query.set('to', String(rankTo));
  return `/center/boosting/requests?${query}`;
};

/** The alternative: the buyer's own price, with the usual price of such work. */
function OwnPrice({ routes: { guide, list }, state }: { routes: Routes; state: ListQuery }) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line-soft px-4 py-3 text-13">
      <span className="min-w-0 flex-1 max-md:basis-full">
        {list.length === 0 ? '还没有打手挂出这一段的套餐。' : '都不合适？'}
        自己出价，等打手来接；没人接全额退回。
        {guide && <GuideText guide={guide} />}
      </span>
      <ButtonLink to={requestPath(state)} kind={list.length === 0 ? 'primary' : 'tonal'}>
        {list.length === 0 ? '发单，等打手来接' : '自己出价'}
      </ButtonLink>
    </div>
  );
}

/**
 * The list's query with the selected ranks, including those whose packages are still loading, because the next click
 * builds on them.
 */
function useSelectedRanks(state: ListQuery): ListQuery {
  const { location } = useNavigation();
  if (location?.pathname !== '/wares') return state;
  const { gt, gid, rankFrom, rankTo } = parseList(new URLSearchParams(location.search));
  return gt === state.gt && gid === state.gid ? { ...state, rankFrom, rankTo } : state;
}

/** The routes offered by most boosters, while none or only one end is chosen. */
function Popular({ routes: { ranks, popular }, state }: { routes: Routes; state: ListQuery }) {
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 pt-1 pb-4 text-13 max-md:gap-x-2">
      <span className="text-ink-3 max-md:basis-full">
        {state.rankFrom === null ? '选好两端，价格、用时和保证金并排看。' : '换成您的两端，价格、用时和保证金一起变。'}
        {popular.length > 0 && '常打：'}
      </span>
      {popular.map(({ from, to }) => (
        <Link
          key={`${from}-${to}`}
          to={listPath({ ...state, rankFrom: from, rankTo: to })}
          preventScrollReset
          rel="nofollow"
          aria-current={(state.rankFrom === from && state.rankTo === to) || undefined}
          className="pick bg-sunken! px-3! max-md:px-2!"
        >
          {routeText(ranks, { from, to })}
        </Link>
      ))}
    </p>
  );
}

/** Boosting by rank: the current rank, the target rank, and the offers of boosters. Before a choice, the most common route is shown. */
function BoostLadder({ routes, state: fetched }: { routes: Routes; state: ListQuery }) {
  const selected = useSelectedRanks(fetched);
  const example = selected.rankFrom === null ? routes.shown : null;
  const isExample = example !== null;
  const state = example ? { ...selected, rankFrom: example.from, rankTo: example.to } : selected;
  const { rankFrom, rankTo } = state;
  const text = routeText(routes.ranks, { from: rankFrom ?? -1, to: rankTo ?? -1 });
  const isWhole = rankFrom !== null && rankTo !== null;
  const isFetched = isExample ? fetched.rankFrom === null : rankFrom === fetched.rankFrom && rankTo === fetched.rankTo;
  const [chosenSn, choose] = useState<string | null>(null);
  const chosen =
    isWhole && isFetched ? (routes.list.find((row) => row.goodsSn === chosenSn) ?? routes.list[0]) : undefined;
  return (
    <section className="panel mt-4 overflow-hidden max-md:mt-2" aria-labelledby="ladder">
      <div className="panel-head">
        <h2 id="ladder">按段位比套餐</h2>
        <p>
          {isExample
            ? '先点现在的段位，下面是常打的一段'
            : isWhole
              ? text
              : rankFrom === null
                ? '先点现在的段位'
                : '再点要打到的段位'}
        </p>
        {!isExample && rankFrom !== null && (
          <Link
            to={listPath({ ...state, rankFrom: null, rankTo: null })}
            preventScrollReset
            className="more ml-auto"
            rel="nofollow"
          >
            重选
          </Link>
        )}
        {isWhole && isFetched && !isExample && (
          <span className="sr-only" aria-live="polite">
            {routes.total} 个套餐
          </span>
        )}
      </div>
      <div className={cx(chosen && 'boost-split')}>
        <div className="min-w-0">
          <Ends ranks={routes.ranks} state={state} />
          <Ranks ranks={routes.ranks} state={state} selected={selected} />
          {(isExample || !isWhole) && <Popular routes={routes} state={state} />}
        </div>
        {chosen && <Summary row={chosen} text={text} />}
      </div>
      {chosen && <Compared routes={routes} state={state} chosen={chosen} onChoose={choose} />}
      {isWhole && isFetched && <OwnPrice routes={routes} state={state} />}
    </section>
  );
}

export default keptWhenLost(BoostLadder);
