import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { boardParts, boardTrade } from '#subjects/back-office/contract/board.ts';
import type { Data } from '#contract/endpoint.ts';
import { fenOf, grouped, wholeYuan, yuanInTenThousands } from '#web/lib/format/format.ts';
import { shortAt } from '#web/lib/format/times.ts';
import { Button } from '#web/ui/button.tsx';
import { Select } from '#web/ui/forms/input.tsx';
import { ScrollX } from '#web/ui/lists/scroll-x.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Choice } from '../parts/choice.tsx';
import { Panel, PanelBody } from '../parts/panel.tsx';
import { usePanel } from '../parts/use-panel.ts';
import { type BoardScope, changeText, ordersPath } from './scope.ts';

type Trade = Data<typeof boardTrade>;
type TradeParts = Data<typeof boardParts>;
type By = 'game' | 'dist' | 'type';
type Measure = 'paid' | 'orders';

/** The filters of the whole page; each change is a new URL. */
function Filters({ scope, trade }: { scope: BoardScope; trade: Trade | null }) {
  const [search, setSearch] = useSearchParams();
  const set = (name: string, value: string) => {
    const next = new URLSearchParams(search);
    if (value === '') next.delete(name);
    else next.set(name, value);
    next.delete('day');
    setSearch(next, { preventScrollReset: true });
  };
  return (
    <>
      {(trade?.brands.length ?? 0) > 1 && (
        <Select
          small
          className="w-auto min-w-max"
          aria-label="品牌"
          value={scope.distId ?? ''}
          onChange={(event) => set('brand', event.target.value)}
        >
          <option value="">全部品牌</option>
          {trade?.brands.map(({ distId, name }) => (
            <option key={distId} value={distId}>
              {name}
            </option>
          ))}
        </Select>
      )}
      <Select
        small
        className="w-auto min-w-max"
        aria-label="游戏"
        value={scope.gameId ?? ''}
        onChange={(event) => set('game', event.target.value)}
      >
        <option value="">全部游戏</option>
        {trade?.games.map(({ gameId, name }) => (
          <option key={gameId} value={gameId}>
            {name}
          </option>
        ))}
      </Select>
      <Select
        small
        className="w-auto min-w-max"
        aria-label="时间"
        value={scope.days}
        onChange={(event) => set('days', event.target.value)}
      >
        {(['7', '14', '30', '90'] as const).map((days) => (
          <option key={days} value={days}>
            近 {days} 天
          </option>
        ))}
      </Select>
    </>
  );
}

function Sums({ trade }: { trade: Trade }) {
  const { now, before } = trade;
  const each = (s: Trade['now']) => (s.orders === 0 ? 0 : Math.round(fenOf(s.paid) / s.orders));
  const items: readonly [string, string, string][] = [
    ['付款金额', `¥${wholeYuan(now.paid)}`, changeText(fenOf(now.paid), fenOf(before.paid))],
    ['付款订单', grouped(now.orders), changeText(now.orders, before.orders)],
    ['客单价', `¥${grouped(Math.round(each(now) / 100))}`, changeText(each(now), each(before))],
    ['平台收入', `¥${wholeYuan(now.income)}`, changeText(fenOf(now.income), fenOf(before.income))],
  ];
  return (
    <dl className="board-sums">
      {items.map(([name, value, change]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {value} <small>{change}</small>
          </dd>
        </div>
      ))}
    </dl>
  );
}

const valueOf = (day: Trade['days'][number], measure: Measure): [now: number, before: number] =>
  measure === 'paid' ? [fenOf(day.paid), fenOf(day.paid0)] : [day.orders * 100, day.orders0 * 100];

