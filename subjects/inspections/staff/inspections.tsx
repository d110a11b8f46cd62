import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import type { Data } from '#contract/endpoint.ts';
import {
  staffInspectionInfo,
  staffInspectionList,
  staffInspectionPick,
  staffWrongReadings,
} from '#subjects/inspections/contract/inspection.ts';
import { staffCan } from '#subjects/back-office/rules/staff.ts';
import { market } from '#web/lib/pages/context.ts';
import { fenOf, grouped } from '#web/lib/format/format.ts';
import { typed } from '#web/lib/forms/form-errors.ts';
import { notFound } from '#web/lib/pages/not-found.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { Pagination } from '#web/ui/lists/pagination.tsx';
import { LinkTabs } from '#web/ui/lists/link-tabs.tsx';
import { Amount } from '#web/ui/price.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { TaskPanel } from './inspection/task-panel.tsx';
import { WrongList } from './inspection/wrong-list.tsx';
import { DeadlineClock } from '#subjects/back-office/staff/parts/deadline-clock.tsx';
import { AdminTable } from '#subjects/back-office/staff/parts/admin-table.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '验号', noindex: true });
}

const STATES = [
  ['', '全部'],
  ['queued', '待领取'],
  ['claimed', '验号中'],
  ['review', '待复核'],
  ['waiting', '等卖家'],
  ['done', '已验完'],
  ['closed', '已关闭'],
] as const;

const PAGE = 50;

const numberOf = (text: string | null): number | null => {
  if (text === null) return null;
  if (!/^\d{1,9}$/.test(text)) notFound();
  return Number(text);
};

export async function loader(args: LoaderFunctionArgs) {
  const { call, staff } = market(args);
  const query = args.url.searchParams;
  const status = STATES.find(([key]) => key === (query.get('status') ?? ''))?.[0] ?? '';
  const gameId = numberOf(query.get('game'));
  const taskId = numberOf(query.get('task'));
  const page = Math.max(1, numberOf(query.get('page')) ?? 1);
  const isPlatform = staff?.distId === null;
  const [tasks, task, wrong] = await Promise.all([
    call(staffInspectionList, {
      pageSize: PAGE,
      pages: page,
      ...(status !== '' && { status }),
      ...(gameId !== null && { gameId }),
    }),
    taskId === null ? null : call(staffInspectionInfo, { taskId }),
    isPlatform ? call(staffWrongReadings, {}) : null,
  ]);
  return {
    tasks,
    task,
    wrong,
    status,
    gameId,
    page,
    canAct: isPlatform && staffCan(staff, 'inspection.act'),
    canPay: isPlatform && staffCan(staff, 'inspection.pay'),
  };
}

type Tasks = Data<typeof staffInspectionList>;

