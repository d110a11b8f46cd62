import { useState } from 'react';
import { useRevalidator } from 'react-router';
import {
  differenceList,
  recheckDifference,
  resolveDifference,
  type StaffDifference,
} from '#subjects/payments/contract/staff-reconcile.ts';
import type { Data, Input } from '#contract/endpoint.ts';
import { call } from '#web/lib/api/api.ts';
import { ListEnd } from '#web/ui/lists/list-end.tsx';
import { fullAt } from '#web/lib/format/times.ts';
import { useCursorList } from '#web/lib/lists/use-cursor-list.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { Amount } from '#web/ui/price.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { AdminTable } from '#subjects/back-office/staff/parts/admin-table.tsx';
import { FormError } from '#web/ui/forms/field.tsx';
import { PageLink } from '#subjects/back-office/staff/parts/page-link.tsx';
import { ReasonDialog } from '#subjects/back-office/staff/parts/dialogs/reason-dialog.tsx';

const OLD_HOURS = 48;

/** 5 小时, 3 天 */
const ageText = (hours: number): string =>
  hours < 1 ? '不到 1 小时' : hours < 48 ? `${hours} 小时` : `${Math.floor(hours / 24)} 天`;

function Age({ d }: { d: StaffDifference }) {
  if (!d.isOpen)
    return (
      <span className="text-12 text-ink-3">
        {d.resolvedBy} {d.resolveTime && fullAt(d.resolveTime)}
        <span className="block text-ink-2">{d.note}</span>
      </span>
    );
  return (
    <time
      dateTime={d.openTime}
      title={fullAt(d.openTime)}
      className={d.ageHours >= OLD_HOURS ? 'text-danger' : 'text-ink-2'}
    >
      {ageText(d.ageHours)}
    </time>
  );
}

function Row({ d, canAct, onResolve }: { d: StaffDifference; canAct: boolean; onResolve: () => void }) {
  const recheck = useMutation(recheckDifference, { done: () => toast('已向渠道查询，结果稍后更新', 'ok') });
  return (
    <tr>
      <td data-wide="">
        <Tag tone={d.side === 'ours' || d.side === 'theirs' ? 'attn' : 'danger'}>{d.sideName}</Tag>
        <span className="block text-12 text-ink-3">{d.reason}</span>
      </td>
      <td className="whitespace-nowrap">
        {d.day}
        <span className="block text-12 text-ink-3">
          {d.channelName} {d.kindName}
        </span>
      </td>
      <td>
        {d.number === '' ? (
          <span className="text-ink-3">账单未写编号</span>
        ) : (
          <CopyButton text={d.number} label="编号" />
        )}
        <span className="block text-12 leading-6 text-ink-3">
          {d.orderSn && (
            <PageLink to={`/backstage/orders/${d.orderSn}`} className="hit mr-2">
              查看订单
            </PageLink>
          )}
          {d.userId && (
            <PageLink to={`/backstage/users/${d.userId}`} className="hit">
              {d.userName ?? `用户 ${d.userId}`}
            </PageLink>
          )}
        </span>
      </td>
      <td className="num" data-label="渠道">
        {d.theirs === null ? <span className="text-ink-3">无</span> : <Amount yuan={d.theirs} />}
      </td>
      <td className="num" data-label="我方">
        {d.ours === null ? <span className="text-ink-3">无</span> : <Amount yuan={d.ours} />}
      </td>
      <td>
        <Age d={d} />
      </td>
      {canAct && d.isOpen && (
        <td className="num">
          <span className="inline-flex gap-1.5">
            {d.canRecheck && (
              <Button size="sm" busy={recheck.busy} onClick={() => void recheck.send({ differenceId: d.differenceId })}>
                重新查询
              </Button>
            )}
            <Button size="sm" onClick={onResolve}>
              处理
            </Button>
          </span>
          <FormError className="row-error">{recheck.error}</FormError>
        </td>
      )}
    </tr>
  );
}

/** Differences with their age; one is closed by writing an explanation. */
export function Differences({
  first,
  query,
  canAct,
}: {
  first: Data<typeof differenceList>;
  query: Input<typeof differenceList>;
  canAct: boolean;
}) {
  const { revalidate } = useRevalidator();
  const [chosen, setChosen] = useState<StaffDifference | null>(null);
  const { items, next, busy, error, more } = useCursorList(
    first,
    (cursor) => call(differenceList, { ...query, cursor }, { quiet: true }),
    ({ differenceId }) => differenceId,
  );
  const isOpen = query.state !== 'resolved';
  const columns = ['差异', '账单', '编号', { num: '渠道金额' }, { num: '我方金额' }, isOpen ? '已等待' : '处理结果'];
  return (
    <section className="panel overflow-hidden" aria-label="对账差异">
      {items.length === 0 ? (
        <EmptyState title={isOpen ? '没有待处理的差异' : '还没有处理过的差异'}>
          {isOpen
            ? '已导入的账单和账目一致。每天导入渠道账单后，对不上的会在这里列出。'
            : '差异处理后，说明会保留在这里。'}
        </EmptyState>
      ) : (
        <>
          <AdminTable columns={canAct && isOpen ? [...columns, { num: '操作' }] : columns}>
            {items.map((d) => (
              <Row key={d.differenceId} d={d} canAct={canAct} onResolve={() => setChosen(d)} />
            ))}
          </AdminTable>
          <ListEnd next={next} busy={busy} error={error} onMore={more} />
        </>
      )}
      {chosen && (
        <ReasonDialog
          title="处理差异"
          action="确认处理"
          question={
            <>
              {chosen.day} {chosen.channelName}
              {chosen.kindName}，{chosen.sideName}
              {chosen.theirs !== null && (
                <>
                  ，渠道 <Amount yuan={chosen.theirs} className="font-semibold" />
                </>
              )}
              {chosen.ours !== null && (
                <>
                  ，我方 <Amount yuan={chosen.ours} className="font-semibold" />
                </>
              )}
              。处理只记录说明，不会改动账目。
            </>
          }
          reasonLabel="处理说明"
          reasons={['跨日入账，次日账单已有', '已与渠道客服核实', '已线下退回付款人']}
          isReasonNeeded
          send={(note) => call(resolveDifference, { differenceId: chosen.differenceId, note }, { quiet: true })}
          onDone={() => {
            setChosen(null);
            toast('已处理', 'ok');
            void revalidate();
          }}
          onClose={() => setChosen(null)}
        />
      )}
    </section>
  );
}
