import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { decideFake, type StaffFake, staffFakeList } from '#subjects/verification/contract/staff-trust.ts';
import type { Data } from '#contract/endpoint.ts';
import { call } from '#web/lib/api/api.ts';
import { ListEnd } from '#web/ui/lists/list-end.tsx';
import { useCursorList } from '#web/lib/lists/use-cursor-list.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { AdminTable } from '#subjects/back-office/staff/parts/admin-table.tsx';
import { ReasonDialog } from '#subjects/back-office/staff/parts/dialogs/reason-dialog.tsx';
import { At } from '#subjects/back-office/staff/list/at.tsx';
import { Evidence } from './cells.tsx';

type FakeAction = 'list' | 'reject';

function Row({ item, onAction }: { item: StaffFake; onAction: (action: FakeAction) => void }) {
  return (
    <tr>
      <td className="whitespace-nowrap">
        <span className="text-12 text-ink-3">{item.kindName}</span>
        <b className="block font-medium">{item.value}</b>
        {item.sameCount > 1 && <Tag tone="danger">{item.sameCount} 人举报</Tag>}
      </td>
      <td data-wide="" className="max-w-110">
        <p className="text-13 whitespace-pre-wrap">{item.content}</p>
      </td>
      <td>
        <Evidence pictures={item.pictures} />
      </td>
      <td className="text-13">
        {item.reporter ?? '访客'}
        {item.contact && <span className="block text-12 text-ink-3">{item.contact}</span>}
        <span className="block">
          <At time={item.createTime} />
        </span>
      </td>
      <td className="num">
        <span className="inline-flex gap-1.5">
          {item.kind !== 'link' && (
            <Button size="sm" kind="tonal" onClick={() => onAction('list')}>
              列入名单
            </Button>
          )}
          <Button size="sm" onClick={() => onAction('reject')}>
            归档
          </Button>
        </span>
      </td>
    </tr>
  );
}

/** Reports of fake customer service; one decision closes all reports of the same number. */
export function Fakes({ first }: { first: Data<typeof staffFakeList> }) {
  const { revalidate } = useRevalidator();
  const [chosen, setChosen] = useState<{ item: StaffFake; action: FakeAction } | null>(null);
  const { items, next, busy, error, more } = useCursorList(
    first,
    (cursor) => call(staffFakeList, { cursor, pageSize: 30 }, { quiet: true }),
    ({ reportId }) => reportId,
  );
  const isList = chosen?.action === 'list';
  return (
    <section className="panel overflow-hidden" aria-label="假客服举报">
      {items.length === 0 ? (
        <EmptyState title="没有待处理的举报">来自客服验真页，访客也可以举报。</EmptyState>
      ) : (
        <>
          <AdminTable columns={['账号', '经过', '凭证', '举报人', { num: '操作' }]}>
            {items.map((item) => (
              <Row key={item.reportId} item={item} onAction={(action) => setChosen({ item, action })} />
            ))}
          </AdminTable>
          <ListEnd next={next} busy={busy} error={error} onMore={more} />
        </>
      )}
      {chosen && (
        <ReasonDialog
          title={isList ? '列入黑号名单' : '归档举报'}
          action={isList ? '列入名单' : '归档'}
          question="同一账号的其他举报会一并处理。"
          reasonLabel={isList ? '公示内容' : '原因'}
          reasons={isList ? ['冒充本站客服，引导站外转账', '冒充本站客服，索要验证码'] : ['与本站无关', '无法核实']}
          isReasonNeeded
          send={async (note) => {
            await call(
              decideFake,
              {
                reportId: chosen.item.reportId,
                act: chosen.action,
                ...(isList ? { publicText: note } : { note }),
              },
              { quiet: true },
            );
            toast(isList ? '已列入名单' : '已归档', 'ok');
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
