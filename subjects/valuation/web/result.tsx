import { Info } from 'lucide-react';
import { Link } from 'react-router';
import { spanText } from '#contract/rules/time/span.ts';
import { fenOf, grouped, wholeYuan } from '#web/lib/format/format.ts';
import { Button } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Amount, Price } from '#web/ui/price.tsx';
import { TimeLabel } from '#web/ui/time-label.tsx';
import { DaysCurve, Histogram, HitRates, Scatter } from './charts.tsx';
import type { Result } from './valuation-loader.ts';

/** A valuation that has a price. */
export type Priced = Result & {
  low: string;
  typical: string;
  high: string;
  base: string;
  chart: NonNullable<Result['chart']>;
};

/** Whether there were enough sales for a price. */
export function isPriced(result: Result): result is Priced {
  return result.enough && result.typical !== null && result.chart !== null;
}

const daysText = (days: number | null): string =>
  days === null ? '天数不足以统计' : days < 1 ? '约 1 天内' : `约 ${Math.round(days)} 天`;

/** Whether a recycling floor rests on what is not filled in: below half of the valuation its figure alone looks like a trap. */
export const isLowFloor = ({ recycleFloor, typical }: Priced): boolean =>
  recycleFloor !== null && fenOf(recycleFloor) * 2 < fenOf(typical);

/** The days that all prices take alike: said once, since three times the same looks like a fault. Null where they differ or are unknown. */
function sameDaysOf(offers: Result['offers']): string | null {
  const texts = new Set(offers.map(({ days }) => (days === null ? null : daysText(days))));
  const [text] = texts;
  return offers.length > 1 && texts.size === 1 ? (text ?? null) : null;
}