/** Days as bars; the black tick is the same day of the previous period. A click opens the day below. */
function Bars({
  days,
  measure,
  chosen,
  onChoose,
}: {
  days: Trade['days'];
  measure: Measure;
  chosen: string | null;
  onChoose: (day: string | null) => void;
}) {
  const most = Math.max(1, ...days.flatMap((day) => valueOf(day, measure)));
  const [top, unit] = yuanInTenThousands((most / 100).toFixed(2));
  const every = Math.ceil(days.length / 15);
  return (
    <div className="board-chart">
      <p className="board-scale" aria-hidden="true">
        {measure === 'paid' && '¥'}
        {top}
        {unit}
      </p>
      <ol>
        {days.map((day, i) => {
          const [now, before] = valueOf(day, measure);
          const isToday = i === days.length - 1;
          const label = `${isToday ? '今天 ' : ''}${day.day}，付款 ${grouped(day.paid)} 元，${day.orders} 笔，上期同日 ${grouped(day.paid0)} 元，${day.orders0} 笔`;
          return (
            <li key={day.day}>
              <button
                type="button"
                aria-pressed={chosen === day.day}
                aria-label={label}
                title={label}
                onClick={() => onChoose(chosen === day.day ? null : day.day)}
              >
                <span className="board-bar">
                  <i style={{ height: `${(now / most) * 100}%` }} />
                  <u style={{ bottom: `${(before / most) * 100}%` }} />
                </span>
                <span className="board-day">{isToday ? '今天' : i % every === 0 ? day.day.slice(5) : ''}</span>
              </button>
            </li>
          );
        })}
      </ol>
    </div>
  );
}

/** Lines visible before the breakdown is expanded. */
const VISIBLE_PARTS = 8;

function MoreParts({ left, isWhole, onClick }: { left: number; isWhole: boolean; onClick: () => void }) {
  if (left <= 0) return null;
  return (
    <button
      type="button"
      className="h-9 w-full text-12 text-ink-3 hover:text-link"
      aria-expanded={isWhole}
      onClick={onClick}
    >
      {isWhole ? '收起' : `其余 ${left} 项`}
    </button>
  );
}

