import { Check, ShieldCheck } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import { Link } from 'react-router';
import { fenOf, grouped } from '#web/lib/format/format.ts';
import { cx } from '#web/ui/class-names.ts';
import { Amount, Price } from '#web/ui/price.tsx';
import { TimeLabel } from '#web/ui/time-label.tsx';
import type { FloorResult, RecycleData, Request } from './recycle-loader.ts';

type Floor = NonNullable<FloorResult['floor']>;

/** From the typical price to the floor, each change with its reason; they add up. */
export function FloorCard({ floor, none }: { floor: Floor | null; none: string }) {
  const typical = floor ? fenOf(floor.typical) : 1;
  const lines = floor?.lines ?? [];
  // The remaining amount after each line.
  const left = lines.map((_, i) => lines.slice(0, i + 1).reduce((sum, l) => sum + fenOf(l.amount), typical));
  const most = Math.max(typical, ...left);
  return (
    <section className="panel" aria-labelledby="floor">
      <div className="panel-head">
        <h2 id="floor">保底报价</h2>
        <p className="max-md:hidden">按真实成交算出来，每一项都写明</p>
        {floor && (
          <span className="ml-auto">
            <Price yuan={floor.floor} size="lg" />
          </span>
        )}
      </div>
      {floor === null ? (
        <p className="px-4 py-6 text-13 text-ink-2">{none}</p>
      ) : (
        <ol className="val-lines rec-floor">
          <li>
            <span>
              估价参考价
              <small>
                {grouped(floor.samples)} 件成交，
                <TimeLabel at={floor.modelTime} /> 更新
              </small>
            </span>
            <u style={{ '--from': '0%', '--to': `${(typical / most) * 100}%` }} />
            <Amount yuan={floor.typical} className="font-semibold" />
          </li>
          {lines.map((l, i) => {
            const at = (fen: number) => `${Math.round((fen / most) * 1000) / 10}%`;
            const [before, after] = [left[i - 1] ?? typical, left[i] ?? 0];
            return (
              <li key={l.label}>
                <span>
                  {l.label}
                  <small>{l.reason}</small>
                </span>
                <u
                  className="rec-minus"
                  style={{ '--from': at(Math.min(before, after)), '--to': at(Math.max(before, after)) }}
                  aria-hidden="true"
                />
                {fenOf(l.amount) === 0 ? (
                  <span className="text-13 text-ink-3">不扣</span>
                ) : (
                  <Amount yuan={l.amount.replace('-', '')} sign={after < before ? '-' : '+'} />
                )}
              </li>
            );
          })}
          <li className="val-sum">
            <span>保底报价</span>
            <u style={{ '--from': '0%', '--to': `${Math.round((fenOf(floor.floor) / most) * 1000) / 10}%` }} />
            <Amount yuan={floor.floor} className="font-semibold" />
          </li>
        </ol>
      )}
    </section>
  );
}

const PART = ' / ';

/** Text of several parts, which breaks only between them. */
function Unbroken({ text }: { text: string }) {
  return text.split(PART).map((part, i) => (
    <Fragment key={part}>
      {i > 0 && PART}
      <span className="whitespace-nowrap">{part}</span>
    </Fragment>
  ));
}

