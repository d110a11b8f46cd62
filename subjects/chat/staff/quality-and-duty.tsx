import { SwitchStatus } from '#contract/rules/statuses.ts';
import { useState } from 'react';
import { type LoaderFunctionArgs, useLoaderData, useRevalidator } from 'react-router';
import {
  type AssignmentRule,
  saveRule,
  saveShift,
  serviceSetup,
  serviceStats,
} from '#subjects/chat/contract/im-support.ts';
import { orderTypeName } from '#subjects/orders/rules/order-types.ts';
import { call } from '#web/lib/api/api.ts';
import { grouped } from '#web/lib/format/format.ts';
import { market } from '#web/lib/pages/context.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { fullAt, shortAt } from '#web/lib/format/times.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { LoadForm } from './support/forms/load-form.tsx';
import { Ratings, StatsTable } from './support/quality.tsx';
import { RuleDialog } from './support/rule-dialog.tsx';
import { ShiftDialog } from './support/shift-dialog.tsx';
import { AdminTable } from '#subjects/back-office/staff/parts/admin-table.tsx';
import { ReasonDialog } from '#subjects/back-office/staff/parts/dialogs/reason-dialog.tsx';
import { StatusTabs } from '#subjects/back-office/staff/parts/status-tabs.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '客服管理', noindex: true });
}

const DAYS = [1, 7, 30] as const;

export async function loader(args: LoaderFunctionArgs) {
  const { call: request } = market(args);
  const days = DAYS.find((n) => String(n) === args.url.searchParams.get('days')) ?? 7;
  const [stats, setup] = await Promise.all([request(serviceStats, { days }), request(serviceSetup, {})]);
  return { stats, setup };
}

type Setup = Awaited<ReturnType<typeof loader>>['setup'];

function rangeText(rule: AssignmentRule): string {
  const min = Number(rule.minPrice);
  if (rule.maxPrice === null) return min > 0 ? `${grouped(min)} 元起` : '不限';
  return `${grouped(min)} 至 ${grouped(Number(rule.maxPrice))} 元`;
}

/** Routing rules: which agents take which orders. The first match applies. */
function Rules({ setup }: { setup: Setup }) {
  const { revalidate } = useRevalidator();
  const [edited, setEdited] = useState<AssignmentRule | 'new' | null>(null);
  const [removed, setRemoved] = useState<AssignmentRule | null>(null);
  const done = () => {
    setEdited(null);
    setRemoved(null);
    void revalidate();
  };
  const names = new Map(setup.staff.map((one) => [one.staffId, one.name]));
  const games = new Map(setup.games.map((game) => [game.id, game.name]));
  return (
    <section className="panel mt-4 overflow-hidden" aria-label="分配规则">
      <div className="flex items-center px-3 py-2">
        <h2 className="flex-none text-14 font-semibold">分配规则</h2>
        <p className="mx-3 text-12 text-ink-3">按顺序取第一条符合的；排队两分钟后不再限制</p>
        <Button size="sm" className="ml-auto flex-none" onClick={() => setEdited('new')}>
          新建规则
        </Button>
      </div>
      {setup.rules.length === 0 ? (
        <EmptyState title="没有规则">没有规则时，新会话分给当班客服里接待最少的一位。</EmptyState>
      ) : (
        <AdminTable columns={['规则', '游戏', '订单类型', '金额', '客服', { num: '操作' }]}>
          {setup.rules.map((rule) => (
            <tr key={rule.id}>
              <td>
                {rule.sort}. {rule.name}
              </td>
              <td data-label="游戏">{rule.gameId === null ? '全部' : (games.get(rule.gameId) ?? '')}</td>
              <td data-label="类型">
                {rule.orderTypes.length === 0 ? '全部' : rule.orderTypes.map((type) => orderTypeName(type)).join('、')}
              </td>
              <td data-label="金额">{rangeText(rule)}</td>
              <td data-label="客服">
                {rule.staffIds.length === 0
                  ? '全部客服'
                  : rule.staffIds.map((id) => names.get(id) ?? '已离职').join('、')}
              </td>
              <td className="num">
                <Button size="sm" onClick={() => setEdited(rule)}>
                  修改
                </Button>{' '}
                <Button size="sm" kind="ghost" onClick={() => setRemoved(rule)}>
                  删除
                </Button>
              </td>
            </tr>
          ))}
        </AdminTable>
      )}
      {edited && (
        <RuleDialog
          rule={edited === 'new' ? null : edited}
          setup={setup}
          onClose={() => setEdited(null)}
          onDone={done}
        />
      )}
      {removed && (
        <ReasonDialog
          title="删除规则"
          action="删除"
          danger
          question={`删除规则「${removed.name}」，之后的新会话按其余规则分配。`}
          send={(_, options) =>
            call(saveRule, { id: removed.id, name: removed.name, status: SwitchStatus.Off }, options)
          }
          onDone={done}
          onClose={() => setRemoved(null)}
        />
      )}
    </section>
  );
}

