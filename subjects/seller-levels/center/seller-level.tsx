import { Check, X } from 'lucide-react';
import { Link } from 'react-router';
import type { Data } from '#contract/endpoint.ts';
import type { sellerLevel } from '#subjects/seller-levels/contract/seller-level.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { cx } from '#web/ui/class-names.ts';
import { Amount } from '#web/ui/price.tsx';
import { Tag } from '#web/ui/tag.tsx';

export type SellerStanding = Data<typeof sellerLevel>;
type Rung = SellerStanding['ladder'][number];

const holdText = (hours: number): string => (hours % 24 === 0 && hours > 24 ? `${hours / 24} 天` : `${hours} 小时`);

/** The levels from the lowest, with the hold time of a sale's money at each. */
function Ladder({ standing }: { standing: SellerStanding }) {
  return (
    <ol className="grid grid-cols-3 gap-2 md:grid-cols-6" aria-label="卖家等级与冻结期">
      {standing.ladder.map((rung) => {
        const here = rung.level === standing.level;
        return (
          <li
            key={rung.level}
            aria-current={here ? 'step' : undefined}
            className={cx(
              'grid content-start gap-0.5 rounded-control border px-2.5 py-2 text-12',
              here ? 'border-brand-300 bg-brand-25' : 'border-line',
            )}
          >
            <b className={cx('text-13 font-semibold', !rung.reached && 'text-ink-2')}>{rung.name}</b>
            <span className="text-ink-3">冻结 {holdText(rung.holdHours)}</span>
            {rung.stagesText !== '' && <span className="text-ink-3">{rung.stagesText}</span>}
          </li>
        );
      })}
    </ol>
  );
}

/** The requirements of the next level, one per line, each with the current value. */
function Next({ rung }: { rung: Rung }) {
  const missing = rung.needs.filter(({ met }) => !met).length;
  return (
    <div className="grid content-start gap-2">
      <h3 className="text-13 font-semibold">
        升到「{rung.name}」{missing > 0 ? `还差 ${missing} 项` : '的条件已满足，下次计算时升级'}
      </h3>
      <table className="w-full text-13">
        <thead>
          <tr className="text-left text-12 text-ink-3">
            <th className="py-1 font-normal" scope="col">
              条件
            </th>
            <th className="py-1 font-normal" scope="col">
              现在
            </th>
            <th className="py-1 text-right font-normal" scope="col">
              需要
            </th>
          </tr>
        </thead>
        <tbody>
          {rung.needs.map((need) => (
            <tr key={need.key} className="border-t border-line-soft">
              <th className="py-1.5 text-left font-normal" scope="row">
                <span className="flex items-center gap-1.5">
                  {need.met ? (
                    <Check className="icon size-3.5 text-safe" aria-label="已满足" role="img" />
                  ) : (
                    <X className="icon size-3.5 text-attn" aria-label="未满足" role="img" />
                  )}
                  {need.label}
                </span>
              </th>
              <td className="py-1.5">{need.have}</td>
              <td className="py-1.5 text-right text-ink-2">{need.need}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Shows the counted sales, and the excluded ones with the reasons. */
function Counted({ standing }: { standing: SellerStanding }) {
  const { counted, leftOut, windowDays } = standing;
  return (
    <div className="grid content-start gap-2">
      <h3 className="text-13 font-semibold">近 {windowDays} 天计入</h3>
      <dl className="grid grid-cols-3 gap-x-3 gap-y-2 text-13">
        {(
          [
            ['不同买家', `${counted.buyers} 位`],
            ['订单', `${counted.orders} 单`],
            ['成交额', <Amount key="amount" yuan={counted.amount} />],
            ['申诉败诉', `${counted.lost} 次`],
            ['付款后取消', `${counted.cancelled} 单`],
            ['评分', counted.average === null ? '暂无' : `${counted.average.toFixed(2)}（${counted.ratings} 位）`],
          ] as const
        ).map(([label, value]) => (
          <div key={label} className="min-w-0">
            <dt className="text-12 text-ink-3">{label}</dt>
            <dd className="truncate font-semibold">{value}</dd>
          </div>
        ))}
      </dl>
      {leftOut.length > 0 && (
        <ul className="grid gap-1 border-t border-line-soft pt-2 text-12 text-ink-3" aria-label="未计入">
          {leftOut.map(({ label, count, explain }) => (
            <li key={label}>
              {label} <b className="font-semibold text-ink-2">{count} 单未计入</b>：{explain}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** The seller's level: the current one and its reasons, what is missing for the next, and the rule that determines it. */
export function SellerLevel({ standing }: { standing: SellerStanding }) {
  const next = standing.ladder[standing.level + 1];
  return (
    <section className="panel" aria-labelledby="seller-level">
      <div className="panel-head">
        <h2 id="seller-level">卖家等级</h2>
        <p className="max-md:hidden">按真实成交计算，决定货款冻结多久，不能购买</p>
        <Link to={`/rulings?ruleNo=${standing.ruleNo}`} className="more">
          规则 {standing.ruleNo}
        </Link>
      </div>
      <div className="grid gap-4 p-4">
        <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
          <b className="text-20 font-semibold">{standing.levelName}</b>
          <span className="text-13 text-ink-2">
            货款冻结 {holdText(standing.holdHours)}
            {standing.stagesText !== '' && `，其中 ${standing.stagesText}`}
          </span>
          {standing.hasDepositStep && <Tag tone="safe">保证金按高一级计</Tag>}
          {standing.sinceTime && <span className="text-12 text-ink-3">{fullAt(standing.sinceTime)} 起</span>}
        </p>
        <Ladder standing={standing} />
        <div className="grid gap-x-8 gap-y-4 md:grid-cols-2">
          {next ? <Next rung={next} /> : <p className="text-13 text-ink-2">已是最高等级，保持现在的成交与口碑即可。</p>}
          <Counted standing={standing} />
        </div>
        <details className="text-13">
          <summary className="hit cursor-pointer text-link">怎么计算</summary>
          <ul className="mt-2 grid list-disc gap-1 pl-5 text-ink-2">
            {standing.rules.map((rule) => (
              <li key={rule}>{rule}</li>
            ))}
          </ul>
        </details>
        {standing.history.length > 0 && (
          <ul className="grid gap-1 border-t border-line-soft pt-3 text-12 text-ink-3" aria-label="等级变化">
            {standing.history.map((step) => (
              <li key={step.time}>
                <time dateTime={step.time}>{fullAt(step.time)}</time> {step.fromName} → {step.toName}
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}
