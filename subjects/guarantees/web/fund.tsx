import { ShieldCheck } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { type LoaderFunctionArgs, useLoaderData, useNavigate } from 'react-router';
import { guaranteeFund } from '#subjects/guarantees/contract/guarantee.ts';
import type { Message } from '#web/lib/forms/form-errors.ts';
import { market } from '#web/lib/pages/context.ts';
import { fenOf, grouped } from '#web/lib/format/format.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { ClaimClock } from '#subjects/disputes/web/parts/cases/claim-clock.tsx';
import { Breadcrumb } from '#web/ui/lists/breadcrumb.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { Amount } from '#web/ui/price.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, {
    title: '包赔基金公示',
    description: '包赔基金的收入、赔付、天数与拒赔原因按月公开，每一件理赔都有公开时钟，期满赔付或由两人裁定。',
  });
}

export async function loader(args: LoaderFunctionArgs) {
  return { fund: await market(args).call(guaranteeFund, {}), now: new Date().toISOString() };
}

type Fund = ReturnType<typeof useLoaderData<typeof loader>>['fund'];

/** Certificate search by number. */
function Check() {
  const navigate = useNavigate();
  const [no, setNo] = useState('');
  const [error, setError] = useState<Message>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const number = no.trim().toUpperCase();
    if (!/^[A-Z0-9]{8,24}$/.test(number)) return setError({ text: '证书编号是 12 位字母和数字' });
    void navigate(`/guarantee/${number}`);
  };
  return (
    <section className="panel" aria-labelledby="check">
      <div className="panel-head">
        <h2 id="check">核验证书</h2>
        <p>买家、卖家出示的包赔证书，都可以在这里查真伪</p>
      </div>
      <form className="flex items-start gap-2 px-4 py-4" onSubmit={submit}>
        <Field label="证书编号" required error={error} className="min-w-0 flex-1 md:max-w-90">
          {(control) => (
            <Input
              {...control}
              value={no}
              maxLength={24}
              autoComplete="off"
              onChange={(event) => setNo(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit" kind="primary" className="btn-beside mt-6.5">
          核验
        </Button>
      </form>
    </section>
  );
}

function Totals({ fund }: { fund: Fund }) {
  const decided = fund.paidCount + fund.refusedCount + fund.recoveredCount;
  const details = [
    ['基金余额', <Amount key="balance" yuan={fund.balance} />],
    ['累计收取包赔费', <Amount key="premiums" yuan={fund.premiums} />],
    ['累计赔付', <Amount key="paid" yuan={fund.paidTotal} />],
    ['保障中账号', `${grouped(fund.covers)} 个`],
    ['保障总额', <Amount key="insured" yuan={fund.insured} />],
    ['已结案', `${grouped(decided)} 件`],
    ['其中赔付', `${grouped(fund.paidCount)} 件`],
    ['一半的理赔办完用时', fund.medianHours === null ? '暂无' : `${fund.medianHours} 小时以内`],
  ] as const;
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-card border border-line bg-line-soft md:grid-cols-4">
      {details.map(([name, value]) => (
        <div key={name} className="bg-panel px-4 py-3.5">
          <dt className="text-12 text-ink-3">{name}</dt>
          <dd className="mt-0.5 text-16 font-semibold">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Premiums and pay-outs by month as bars, with the numbers next to them. */
function Months({ months }: { months: Fund['months'] }) {
  const most = Math.max(1, ...months.flatMap((m) => [fenOf(m.premium), fenOf(m.paidTotal)]));
  const width = (yuan: string) => `${(fenOf(yuan) / most) * 100}%`;
  return (
    <section className="panel" aria-labelledby="months">
      <div className="panel-head">
        <h2 id="months">按月收支</h2>
        <p>上面是收取的包赔费，下面是赔付</p>
      </div>
      {months.length === 0 ? (
        <EmptyState title="还没有记录">第一份保障生效后，每月的收支在这里公开。</EmptyState>
      ) : (
        <ol className="grid gap-3 px-4 py-4">
          {months.map((m) => (
            <li
              key={m.month}
              className="grid gap-1 text-13 md:grid-cols-[72px_minmax(0,1fr)_280px] md:items-center md:gap-4"
            >
              <b className="font-semibold">{m.month}</b>
              <span className="grid gap-1" aria-hidden="true">
                <i className="block h-2 rounded-full bg-brand-300" style={{ width: width(m.premium) }} />
                <i className="block h-2 rounded-full bg-attn" style={{ width: width(m.paidTotal) }} />
              </span>
              <span className="flex flex-wrap gap-x-4 text-12 text-ink-3">
                <span>
                  {m.covers} 份，收 <Amount yuan={m.premium} className="text-ink-2" />
                </span>
                <span>
                  理赔 {m.claims} 件，赔付 {m.paid} 件 <Amount yuan={m.paidTotal} className="text-ink-2" />
                </span>
                {m.refused > 0 && <span>不予赔付 {m.refused} 件</span>}
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

function Running({ fund, now }: { fund: Fund; now: string }) {
  return (
    <section className="panel" aria-labelledby="running">
      <div className="panel-head">
        <h2 id="running">追索倒计时</h2>
        <p>期满未追回，符合规则 5.5 的系统赔付，其余 48 小时内由两人裁定</p>
      </div>
      {fund.running.length === 0 ? (
        <EmptyState title="没有处理中的理赔">有人申请理赔时，它的公开时钟会显示在这里。</EmptyState>
      ) : (
        <ul>
          {fund.running.map((claim) => (
            <li key={claim.claimSn} className="grid gap-2.5 border-b border-line-soft px-4 py-3.5 last:border-b-0">
              <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-13">
                <Tag tone="attn">{claim.statusName}</Tag>
                <b className="font-semibold">{claim.gameName}</b>
                <span>{claim.tierName}</span>
                <span className="text-ink-3">{claim.reasonName}</span>
                <span className="text-12 text-ink-3">{claim.claimSn}</span>
                <Amount yuan={claim.asked} className="ml-auto font-semibold" />
              </p>
              <ClaimClock clock={claim.clock} now={now} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Closed({ closed }: { closed: Fund['closed'] }) {
  if (closed.length === 0) return null;
  return (
    <section className="panel" aria-labelledby="closed">
      <div className="panel-head">
        <h2 id="closed">最近结案</h2>
        <p>不予赔付的都写明依据的规则</p>
      </div>
      <ul>
        {closed.map((claim, index) => (
          <li
            key={`${claim.day}${index}`}
            className="grid grid-cols-[80px_minmax(0,1fr)] items-baseline gap-x-4 gap-y-0.5 border-b border-line-soft px-4 py-2.5 text-13 last:border-b-0 xl:grid-cols-[80px_minmax(0,1fr)_auto]"
          >
            <time className="text-12 text-ink-3">{claim.day}</time>
            <span className="text-ink-2">
              <b className="mr-3 font-semibold text-ink">{claim.gameName}</b>
              {claim.tierName} · {claim.reasonName}
            </span>
            <span className="flex flex-wrap gap-x-3 max-xl:col-start-2 xl:justify-end">
              {claim.result}
              {claim.paid && <Amount yuan={claim.paid} className="font-semibold" />}
              <span className="text-12 text-ink-3">用时 {claim.hours} 小时</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Rates({ rates }: { rates: Fund['rates'] }) {
  return (
    <section className="panel" aria-labelledby="rates">
      <div className="panel-head">
        <h2 id="rates">费率说明</h2>
        <p>按每款游戏近 180 天的赔付测算，3% 到 20% 之间</p>
      </div>
      {rates.length === 0 ? (
        <p className="px-4 py-4 text-13 text-ink-2">样本还不够（每款游戏每种保障至少 30 份），目前都按基准费率。</p>
      ) : (
        <ul className="grid md:grid-cols-2">
          {rates.map((rate) => (
            <li key={`${rate.gameName}${rate.tierName}`} className="border-b border-line-soft px-4 py-3 text-13">
              <p className="flex gap-3">
                <b className="font-semibold">{rate.gameName}</b>
                {rate.tierName}
                <b className="ml-auto font-semibold">{rate.rateText}</b>
              </p>
              {rate.reasons.map((text) => (
                <p key={text} className="text-12 text-ink-3">
                  {text}
                </p>
              ))}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** The guarantee fund's public account: figures by month, every open deadline, decisions with reasons, and the pricing. */
export default function FundPage() {
  const { fund, now } = useLoaderData<typeof loader>();
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 pb-4 max-md:pt-4 md:pb-6">
      <div className="-mb-4 max-md:hidden">
        <Breadcrumb items={[{ label: '首页', to: '/' }, { label: '包赔基金' }]} />
      </div>
      <header className="grid gap-1">
        <h1 className="flex items-center gap-2 text-20 font-semibold">
          <ShieldCheck className="icon size-6 text-safe" aria-hidden="true" />
          包赔基金公示
        </h1>
        <p className="text-13 text-ink-2">
          包赔费全部进入独立基金，只用于赔付。账号被找回后提交证明，追索期满未追回，系统自动把钱赔到余额。
        </p>
      </header>
      <Totals fund={fund} />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-2">
        <Running fund={fund} now={now} />
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <Check />
          <Closed closed={fund.closed} />
        </div>
      </div>
      <Months months={fund.months} />
      <Rates rates={fund.rates} />
    </div>
  );
}