/** Shifts. On a day with a shift an agent counts as working only within it. */
function Shifts({ setup }: { setup: Setup }) {
  const { revalidate } = useRevalidator();
  const [adding, setAdding] = useState(false);
  const names = new Map(setup.staff.map((one) => [one.staffId, one.name]));
  const [removed, setRemoved] = useState<Setup['shifts'][number] | null>(null);
  return (
    <section className="panel mt-4 overflow-hidden" aria-label="班次">
      <div className="flex items-center px-3 py-2">
        <h2 className="flex-none text-14 font-semibold">班次</h2>
        <p className="mx-3 text-12 text-ink-3">当天有班次的客服只在班次内接新会话，没有班次的看当班开关</p>
        <Button size="sm" className="ml-auto flex-none" onClick={() => setAdding(true)}>
          新建班次
        </Button>
      </div>
      {setup.shifts.length === 0 ? (
        <EmptyState title="没有班次">所有当班客服全天可以接待。</EmptyState>
      ) : (
        <AdminTable columns={['客服', '开始', '结束', { num: '操作' }]}>
          {setup.shifts.map((shift) => (
            <tr key={shift.id}>
              <td>{names.get(shift.staffId)}</td>
              <td data-label="开始" title={fullAt(shift.startsAt)}>
                {shortAt(shift.startsAt)}
              </td>
              <td data-label="结束" title={fullAt(shift.endsAt)}>
                {shortAt(shift.endsAt)}
              </td>
              <td className="num">
                <Button size="sm" kind="ghost" onClick={() => setRemoved(shift)}>
                  删除
                </Button>
              </td>
            </tr>
          ))}
        </AdminTable>
      )}
      {removed && (
        <ReasonDialog
          title="删除班次"
          action="删除"
          danger
          question={`删除${names.get(removed.staffId) ?? '已离职客服'} ${shortAt(removed.startsAt)} 至 ${shortAt(removed.endsAt)} 的班次。`}
          send={(_, options) => call(saveShift, { id: removed.id, staffId: removed.staffId }, options)}
          onDone={() => {
            setRemoved(null);
            void revalidate();
          }}
          onClose={() => setRemoved(null)}
        />
      )}
      {adding && (
        <ShiftDialog
          staff={setup.staff}
          onClose={() => setAdding(false)}
          onDone={() => {
            setAdding(false);
            void revalidate();
          }}
        />
      )}
    </section>
  );
}

/** Supervision of customer service: the agents' figures, users' ratings, and routing rules. */
export default function ServicePage() {
  const { stats, setup } = useLoaderData<typeof loader>();
  return (
    <>
      <div className="admin-head">
        <h1>客服管理</h1>
        <p>质量分 100 分：评分 50，首次回复 30（1 分钟内满分，10 分钟起为 0），解决率 20；少于 5 单不计</p>
      </div>
      <section className="panel overflow-hidden" aria-label="客服质检">
        <StatusTabs
          name="days"
          label="时间"
          items={[
            { key: '7', text: '近 7 日' },
            { key: '1', text: '近 24 小时' },
            { key: '30', text: '近 30 日' },
          ]}
        />
        <StatsTable list={stats.list} />
      </section>
      <Rules setup={setup} />
      <Shifts setup={setup} />
      <LoadForm staff={setup.staff} />
      <Ratings ratings={stats.ratings} />
    </>
  );
}
