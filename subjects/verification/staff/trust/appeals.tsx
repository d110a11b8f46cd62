import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { decideAppeal, type StaffAppeal, staffAppealList } from '#subjects/verification/contract/staff-trust.ts';
import type { Data } from '#contract/endpoint.ts';
import { call } from '#web/lib/api/api.ts';
import { ListEnd } from '#web/ui/lists/list-end.tsx';
import { useCursorList } from '#web/lib/lists/use-cursor-list.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { AdminTable } from '#subjects/back-office/staff/parts/admin-table.tsx';
import { ReasonDialog } from '#subjects/back-office/staff/parts/dialogs/reason-dialog.tsx';
import { At } from '#subjects/back-office/staff/list/at.tsx';
import { Evidence } from './cells.tsx';

type Decision = 'grant' | 'refuse';

function Row({ item, may, onDecide }: { item: StaffAppeal; may: boolean; onDecide: (decision: Decision) => void }) {
  return (
    <tr>
      <td data-wide="" className="max-w-90">
        <b className="font-medium">{item.title}</b>
        <p className="mt-1 text-13 text-ink-2">{item.publicText}</p>
      </td>
      <td data-wide="" className="max-w-90">
        <p className="text-13 whitespace-pre-wrap">{item.content}</p>
        <span className="text-12 text-ink-3">{item.appellant}</span>
      </td>
      <td>
        <Evidence pictures={item.pictures} />
      </td>
      <td>
        <At time={item.createTime} label="提交" />
        <span className="block">
          <At time={item.answerByTime} label="前答复" />
        </span>
      </td>
      <td className="num">
        {may && !item.isMine && (
          <span className="inline-flex gap-1.5">
            <Button size="sm" kind="tonal" onClick={() => onDecide('grant')}>
              申诉成立
            </Button>
            <Button size="sm" onClick={() => onDecide('refuse')}>
              不成立
            </Button>
          </span>
        )}
        {!may && <span className="text-12 text-ink-3">由审核人员处理</span>}
        {may && item.isMine && <span className="text-12 text-ink-3">由您列入，需另一位同事处理</span>}
      </td>
    </tr>
  );
}

/** Pending appeals; each is decided by a person other than the one who listed the entry. */
export function Appeals({ first, may }: { first: Data<typeof staffAppealList>; may: boolean }) {
  const { revalidate } = useRevalidator();
  const [chosen, setChosen] = useState<{ item: StaffAppeal; decision: Decision } | null>(null);
  const { items, next, busy, error, more } = useCursorList(
    first,
    (cursor) => call(staffAppealList, { cursor, pageSize: 30 }, { quiet: true }),
    ({ appealId }) => appealId,
  );
  const isGrant = chosen?.decision === 'grant';
  return (
    <section className="panel overflow-hidden" aria-label="申诉">
      {items.length === 0 ? (
        <EmptyState title="没有待处理的申诉">申诉由另一位同事处理，3 天内答复。</EmptyState>
      ) : (
        <>
          <AdminTable columns={['公示内容', '申诉理由', '凭证', '时间', { num: '操作' }]}>
            {items.map((item) => (
              <Row key={item.appealId} item={item} may={may} onDecide={(decision) => setChosen({ item, decision })} />
            ))}
          </AdminTable>
          <ListEnd next={next} busy={busy} error={error} onMore={more} />
        </>
      )}
      {chosen && (
        <ReasonDialog
          title={isGrant ? '申诉成立' : '申诉不成立'}
          action="提交"
          question={isGrant ? '将移出黑号名单，申诉人会看到答复。' : '维持名单，申诉人会看到答复。'}
          reasonLabel="答复"
          isReasonNeeded
          danger={!isGrant}
          send={async (reply) => {
            await call(
              decideAppeal,
              { appealId: chosen.item.appealId, act: chosen.decision, answer: reply },
              { quiet: true },
            );
            toast('已答复', 'ok');
          }}
          onDone={() => {
            setChosen(null);
            void revalidate();
          }}
          onClose={() => setChosen(null)}
        />
      )}
    </section>
  );
}
