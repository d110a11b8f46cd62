import { useState } from 'react';
import { type LoaderFunctionArgs, useLoaderData, useRevalidator } from 'react-router';
import { type DeadLetter, deadLetterList, decideDeadLetter } from '#subjects/back-office/contract/dead-letters.ts';
import { deadLetterStateNames, deadLetterStates } from '../rules/dead-letters.ts';
import { staffCan } from '../rules/staff.ts';
import { call } from '#web/lib/api/api.ts';
import { market } from '#web/lib/pages/context.ts';
import { countText } from '#web/lib/format/format.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { useCursorList } from '#web/lib/lists/use-cursor-list.ts';
import { Button } from '#web/ui/button.tsx';
import { ListEnd } from '#web/ui/lists/list-end.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { AdminTable } from './parts/admin-table.tsx';
import { ReasonDialog } from './parts/dialogs/reason-dialog.tsx';
import { StatusTabs } from './parts/status-tabs.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '失败任务', noindex: true });
}

const PAGE = 30;

export async function loader(args: LoaderFunctionArgs) {
  const { call: request, staff } = market(args);
  const status = deadLetterStates.find((one) => one === args.url.searchParams.get('status')) ?? 'open';
  const query = { status, pageSize: PAGE };
  return { query, first: await request(deadLetterList, query), may: staffCan(staff, 'job.act') };
}

type LetterAction = 'again' | 'discard';
const ACTION_NAMES: Readonly<Record<LetterAction, string>> = { again: '重新执行', discard: '放弃' };
const REASONS: Readonly<Record<LetterAction, readonly string[]>> = {
  again: ['原因已排除', '外部渠道已恢复', '程序已更新'],
  discard: ['已由人工处理', '内容已过时，不再需要'],
};
const QUESTIONS: Readonly<Record<LetterAction, string>> = {
  again: '将从头执行一次；已经做过的部分不会重复。再次失败多次后会回到这里。',
  discard: '放弃后不会再执行，请确认它要做的事已经处理。',
};

function Outcome({ item }: { item: DeadLetter }) {
  return (
    <span className="text-13">
      {item.outcome}
      <span className="block text-12 text-ink-3">
        {item.decider} {item.decideTime && fullAt(item.decideTime)}
      </span>
      <span className="block text-12 text-ink-2">{item.note}</span>
    </span>
  );
}

function Row({ item, may, onAction }: { item: DeadLetter; may: boolean; onAction: (action: LetterAction) => void }) {
  return (
    <tr>
      <td className="whitespace-nowrap">
        {item.title}
        <span className="block text-12 text-ink-3">
          {item.whatName} {item.name}
        </span>
      </td>
      <td className="text-12 text-ink-2" data-label="编号">
        {item.ref || '—'}
        {item.about && <span className="block break-words">{item.about}</span>}
      </td>
      <td data-wide="" className="max-w-110 text-13 break-words">
        {item.reason}
        {item.error !== item.reason && (
          <details className="text-12 text-ink-3">
            <summary>技术信息</summary>
            <code lang="en">{item.error}</code>
          </details>
        )}
      </td>
      <td className="num" data-label="次数">
        {item.attempts}
      </td>
      <td className="text-12 whitespace-nowrap text-ink-3" data-label="首次与最近">
        {fullAt(item.firstTime)}
        <span className="block">{fullAt(item.lastTime)}</span>
      </td>
      <td className="num">
        {item.outcome !== null ? (
          <Outcome item={item} />
        ) : may ? (
          <span className="inline-flex gap-1.5">
            <Button size="sm" kind="tonal" onClick={() => onAction('again')}>
              重新执行
            </Button>
            <Button size="sm" onClick={() => onAction('discard')}>
              放弃
            </Button>
          </span>
        ) : (
          <span className="text-12 text-ink-3">由管理员处理</span>
        )}
      </td>
    </tr>
  );
}

/** Jobs and events that failed for good: run them again or discard them, with a reason for the audit log. */
export default function JobsPage() {
  const { first, query, may } = useLoaderData<typeof loader>();
  const { revalidate } = useRevalidator();
  const [chosen, setChosen] = useState<{ item: DeadLetter; action: LetterAction } | null>(null);
  const { items, next, busy, error, more } = useCursorList(
    first,
    (cursor) => call(deadLetterList, { ...query, cursor }, { quiet: true }),
    ({ id }) => id,
  );
  return (
    <>
      <div className="admin-head">
        <h1>失败任务</h1>
        <p>{countText(first.total, first.totalCapped)} 条</p>
      </div>
      <StatusTabs
        name="status"
        label="失败任务"
        items={deadLetterStates.map((key) => ({ key, text: deadLetterStateNames[key] }))}
      />
      <section className="panel overflow-hidden" aria-label="失败任务">
        {items.length === 0 ? (
          <EmptyState title={query.status === 'open' ? '没有失败的任务' : '没有记录'}>
            定时任务或事件多次失败后不再自动重试，会出现在这里等待处理。
          </EmptyState>
        ) : (
          <>
            <AdminTable columns={['任务', '编号', '原因', { num: '次数' }, '首次与最近失败', { num: '处理' }]}>
              {items.map((item) => (
                <Row key={item.id} item={item} may={may} onAction={(action) => setChosen({ item, action })} />
              ))}
            </AdminTable>
            <ListEnd next={next} busy={busy} error={error} onMore={more} />
          </>
        )}
      </section>
      {chosen && (
        <ReasonDialog
          title={`${ACTION_NAMES[chosen.action]}任务`}
          action={ACTION_NAMES[chosen.action]}
          danger={chosen.action === 'discard'}
          question={QUESTIONS[chosen.action]}
          reasonLabel="原因"
          reasons={REASONS[chosen.action]}
          isReasonNeeded
          send={async (reason) => {
            await call(decideDeadLetter, { id: chosen.item.id, act: chosen.action, reason }, { quiet: true });
            toast(`已${ACTION_NAMES[chosen.action]}`, 'ok');
          }}
          onDone={() => {
            setChosen(null);
            void revalidate();
          }}
          onClose={() => setChosen(null)}
        />
      )}
    </>
  );
}