/** A day, or all days, divided by game, brand or type; each line links to its orders. */
function Parts({
  scope,
  day,
  days,
  initial,
  onDay,
}: {
  scope: BoardScope;
  day: string | null;
  /** By game and for all days. */
  initial: TradeParts | null;
  /** The first and the last day of the range. */
  days: readonly [string, string];
  onDay: (day: string | null) => void;
}) {
  const [by, setBy] = useState<By>('game');
  const [isWhole, setWhole] = useState(false);
  const state = usePanel(
    boardParts,
    { ...scope, by, ...(day !== null && { day }) },
    { initial: day === null && by === 'game' ? initial : null },
  );
  const list = state.data?.list ?? [];
  const shown = isWhole ? list : list.slice(0, VISIBLE_PARTS);
  const most = Math.max(1, ...list.map(({ paid }) => fenOf(paid)));
  const when = day ?? `近 ${scope.days} 天`;
  const payTime = day === null ? `${days[0]}~${days[1]}` : `${day}~${day}`;
  const to = (id?: number) => {
    const part = id === undefined ? undefined : String(id);
    return ordersPath({
      payTime,
      gameId: by === 'game' && part !== undefined ? part : scope.gameId,
      distId: by === 'dist' && part !== undefined ? part : scope.distId,
      goodsTypeId: by === 'type' ? part : undefined,
    });
  };
  return (
    <div className="board-parts">
      <p className="flex flex-wrap items-center gap-2 px-4 py-2 text-13">
        {day !== null && (
          <Button kind="ghost" size="sm" onClick={() => onDay(null)}>
            全部日期
          </Button>
        )}
        <b className="font-semibold">{when}</b>
        <Choice
          label="分组"
          value={by}
          options={[
            ['game', '按游戏'],
            ['dist', '按品牌'],
            ['type', '按类型'],
          ]}
          onChange={setBy}
        />
        <Link to={to()} className="link hit ml-auto">
          查看这些订单
        </Link>
      </p>
      <PanelBody of={state} minHeight={192}>
        {() =>
          list.length === 0 ? (
            <EmptyState title="没有付款的订单">换一天，或去掉一个条件。</EmptyState>
          ) : (
            <ScrollX label="成交构成">
              <table className="admin-table">
                <thead>
                  <tr>
                    <th scope="col">{!state.isOld && { game: '游戏', dist: '品牌', type: '类型' }[by]}</th>
                    <th scope="col" className="max-md:hidden" aria-hidden="true" />
                    <th scope="col" className="num">
                      付款金额
                    </th>
                    <th scope="col" className="num">
                      订单
                    </th>
                    <th scope="col" className="num">
                      {day === null ? '较上期' : '较上周同日'}
                    </th>
                    <th scope="col" className="num max-md:hidden">
                      申诉率
                    </th>
                    <th scope="col" className="num">
                      <span className="sr-only">订单列表</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {shown.map((part) => (
                    <tr key={part.id}>
                      <td>{part.name}</td>
                      <td className="w-1/4 max-md:hidden" aria-hidden="true">
                        <span className="board-line">
                          <i style={{ width: `${(fenOf(part.paid) / most) * 100}%` }} />
                        </span>
                      </td>
                      <td className="num">¥{wholeYuan(part.paid)}</td>
                      <td className="num">{grouped(part.orders)}</td>
                      <td className="num">{changeText(fenOf(part.paid), fenOf(part.paid0))}</td>
                      <td className="num max-md:hidden">
                        {part.orders === 0 ? '' : `${((part.disputed / part.orders) * 100).toFixed(1)}%`}
                      </td>
                      <td className="num">
                        {/* The id of an old row may belong to another kind of part. */}
                        {!state.isOld && (
                          <Link to={to(part.id)} className="link hit">
                            查看订单
                          </Link>
                        )}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
              <MoreParts left={list.length - VISIBLE_PARTS} isWhole={isWhole} onClick={() => setWhole(!isWhole)} />
            </ScrollX>
          )
        }
      </PanelBody>
    </div>
  );
}

/** Paid orders by day compared with the previous period, and the breakdown of a day. */
export function TradePanel({
  scope,
  initial,
}: {
  scope: BoardScope;
  initial: { trade: Trade | null; parts: TradeParts | null };
}) {
  const [search, setSearch] = useSearchParams();
  const state = usePanel(boardTrade, scope, { everyMs: 60_000, initial: initial.trade });
  const [measure, setMeasure] = useState<Measure>('paid');
  const day = state.data?.days.find(({ day: d }) => d === search.get('day'))?.day ?? null;
  const choose = (next: string | null) => {
    const params = new URLSearchParams(search);
    if (next === null) params.delete('day');
    else params.set('day', next);
    setSearch(params, { preventScrollReset: true, replace: true });
  };
  return (
    <>
      <Panel
        title="付款"
        note={
          <Choice
            label="看什么"
            value={measure}
            options={[
              ['paid', '金额'],
              ['orders', '订单数'],
            ]}
            onChange={setMeasure}
          />
        }
        aside={<Filters scope={scope} trade={state.data} />}
        of={state}
        minHeight={560}
      >
        {(trade) => (
          <>
            <Sums trade={trade} />
            <Bars days={trade.days} measure={measure} chosen={day} onChoose={choose} />
            <p className="flex flex-wrap gap-x-4 px-4 pb-2 text-12 text-ink-3">
              <span>▬ 上期同日</span>
              <span>今天还没有结束</span>
              {trade.countTime && <span className="ml-auto">{shortAt(trade.countTime)} 统计，每 5 分钟一次</span>}
            </p>
            <Parts
              scope={scope}
              day={day}
              days={[trade.days[0]?.day ?? '', trade.days.at(-1)?.day ?? '']}
              initial={initial.parts}
              onDay={choose}
            />
          </>
        )}
      </Panel>
    </>
  );
}
