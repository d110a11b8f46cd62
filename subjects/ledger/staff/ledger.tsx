import { CircleAlert, CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { bookCheckList, checkBooks, trialBalanceSheet } from '#subjects/ledger/contract/staff-ledger.ts';
import type { Data } from '#contract/endpoint.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { market } from '#web/lib/pages/context.ts';
import { grouped } from '#web/lib/format/format.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { FormError } from '#web/ui/forms/field.tsx';
import { Amount } from '#web/ui/price.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '账目', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  const { call: request } = market(args);
  const [sheet, checks] = await Promise.all([request(trialBalanceSheet, {}), request(bookCheckList, {})]);
  return { sheet, checks };
}

function Signed({ yuan }: { yuan: string }) {
  return yuan.startsWith('-') ? <Amount yuan={yuan.slice(1)} sign="-" /> : <Amount yuan={yuan} />;
}

function Sheet({ sheet }: { sheet: Data<typeof trialBalanceSheet> }) {
  return (
    <section className="panel overflow-hidden" aria-label="试算平衡">
      <div className="panel-head">
        <h2>试算平衡</h2>
        <p>{fullAt(sheet.time)}</p>
      </div>
      <table className="admin-table">
        <thead>
          <tr>
            <th scope="col">科目</th>
            <th scope="col" className="num">
              账户数
            </th>
            <th scope="col" className="num">
              余额
            </th>
          </tr>
        </thead>
        <tbody>
          {sheet.kinds.map(({ kind, name, amount, accounts }) => (
            <tr key={kind}>
              <td>{name}</td>
              <td className="num text-ink-3">{grouped(accounts)}</td>
              <td className="num">
                <Signed yuan={amount} />
              </td>
            </tr>
          ))}
          <tr className="font-semibold">
            <td>合计</td>
            <td />
            <td className={`num ${sheet.balanced ? 'text-safe' : 'text-danger'}`}>
              <Signed yuan={sheet.total} />
            </td>
          </tr>
        </tbody>
      </table>
    </section>
  );
}

/** Runs every ledger check on demand and shows the result. */
function Check({ balanced }: { balanced: boolean }) {
  const [result, setResult] = useState<Data<typeof checkBooks> | null>(null);
  const { busy, error, send } = useMutation(checkBooks, { done: setResult });
  const fine = balanced && (result === null || result.breaches.length === 0);
  const outcome = fine
    ? result
      ? '全部规则通过'
      : '所有账户合计为零'
    : result
      ? `发现 ${result.breaches.length} 处不符`
      : '合计不为零';
  return (
    <section className="panel" aria-label="账目核对">
      <div className="panel-head">
        <h2>账目核对</h2>
        <Button size="sm" className="ml-auto" busy={busy} onClick={() => void send({})}>
          全面核对
        </Button>
      </div>
      <FormError className="px-4 pt-3">{error}</FormError>
      <div className="flex items-start gap-2.5 p-4" aria-live="polite">
        {busy ? (
          <span className="spinner mt-0.5" aria-hidden="true" />
        ) : fine ? (
          <CircleCheck className="icon mt-0.5 text-safe" aria-hidden="true" />
        ) : (
          <CircleAlert className="icon mt-0.5 text-danger" aria-hidden="true" />
        )}
        <div className="grid gap-1">
          <p className="font-medium">{busy ? '正在逐笔核对' : outcome}</p>
          <p className="text-12 text-ink-3">
            {result && !busy
              ? `${fullAt(result.time)} 核对，用时 ${result.tookMs} 毫秒`
              : '全面核对会逐笔检查余额链、借贷成对、托管款与订单、冻结款与明细、支付单与入账。'}
          </p>
          {result && result.breaches.length > 0 && (
            <ul className="mt-2 grid gap-1 font-mono text-12 break-all text-danger">
              {result.breaches.map((breach) => (
                <li key={breach}>{breach}</li>
              ))}
            </ul>
          )}
        </div>
      </div>
    </section>
  );
}

/** The results of the nightly checks. */
function NightlyChecks({ list }: { list: Data<typeof bookCheckList>['list'] }) {
  return (
    <section className="panel" aria-label="每夜核对">
      <div className="panel-head">
        <h2>每夜核对</h2>
        <p>每天 03:30 对一份快照逐条核对，不影响交易</p>
      </div>
      {list.length === 0 ? (
        <p className="px-4 py-3 text-13 text-ink-3">还没有到第一个夜间核对的时间，可以先用「全面核对」。</p>
      ) : (
        <ul className="grid gap-2 px-4 py-3 text-13">
          {list.map((check) => (
            <li key={check.startTime}>
              <span className="flex items-center gap-2">
                {check.breaches.length > 0 ? (
                  <CircleAlert className="icon text-danger" aria-hidden="true" />
                ) : (
                  <CircleCheck className="icon text-safe" aria-hidden="true" />
                )}
                {check.endTime === null
                  ? '核对中'
                  : check.breaches.length > 0
                    ? `${check.breaches.length} 处不符`
                    : `${grouped(check.transfers ?? 0)} 笔全部相符`}
                <time dateTime={check.startTime} className="ml-auto text-12 text-ink-3">
                  {fullAt(check.startTime)}
                </time>
              </span>
              {check.breaches.slice(0, 3).map((breach) => (
                <span key={breach} className="block font-mono text-12 break-all text-danger">
                  {breach}
                </span>
              ))}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** The ledger as a whole: balances by kind of account, and the checks. */
export default function LedgerPage() {
  const { sheet, checks } = useLoaderData<typeof loader>();
  return (
    <>
      <div className="admin-head">
        <h1>账目</h1>
        <p>复式记账，每笔资金从一个账户到另一个账户</p>
        <ButtonLink size="sm" to="/backstage/transfers" className="ml-auto">
          资金流水
        </ButtonLink>
      </div>
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
        <Sheet sheet={sheet} />
        <div className="grid gap-4">
          <Check balanced={sheet.balanced} />
          <NightlyChecks list={checks.list} />
        </div>
      </div>
    </>
  );
}
