import { Link } from 'react-router';
import { grouped } from '#web/lib/format/format.ts';
import { EMPTY_SEARCH, searchPath } from '#web/lib/lists/search-state.ts';
import { GameTile } from '#subjects/goods/web/parts/cover/cover.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Price } from '#web/ui/price.tsx';
import type { HomeData } from './loader.ts';

const WIDTH = 92;
const HEIGHT = 24;

/** Points of a sparkline through the values */
function points(values: readonly number[]): string {
  const low = Math.min(...values);
  const span = Math.max(1, Math.max(...values) - low);
  const step = WIDTH / Math.max(1, values.length - 1);
  return values
    .map(
      (value, index) =>
        `${(index * step).toFixed(1)},${(HEIGHT - 2 - ((value - low) / span) * (HEIGHT - 4)).toFixed(1)}`,
    )
    .join(' ');
}

function Spark({ values }: { values: readonly number[] }) {
  if (values.length < 2) return null;
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} aria-hidden="true">
      <polyline
        points={points(values)}
        fill="none"
        stroke="var(--brand-500)"
        strokeWidth="1.5"
        strokeLinejoin="round"
      />
    </svg>
  );
}

function change(percent: number | null): string {
  if (percent === null) return '成交少';
  return `${percent > 0 ? '+' : percent < 0 ? '−' : ''}${Math.abs(percent).toFixed(1)}%`;
}

/** Today's sales by game: typical price, change, sparkline, and number of listings. `narrow` is for a side column. */
export function Market({ rows, narrow = false }: { rows: HomeData['prices']; narrow?: boolean }) {
  if (rows.length === 0) return null;
  const hasChange = rows.some(({ weekChangePercent }) => weekChangePercent !== null);
  return (
    <section className="panel min-w-0" aria-labelledby="market">
      <div className="panel-head">
        <h2 id="market">成交行情</h2>
        <p className="max-md:hidden">只计已完成订单</p>
      </div>
      <table className="table market">
        <thead>
          <tr>
            <th scope="col">游戏</th>
            <th scope="col" className="num">
              成交中位价
            </th>
            {hasChange && (
              <th scope="col" className="num">
                7 日
              </th>
            )}
            <th scope="col" className="max-md:hidden">
              走势
            </th>
            <th scope="col" className="num">
              今日成交
            </th>
            <th scope="col" className="num max-md:hidden">
              在售
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.gameId}${row.goodsTypeName}`}>
              <td>
                <Link
                  to={searchPath({ ...EMPTY_SEARCH, game: { id: row.gameId, name: row.gameName } })}
                  className="flex items-center gap-2.5 hover:text-link max-md:min-h-10"
                >
                  <GameTile name={row.gameName} icon={row.icon} size={28} className="flex-none rounded-[6px]!" />
                  <span className={cx('grid min-w-0', !narrow && 'md:flex md:items-center md:gap-2.5')}>
                    <span className="truncate">{row.gameName}</span>
                    <span className="text-12 leading-4 whitespace-nowrap text-ink-3">{row.goodsTypeName}</span>
                  </span>
                </Link>
              </td>
              <td className="num">
                {row.typical ? (
                  <Price yuan={row.typical} size="sm" />
                ) : (
                  <span className="text-12 text-ink-3">样本不足</span>
                )}
              </td>
              {hasChange && (
                <td className={cx('num', row.weekChangePercent === null && 'text-12 text-ink-3')}>
                  {change(row.weekChangePercent)}
                </td>
              )}
              <td className="max-md:hidden">
                <Spark values={row.trend} />
              </td>
              <td className="num">{grouped(row.dealsToday)}</td>
              <td className="num text-ink-3 max-md:hidden">{grouped(row.onSale)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** The guarantees on offer, with what each covers and what it leaves out. */
export function Guarantees({ data }: { data: HomeData }) {
  const { guarantees, counts } = data;
  if (guarantees.length === 0) return null;
  return (
    <section className="panel flex flex-col" aria-labelledby="guarantees">
      <div className="panel-head">
        <h2 id="guarantees">包赔</h2>
        <p>下单时自选，不预先勾选</p>
      </div>
      <ul className="guarantee-list">
        {guarantees.slice(0, 4).map((guarantee) => (
          <li key={guarantee.id}>
            <span className="grid h-11 content-center justify-items-center rounded-control bg-safe-bg text-safe">
              <b className="text-16 leading-5 font-semibold">{guarantee.chaseDays}</b>
              <small className="text-11 leading-3">天追回</small>
            </span>
            <span className="min-w-0">
              <b className="flex justify-between gap-2 text-13 font-medium">
                {guarantee.name}
                <span className="font-normal text-ink-2">{guarantee.rateText}</span>
              </b>
              <span className="line-clamp-2 text-12 leading-[1.125rem] text-ink-3">{guarantee.coverText}</span>
            </span>
          </li>
        ))}
      </ul>
      {counts && (
        <p className="border-t border-line-soft px-4 py-3 text-12 text-ink-3">
          累计赔付 {grouped(counts.claimsPaid)} 笔，到期未追回的赔付或 48 小时内裁定
        </p>
      )}
    </section>
  );
}
