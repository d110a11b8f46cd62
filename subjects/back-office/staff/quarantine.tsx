import { useState } from 'react';
import { Link, type LoaderFunctionArgs, useLoaderData, useRevalidator } from 'react-router';
import { type QuarantineState, quarantineState, releaseQuarantine } from '#subjects/back-office/contract/quarantine.ts';
import { staffCan } from '../rules/staff.ts';
import { call } from '#web/lib/api/api.ts';
import { market } from '#web/lib/pages/context.ts';
import { grouped } from '#web/lib/format/format.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { Button } from '#web/ui/button.tsx';
import { Amount } from '#web/ui/price.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { AdminTable } from './parts/admin-table.tsx';
import { ReasonDialog } from './parts/dialogs/reason-dialog.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '恢复隔离', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  const { call: request, staff } = market(args);
  return {
    state: await request(quarantineState, {}),
    may: staffCan(staff ?? { permissions: [] }, 'quarantine.release'),
  };
}

type Current = NonNullable<QuarantineState['current']>;

function Figures({ current }: { current: Current }) {
  const figures = [
    ['数据截至', fullAt(current.restoredTo)],
    ['恢复于', fullAt(current.restoredAt)],
    ['待打款', `${grouped(current.withdrawals.count)} 笔`],
    ['待打款金额', <Amount key="withdrawals" yuan={current.withdrawals.amount} />],
    ['待退款', `${grouped(current.refunds.count)} 笔`],
    ['待退款金额', <Amount key="refunds" yuan={current.refunds.amount} />],
  ] as const;
  return (
    <section className="panel" aria-label="概况">
      <dl className="grid grid-cols-2 gap-x-6 gap-y-4 p-4 md:grid-cols-3 lg:grid-cols-6">
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt className="text-12 text-ink-3">{name}</dt>
            <dd className="mt-1 text-14 font-semibold">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function HeldWork({ title, items, empty }: { title: string; items: Current['jobs']; empty: string }) {
  const total = items.reduce((sum, { count }) => sum + count, 0);
  return (
    <section className="panel overflow-hidden" aria-label={title}>
      <h2 className="px-4 pt-4 pb-2 text-14 font-semibold">
        {title}
        <span className="ml-2 text-12 font-normal text-ink-3">{grouped(total)} 个</span>
      </h2>
      {items.length === 0 ? (
        <EmptyState title={empty} />
      ) : (
        <ul className="divide-y divide-line-soft border-t border-line-soft">
          {items.map((item) => (
            <li key={item.name} className="flex items-start justify-between gap-4 px-4 py-2.5 text-13">
              <span className="min-w-0">
                {item.title}
                <span className="block text-12 break-all text-ink-3">{item.name}</span>
              </span>
              <span className="shrink-0 text-right">
                <span className="font-semibold tabular-nums">{grouped(item.count)}</span>
                <span className="block text-12 whitespace-nowrap text-ink-3 tabular-nums">
                  最早 {fullAt(item.since)}
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Past({ past }: { past: QuarantineState['past'] }) {
  if (past.length === 0) return null;
  return (
    <section className="panel overflow-hidden" aria-label="以往的恢复">
      <h2 className="px-4 pt-4 pb-2 text-14 font-semibold">以往的恢复</h2>
      <AdminTable columns={['数据截至', '恢复于', '来源', '放行']}>
        {past.map((one) => (
          <tr key={one.restoredAt}>
            <td className="whitespace-nowrap">{fullAt(one.restoredTo)}</td>
            <td className="whitespace-nowrap">{fullAt(one.restoredAt)}</td>
            <td className="text-12 break-all text-ink-2">{one.source}</td>
            <td className="text-13">
              {one.staffName ?? '命令行'} {fullAt(one.releasedAt)}
              <span className="block text-12 text-ink-2">{one.reason}</span>
            </td>
          </tr>
        ))}
      </AdminTable>
    </section>
  );
}

const CHECKS: readonly { text: string; to?: string; link?: string }[] = [
  { text: '原来的服务器已经停下，不会两边同时发出' },
  { text: '全部相符，余额与渠道后台对得上', to: '/backstage/ledger', link: '账目' },
  { text: '里核对过截至时间之后渠道已收、已打的款', to: '/backstage/reconcile', link: '渠道对账' },
  { text: '截至时间之后停用的员工、封禁的用户、撤下的商品，都重新处理了' },
];

/**
 * A restored market before it resumes: the blocked jobs and events, and the release with a reason for the audit log.
 */
export default function QuarantinePage() {
  const { state, may } = useLoaderData<typeof loader>();
  const { revalidate } = useRevalidator();
  const [asking, setAsking] = useState(false);
  const { current, past } = state;
  return (
    <>
      <div className="admin-head">
        <h1>恢复隔离</h1>
        {current &&
          (may ? (
            <Button size="sm" kind="primary" onClick={() => setAsking(true)}>
              放行
            </Button>
          ) : (
            <p>由管理员放行</p>
          ))}
      </div>
      {current ? (
        <div className="grid gap-3">
          <Figures current={current} />
          <section className="panel p-4 text-13" aria-label="放行前请核对">
            <h2 className="pb-2 text-14 font-semibold">放行前请核对</h2>
            <ul className="list-disc pl-5 text-ink-2">
              {CHECKS.map(({ text, to, link }) => (
                <li key={text}>
                  {to !== undefined && (
                    <Link to={to} className="link">
                      {link}
                    </Link>
                  )}
                  {text}
                </li>
              ))}
            </ul>
            <p className="pt-2 text-12 text-ink-3">
              恢复时所有人都已退出登录，新的编号从更大的数开始，不会与截至时间之后发出过的重复。
            </p>
            <p className="pt-2 text-12 break-all text-ink-3">来源：{current.source}</p>
          </section>
          <div className="grid items-start gap-3 lg:grid-cols-2">
            <HeldWork title="到期的定时任务" items={current.jobs} empty="没有到期的定时任务" />
            <HeldWork title="等待处理的事件" items={current.events} empty="没有等待处理的事件" />
          </div>
          <Past past={past} />
        </div>
      ) : (
        <div className="grid gap-3">
          <section className="panel">
            <EmptyState title="没有隔离">从备份恢复之后，定时任务、通知和打款会停在这里，等核对后放行。</EmptyState>
          </section>
          <Past past={past} />
        </div>
      )}
      {asking && (
        <ReasonDialog
          title="放行恢复隔离"
          action="放行"
          question="放行后，以上到期的任务、通知、退款和打款会立即开始发出，不能撤回。"
          reasonLabel="原因"
          reasons={['账目与渠道已核对，原服务器已停']}
          isReasonNeeded
          send={async (reason) => {
            await call(releaseQuarantine, { reason }, { quiet: true });
            toast('已放行', 'ok');
          }}
          onDone={() => {
            setAsking(false);
            void revalidate();
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