/** The published table, the only basis for a lower price after the inspection. */
export function CutTable({ cuts, readings = [] }: { cuts: FloorResult['cuts']; readings?: Request['readings'] }) {
  if (cuts.length === 0) return null;
  const found = new Map(readings.map((r) => [r.key, r]));
  return (
    <section className="panel" aria-labelledby="cuts">
      <div className="panel-head">
        <h2 id="cuts">验号时只按这张表减价</h2>
        <p className="max-md:hidden">相符则不减价；减价后您仍可拒绝</p>
      </div>
      <table className="table rec-cuts">
        <thead>
          <tr>
            <th scope="col">项目</th>
            <th scope="col" className="max-md:hidden">
              您填的
            </th>
            <th scope="col">{readings.length > 0 ? '验号读到' : '怎么算'}</th>
            <th scope="col" className="num">
              减多少
            </th>
          </tr>
        </thead>
        <tbody>
          {cuts.map((c) => {
            const r = found.get(c.key);
            return (
              <tr key={c.key} className={r && fenOf(r.cut) > 0 ? 'bg-attn-bg' : undefined}>
                <td className="font-semibold">
                  {c.label}
                  <small className="block text-12 font-normal text-ink-3 md:hidden">填 {c.said}</small>
                </td>
                <td className="max-md:hidden">{c.said}</td>
                <td className="text-ink-2">{readings.length > 0 ? (r?.found ?? '—') : <Unbroken text={c.how} />}</td>
                <td className="num">
                  {r ? fenOf(r.cut) > 0 ? <Amount yuan={r.cut} sign="-" /> : '不减' : <Unbroken text={c.amount} />}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <p className="flex gap-2 px-4 py-3 text-12 text-ink-2">
        <ShieldCheck className="icon mt-0.5 size-3.5 flex-none text-safe" aria-hidden="true" />
        不卖就原样取回：回收商没看过密码，不收任何费用。
      </p>
    </section>
  );
}

/** The proceeds of selling to another user, for comparison. */
export function SellSelf({
  sellNet,
  price,
  gameId,
  none = '等出价',
}: {
  sellNet: string | null;
  price: string | null;
  gameId: number;
  /** Shown instead of the price when there is none. */
  none?: string;
}) {
  if (sellNet === null) return null;
  const less = price === null ? null : fenOf(sellNet) - fenOf(price);
  const facts: [string, ReactNode, string][] = [
    ['按参考价自己挂卖', <Amount key="self" yuan={sellNet} />, '到手，已扣卖家佣金'],
    [
      '现在回收',
      price === null ? none : <Amount key="now" yuan={price} />,
      less === null
        ? '不收手续费'
        : `${less > 0 ? '少' : '多'} ¥${grouped((Math.abs(less) / 100).toFixed(2))}，不收手续费`,
    ],
  ];
  return (
    <section className="panel" aria-labelledby="self">
      <div className="panel-head">
        <h2 id="self">自己卖能到手多少</h2>
        <Link to={`/gj-wzry?gameId=${gameId}`} className="more ml-auto">
          查看估价
        </Link>
      </div>
      <dl className="grid grid-cols-2 gap-4 p-4 text-13">
        {facts.map(([name, value, note]) => (
          <div key={name}>
            <dt className="text-12 text-ink-3">{name}</dt>
            <dd className="text-16 font-semibold">{value}</dd>
            <dd className="text-12 text-ink-3">{note}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** The latest recycled accounts with their prices, so that the seller can compare. */
export function Recent({ list }: { list: RecycleData['recent'] }) {
  if (list.length === 0) return null;
  return (
    <section className="panel" aria-labelledby="recent">
      <div className="panel-head">
        <h2 id="recent">最近回收</h2>
        <p>已到账</p>
      </div>
      <ul>
        {list.map((one) => (
          <li
            key={`${one.time}${one.title}`}
            className="flex items-center gap-3 border-t border-line-soft px-4 py-2.5 text-13"
          >
            <span className="min-w-0 flex-1">
              <span className="block truncate">
                <b className="mr-1.5 font-semibold">{one.gameName}</b>
                {one.title}
              </span>
              <small className="text-12 text-ink-3">
                {one.isPlatform ? '平台收' : '回收商收'}，{one.hours} 小时到账，
                <TimeLabel at={one.time} />
              </small>
            </span>
            <Amount yuan={one.price} className="font-semibold" />
          </li>
        ))}
      </ul>
    </section>
  );
}

const STEPS = ['填信息', '匿名竞价', '接受报价', '交付验号', '到账'] as const;
const AT: Readonly<Record<string, number>> = { bidding: 1, quoted: 2, accepted: 3, reconfirm: 3, paid: 5 };

/** The progress of a request. */
export function Steps({ status }: { status: string }) {
  const at = AT[status] ?? (status === '' ? 0 : -1);
  return (
    <ol className="rec-steps" aria-label="进度">
      {STEPS.map((name, i) => (
        <li
          key={name}
          className={cx(i < at && 'rec-done', i === at && 'rec-now')}
          aria-current={i === at ? 'step' : undefined}
        >
          <i>{i < at ? <Check className="icon size-3" strokeWidth={3} aria-label="已完成" /> : i + 1}</i>
          {name}
        </li>
      ))}
    </ol>
  );
}