function Figures({ figures: f }: { figures: Tasks['figures'] }) {
  const figures: readonly (readonly [string, string])[] = [
    ['未完', String(f.open)],
    ['将超时', String(f.late)],
    ['等待最久', f.oldestMinutes < 60 ? `${f.oldestMinutes} 分钟` : `${Math.floor(f.oldestMinutes / 60)} 小时`],
    ['30 天验完', grouped(f.done30)],
    ['其中有差异', String(f.differs30)],
    ['验号有误', f.wrong30 === 0 ? '0' : `${f.wrong30}（赔付 ¥${f.wrongPaid30}）`],
  ];
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-3 border-b border-line-soft p-4 text-13 md:grid-cols-6">
      {figures.map(([label, value]) => (
        <div key={label}>
          <dt className="text-12 text-ink-3">{label}</dt>
          <dd className="text-16 font-semibold">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Inspections of the last 30 days by person. */
function Inspectors({ list }: { list: Tasks['figures']['inspectors'] }) {
  if (list.length === 0) return null;
  return (
    <section className="panel mt-4" aria-labelledby="inspectors">
      <div className="panel-head">
        <h2 id="inspectors">验号人</h2>
        <p>30 天</p>
      </div>
      <AdminTable columns={['姓名', { num: '验完' }, { num: '有差异' }, { num: '验号有误' }, { num: '平均用时' }]}>
        {list.map((s) => (
          <tr key={s.name}>
            <td>{s.name}</td>
            <td className="num" data-label="验完">
              {s.done}
            </td>
            <td className="num" data-label="有差异">
              {s.differs}
            </td>
            <td className="num" data-label="有误">
              {s.wrong}
            </td>
            <td className="num" data-label="平均">
              {s.minutes} 分钟
            </td>
          </tr>
        ))}
      </AdminTable>
    </section>
  );
}

/** Picks a listing without a request for inspection. */
function Pick() {
  const { form, busy, errors, submit } = useMutation(staffInspectionPick, {
    fields: ['goodsSn'],
    revalidates: true,
    done: () => toast('已邀请卖家提交账号', 'ok'),
  });
  return (
    <form
      ref={form}
      className="flex flex-wrap items-end gap-2 border-b border-line-soft px-4 py-3"
      noValidate
      onSubmit={submit((f) => ({ goodsSn: typed(f, 'goodsSn') }))}
    >
      <Field label="抽查商品编号" required error={errors.goodsSn ?? errors.send}>
        {(control) => <Input {...control} small name="goodsSn" maxLength={32} />}
      </Field>
      <Button size="sm" type="submit" busy={busy}>
        邀请验号
      </Button>
    </form>
  );
}

const DAY_SECONDS = 86_400;
const isOver = (status: string): boolean => status === 'done' || status === 'closed';

const ASKED: Readonly<Record<string, string>> = { seller: '卖家', staff: '平台', buyer: '买家复验' };

function Queue({ tasks, hrefOf }: { tasks: Tasks; hrefOf: (change: Record<string, string>) => string }) {
  if (tasks.list.length === 0) return <EmptyState title="这里没有验号">卖家申请验号后出现在这里。</EmptyState>;
  return (
    <AdminTable columns={['单号', '商品', '申请人', '状态', { num: '标价' }, '验号人', '时限', { num: '操作' }]}>
      {tasks.list.map((t) => (
        <tr key={t.taskId}>
          <td className="font-medium whitespace-nowrap">{t.taskId}</td>
          <td data-wide="">
            {t.title || `${t.gameName} ${t.goodsSn}`}
            {t.title !== '' && (
              <span className="block text-12 text-ink-3">
                {t.gameName} {t.goodsSn}
              </span>
            )}
          </td>
          <td className="whitespace-nowrap">
            {ASKED[t.askedBy]}
            {fenOf(t.fee) > 0 && <span className="block text-12 text-ink-3">¥{t.fee}</span>}
          </td>
          <td>
            <Tag
              {...(t.status === 'done' && t.differs === 0
                ? { tone: 'safe' as const }
                : t.status === 'closed' || t.status === 'waiting'
                  ? {}
                  : { tone: 'attn' as const })}
            >
              {t.statusName}
            </Tag>
          </td>
          <td className="num" data-label="标价">
            <Amount yuan={t.price} />
          </td>
          <td className="whitespace-nowrap" data-label="验号人">
            {t.inspector ?? '—'}
          </td>
          <td className="text-12 whitespace-nowrap text-ink-3" data-label="时限">
            {t.dueTime && !isOver(t.status) ? <DeadlineClock until={t.dueTime} limitSeconds={DAY_SECONDS} /> : '—'}
          </td>
          <td className="num">
            <ButtonLink size="sm" to={hrefOf({ task: String(t.taskId) })}>
              {t.status === 'queued' || (t.status === 'claimed' && t.isMine) ? '验号' : '查看'}
            </ButtonLink>
          </td>
        </tr>
      ))}
    </AdminTable>
  );
}

/** Staff's queue of inspections by state and game, one task, claims on readings, and statistics by person. */
export default function InspectionsPage() {
  const { tasks, task, wrong, status, gameId, page, canAct, canPay } = useLoaderData<typeof loader>();
  const hrefOf = (change: Record<string, string>): string => {
    const wanted = { status, game: gameId === null ? '' : String(gameId), ...change };
    const query = new URLSearchParams(Object.entries(wanted).filter(([, value]) => value !== ''));
    return query.size === 0 ? '/backstage/inspections' : `/backstage/inspections?${query}`;
  };
  // A claim that waits for a decision is not behind a page of finished tasks.
  const due = wrong?.list.filter((claim) => claim.status === 'open') ?? [];
  return (
    <>
      <div className="admin-head">
        <h1>验号</h1>
        <p>逐项读取，与卖家填写比对</p>
      </div>
      {task && <TaskPanel key={`${task.taskId}${task.status}`} task={task} canAct={canAct} />}
      {due.length > 0 && <WrongList title="待处理的验号理赔" list={due} canPay={canPay} className="mb-4" />}
      <section className="panel" aria-label="验号任务">
        <Figures figures={tasks.figures} />
        <LinkTabs
          label="状态"
          items={STATES.map(([key, label]) => ({
            key,
            label,
            to: hrefOf({ status: key }),
            isCurrent: key === status,
            count: key === '' || key === 'closed' || key === 'done' ? undefined : tasks.counts[key],
          }))}
        />
        {tasks.games.length > 1 && (
          <p className="flex flex-wrap gap-2 border-b border-line-soft px-4 py-2.5 text-13">
            <ButtonLink size="sm" kind={gameId === null ? 'tonal' : 'plain'} to={hrefOf({ game: '' })}>
              全部游戏
            </ButtonLink>
            {tasks.games.map((g) => (
              <ButtonLink
                key={g.gameId}
                size="sm"
                kind={gameId === g.gameId ? 'tonal' : 'plain'}
                to={hrefOf({ game: String(g.gameId) })}
              >
                {g.name} {g.open}
              </ButtonLink>
            ))}
          </p>
        )}
        {canAct && <Pick />}
        <Queue tasks={tasks} hrefOf={(change) => hrefOf({ page: page === 1 ? '' : String(page), ...change })} />
        <Pagination
          page={page}
          pages={Math.ceil(tasks.total / PAGE)}
          hrefOf={(to) => hrefOf({ page: to === 1 ? '' : String(to) })}
        />
      </section>
      {wrong && (
        <WrongList list={wrong.list.filter((claim) => !due.includes(claim))} canPay={canPay} className="mt-4" />
      )}
      <Inspectors list={tasks.figures.inspectors} />
    </>
  );
}