/** The price with its band, the shape of the sales behind it, and what it is based on. */
export function Head({ result, was, busy }: { result: Priced; was: string | null; busy: boolean }) {
  const month = result.months.at(-1);
  const facts = [
    [
      '样本',
      `${grouped(result.samples)} 件成交`,
      result.fromDay === null ? '' : `${result.fromDay.slice(5)} 至 ${result.toDay?.slice(5)}`,
    ],
    ['怎么选的', '估值最接近的成交', '按配置差异折算到这个号'],
    ['参考价卖出', daysText(result.days), '从上架到付款的中位'],
    ['最近一月准不准', month ? `${month.percent}% 落在区间` : '还不满一个月', '目标 76%–84%'],
  ] as const;
  return (
    <section className={cx('panel val-head', busy && 'val-busy')} aria-labelledby="worth" aria-busy={busy}>
      <div className="flex flex-wrap items-baseline gap-x-3">
        <h1 id="worth" className="text-20 font-semibold max-md:text-16">
          这个号大概值多少
        </h1>
        <p className="ml-auto text-12 text-ink-3">
          {result.modelTime && (
            <>
              <TimeLabel at={result.modelTime} /> 更新，每天算一次
            </>
          )}
        </p>
      </div>
      {result.stale && (
        <p className="val-stale" role="status">
          模型超过 36 小时没有更新，价格以它算出的那天为准。
        </p>
      )}
      <dl className="val-prices" aria-live="polite">
        <div>
          <dt>参考价</dt>
          <dd>
            <Price yuan={result.typical} size="xl" />
          </dd>
        </div>
        <div>
          <dt>低，10% 的同类更便宜</dt>
          <dd>¥{wholeYuan(result.low)}</dd>
        </div>
        <div>
          <dt>高，10% 的同类更贵</dt>
          <dd>¥{wholeYuan(result.high)}</dd>
        </div>
      </dl>
      <Histogram chart={result.chart} prices={result} was={was} />
      <dl className="val-facts">
        {facts.map(([name, value, note]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
            <dd className="val-note">{note}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** The effect of each field compared with the average account; the lines add up to the typical price. */
export function Lines({ result }: { result: Priced }) {
  const most = Math.max(1, ...result.lines.map((l) => Math.abs(fenOf(l.amount))));
  return (
    <section className="panel" aria-labelledby="weights">
      <div className="panel-head">
        <h2 id="weights">每一项值多少</h2>
        <p>和{result.gameName}的平均账号比</p>
      </div>
      <ol className="val-lines">
        <li className="val-sum">
          <span>
            平均账号<small>{grouped(result.samples)} 件成交</small>
          </span>
          <i />
          <Amount yuan={result.base} className="font-semibold" />
        </li>
        {result.lines.map((l) => {
          const fen = fenOf(l.amount);
          const width = `${Math.max(1, Math.round((Math.abs(fen) / most) * 50))}%`;
          return (
            <li key={l.key}>
              <span>
                {l.label} {l.value}
                <small>{l.usual}</small>
              </span>
              <i className={fen < 0 ? 'val-minus' : undefined} style={{ '--w': width }} aria-hidden="true" />
              <Amount yuan={l.amount.replace('-', '')} sign={fen < 0 ? '-' : '+'} />
            </li>
          );
        })}
        <li className="val-sum">
          <span>参考价</span>
          <i />
          <Amount yuan={result.typical} className="font-semibold" />
        </li>
      </ol>
      {result.lines.length === 0 && (
        <p className="px-4 pb-4 text-13 text-ink-3">填上账号的情况，这里会逐项说明各值多少。</p>
      )}
    </section>
  );
}

/** The three prices to sell at, and selling to a recycler next to them. */
export function WaysOut({
  result,
  chosen,
  onChoose,
  onSell,
  onRecycle,
  bidSeconds,
  busy,
}: {
  result: Priced;
  chosen: Result['offers'][number];
  onChoose: (key: Result['offers'][number]['key']) => void;
  onSell: () => void;
  /** Null while the market has no recycling. */
  onRecycle: () => void;
  /** How long recyclers bid; 0 while that is unknown. */
  bidSeconds: number;
  busy: boolean;
}) {
  const sameDays = sameDaysOf(result.offers);
  const bids = bidSeconds > 0 ? `竞价 ${spanText(bidSeconds)}` : '竞价';
  const isLow = isLowFloor(result);
  return (
    <div className="val-out">
      <section className="panel" aria-labelledby="sell-at">
        <div className="panel-head">
          <h2 id="sell-at">按这个价卖</h2>
          <p>{sameDays ? `近半年三档都${sameDays}卖出，看不出快慢` : '选好带到发布页，一项都不用重填'}</p>
        </div>
        <fieldset className="val-offers">
          <legend className="sr-only">定价</legend>
          {result.offers.map((o) => (
            <label key={o.key} className="val-offer">
              <input
                type="radio"
                name="offer"
                className="sr-only"
                checked={o.key === chosen.key}
                onChange={() => onChoose(o.key)}
              />
              <span className="flex justify-between gap-2">
                <b>{o.name}</b>
                {!sameDays && <small>{daysText(o.days)}</small>}
              </span>
              <Price yuan={o.price} />
              <small>到手 ¥{grouped(o.net)}</small>
            </label>
          ))}
        </fieldset>
        <div className="flex flex-wrap items-center gap-3 px-4 pb-4 max-md:hidden">
          <Button kind="primary" onClick={onSell} disabled={busy}>
            按 ¥{grouped(chosen.price)} 卖
          </Button>
          <span className="text-12 text-ink-3">到手已扣卖家佣金；发布后随时改价</span>
        </div>
      </section>
      <section className="panel" aria-labelledby="recycle-now">
        <div className="panel-head">
          <h2 id="recycle-now">现在就回收</h2>
        </div>
        <div className="grid gap-2 p-4">
          {result.recycleFloor === null ? (
            <p className="text-13 text-ink-2">这个价位平台不保底，可以让回收商{bids}，满意再卖。</p>
          ) : (
            <>
              <p className="flex items-baseline gap-2">
                {isLow ? (
                  <b className="text-14">填全再报保底价</b>
                ) : (
                  <>
                    <Price yuan={result.recycleFloor} size="lg" />
                    <span className="text-12 text-ink-3">平台保底，不收手续费</span>
                  </>
                )}
              </p>
              <p className="text-13 text-ink-3">
                {isLow && `没填的项先按最低扣，现在只到 ¥${grouped(result.recycleFloor)}，填全后更高。`}还可以让回收商
                {bids}，只会更高。
              </p>
            </>
          )}
          <Button className="w-full max-md:hidden" onClick={onRecycle} disabled={busy}>
            去回收
          </Button>
        </div>
      </section>
    </div>
  );
}

/** Sales of similar accounts, newest first. */
export function Comparables({ result, title }: { result: Result; title: string }) {
  return (
    <section className="panel" aria-labelledby="alike">
      <div className="panel-head">
        <h2 id="alike">{title}</h2>
        <Link to={`/dealshow?gid=${result.gameId}`} className="more ml-auto">
          全部成交
        </Link>
      </div>
      <ul className="val-alike">
        {result.comparables.map((c, i) => (
          <li key={`${c.dealTime}${i}`}>
            <span className="truncate">{c.title}</span>
            <small>
              <TimeLabel at={c.dealTime} />
              {c.days !== null && `，${c.days < 1 ? '当天' : `${Math.round(c.days)} 天`}卖出`}
            </small>
            <Amount yuan={c.price} className="font-semibold" />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The charts and the past accuracy of the model. */
export function Behind({ result }: { result: Priced }) {
  return (
    <>
      <section className="panel" aria-labelledby="sales">
        <div className="panel-head">
          <h2 id="sales">同类成交</h2>
          <p className="val-legend">
            <span>成交</span>
            <span className="val-key-band">80% 区间</span>
            <span className="val-key-own">这个号</span>
          </p>
        </div>
        <Scatter chart={result.chart} prices={result} />
      </section>
      {result.chart.days.length > 1 && (
        <section className="panel" aria-labelledby="days">
          <div className="panel-head">
            <h2 id="days">定多少，多久卖掉</h2>
            <p>下面是定价，点上是中位天数</p>
          </div>
          <DaysCurve chart={result.chart} typical={result.typical} />
        </section>
      )}
      <section className="panel" aria-labelledby="record">
        <div className="panel-head">
          <h2 id="record">我们估得准不准</h2>
          <p>每月实际成交落在 80% 区间里的比例</p>
        </div>
        {result.months.length > 0 && <HitRates months={result.months} />}
        <p className="flex gap-2 px-4 pb-4 text-12 text-ink-3">
          <Info className="icon mt-0.5 size-3.5 flex-none" aria-hidden="true" />
          <span>
            {result.months.length === 0 && '这个游戏的成交还不满一个月。'}
            绿带是 76%–84%。每月的成交都用只见过更早成交的模型来考。
            {result.errorPercent !== null && `一半成交与参考价相差不到 ${Math.round(result.errorPercent)}%。`}
            估价不是收购承诺，回收以保底报价为准。
          </span>
        </p>
      </section>
    </>
  );
}
