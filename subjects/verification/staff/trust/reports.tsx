import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { decideBlack, type StaffBlack, staffBlackList } from '#subjects/verification/contract/staff-trust.ts';
import type { Data, Input } from '#contract/endpoint.ts';
import { type BlackStatus, blackStatusNames } from '../../rules/black.ts';
import { call } from '#web/lib/api/api.ts';
import { ListEnd } from '#web/ui/lists/list-end.tsx';
import { useCursorList } from '#web/lib/lists/use-cursor-list.ts';
import { Button } from '#web/ui/button.tsx';
import { Amount } from '#web/ui/price.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { FilterBar, FilterKeyword } from '#subjects/back-office/staff/parts/filter-bar.tsx';
import { AdminTable } from '#subjects/back-office/staff/parts/admin-table.tsx';
import { PageLink } from '#subjects/back-office/staff/parts/page-link.tsx';
import { ReasonDialog } from '#subjects/back-office/staff/parts/dialogs/reason-dialog.tsx';
import { StatusTabs } from '#subjects/back-office/staff/parts/status-tabs.tsx';
import { At } from '#subjects/back-office/staff/list/at.tsx';
import { Evidence } from './cells.tsx';
import { EntryDialog } from './entry-dialog.tsx';

type Page = Data<typeof staffBlackList>;
type ReportAction = 'list' | 'reject' | 'remove';

const STATUS_TABS: readonly BlackStatus[] = ['reviewing', 'listed', 'rejected', 'removed', 'expired'];
const REJECT_REASONS = ['凭证看不出与账号的关系', '属于议价或售后分歧，请走订单申诉', '重复举报'];

function Row({ item, may, onAction }: { item: StaffBlack; may: boolean; onAction: (action: ReportAction) => void }) {
  return (
    <tr>
      <td data-wide="" className="max-w-100">
        <Tag tone={item.status === 'listed' ? 'danger' : 'attn'}>{item.reasonName}</Tag>
        <b className="ml-1.5 font-medium">{item.title}</b>
        <p className="mt-1 text-13 whitespace-pre-wrap text-ink-2">{item.publicText || item.content}</p>
        {item.note && <p className="mt-1 text-12 text-attn">说明：{item.note}</p>}
      </td>
      <td>
        {item.accounts.map(({ kindName, mask }) => (
          <span key={`${kindName}${mask}`} className="block text-13 whitespace-nowrap">
            <span className="text-ink-3">{kindName}</span> {mask}
          </span>
        ))}
        {item.amount && (
          <span className="block text-12 text-ink-3">
            涉及 <Amount yuan={item.amount} />
          </span>
        )}
      </td>
      <td>
        <Evidence pictures={item.pictures} />
      </td>
      <td className="text-13">
        {item.reporter}
        {item.orderSn && (
          <PageLink to={`/backstage/orders/${item.orderSn}`} className="block text-12">
            {item.orderSn}
          </PageLink>
        )}
        <span className="block">
          <At time={item.createTime} />
        </span>
        {item.reviewer && <span className="block text-12 text-ink-3">{item.reviewer} 处理</span>}
      </td>
      <td className="num">
        {may && item.status === 'reviewing' && (
          <span className="inline-flex gap-1.5">
            <Button size="sm" kind="tonal" onClick={() => onAction('list')}>
              列入名单
            </Button>
            <Button size="sm" onClick={() => onAction('reject')}>
              不通过
            </Button>
          </span>
        )}
        {!may && item.status === 'reviewing' && <span className="text-12 text-ink-3">由审核人员处理</span>}
        {may && item.status === 'listed' && (
          <Button size="sm" onClick={() => onAction('remove')}>
            移出名单
          </Button>
        )}
      </td>
    </tr>
  );
}

const ACTION_TEXT = {
  list: { title: '列入黑号名单', act: '列入名单', label: '公示内容', done: '已列入名单' },
  reject: { title: '举报不通过', act: '不通过', label: '原因', done: '已处理' },
  remove: { title: '移出黑号名单', act: '移出名单', label: '原因', done: '已移出名单' },
} as const;

const QUESTIONS = {
  list: '公示内容任何人可见：只写核实的事实，不写姓名、完整账号。公示 2 年后自动移出。',
  reject: '举报人会看到原因。',
  remove: '移出后不再查到；经过会记录移出。',
} as const;

function Decision({
  item,
  action,
  onDone,
  onClose,
}: {
  item: StaffBlack;
  action: ReportAction;
  onDone: () => void;
  onClose: () => void;
}) {
  const { title, act: actionLabel, label, done } = ACTION_TEXT[action];
  return (
    <ReasonDialog
      title={title}
      action={actionLabel}
      question={
        <>
          <b className="font-semibold">{item.title}</b>
          <br />
          {QUESTIONS[action]}
        </>
      }
      reasonLabel={label}
      reasons={action === 'reject' ? REJECT_REASONS : action === 'list' ? [item.content.slice(0, 200)] : []}
      isReasonNeeded
      danger={action !== 'list'}
      send={async (text) => {
        await call(
          decideBlack,
          { blackSn: item.blackSn, act: action, ...(action === 'list' ? { publicText: text } : { note: text }) },
          { quiet: true },
        );
        toast(done, 'ok');
      }}
      onDone={onDone}
      onClose={onClose}
    />
  );
}

/** Reports of bad accounts by state, and the listed entries. */
export function Reports({ first, query, may }: { first: Page; query: Input<typeof staffBlackList>; may: boolean }) {
  const { revalidate } = useRevalidator();
  const [isAdding, setIsAdding] = useState(false);
  const [chosen, setChosen] = useState<{ item: StaffBlack; action: ReportAction } | null>(null);
  const { items, next, busy, error, more } = useCursorList(
    first,
    (cursor) => call(staffBlackList, { ...query, cursor }, { quiet: true }),
    ({ blackSn }) => blackSn,
  );
  return (
    <section className="panel overflow-hidden" aria-label="黑号举报">
      <div className="flex flex-wrap items-center gap-3 border-b border-line-soft pr-3">
        <StatusTabs
          name="status"
          label="状态"
          items={STATUS_TABS.map((key) => ({ key, text: blackStatusNames[key], count: first.counts[key] }))}
        />
        <div className="ml-auto flex flex-wrap items-center gap-2 max-md:ml-3 max-md:pb-2">
          {may && (
            <Button size="sm" kind="tonal" onClick={() => setIsAdding(true)}>
              登记黑号
            </Button>
          )}
          <FilterBar names={['keyWord']} preserve={['tab', 'status']}>
            <FilterKeyword placeholder="标题、编号或完整账号" />
          </FilterBar>
        </div>
      </div>
      {items.length === 0 ? (
        <EmptyState title="没有记录">举报按提交先后排队，处理后会通知举报人。</EmptyState>
      ) : (
        <>
          <AdminTable columns={['举报', '对方账号', '凭证', '举报人', { num: '操作' }]}>
            {items.map((item) => (
              <Row key={item.blackSn} item={item} may={may} onAction={(action) => setChosen({ item, action })} />
            ))}
          </AdminTable>
          <ListEnd next={next} busy={busy} error={error} onMore={more} />
        </>
      )}
      {isAdding && (
        <EntryDialog
          onDone={() => {
            setIsAdding(false);
            void revalidate();
          }}
          onClose={() => setIsAdding(false)}
        />
      )}
      {chosen && (
        <Decision
          {...chosen}
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
