import { useId, useState } from 'react';
import { useRevalidator } from 'react-router';
import type { Data } from '#contract/endpoint.ts';
import {
  staffWrongDecide,
  staffWrongSecond,
  type staffWrongReadings,
} from '#subjects/inspections/contract/inspection.ts';
import { call } from '#web/lib/api/api.ts';
import { ProofPictures } from '#web/parts/readings-table.tsx';
import { Button } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Amount } from '#web/ui/price.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { AdminTable } from '#subjects/back-office/staff/parts/admin-table.tsx';
import { PageLink } from '#subjects/back-office/staff/parts/page-link.tsx';
import { ReasonDialog } from '#subjects/back-office/staff/parts/dialogs/reason-dialog.tsx';

type Claim = Data<typeof staffWrongReadings>['list'][number];
type Action = 'pay' | 'refuse' | 'allow' | 'back';

const TITLES: Readonly<Record<Action, string>> = {
  pay: '提议赔付',
  refuse: '驳回',
  allow: '同意赔付',
  back: '退回提议',
};
const REASONS: Readonly<Record<Action, readonly string[]>> = {
  pay: ['截图与验号结果不符，验号有误'],
  refuse: ['验号截图与验号结果一致，之后变动请走申诉', '截图看不出差异'],
  allow: ['已对照两边截图'],
  back: ['还需核对截图'],
};

function Actions({ claim }: { claim: Claim }) {
  const { revalidate } = useRevalidator();
  const [action, setAction] = useState<Action | null>(null);
  const { draft } = claim;
  if (claim.status !== 'open') return <span className="text-12 text-ink-3">{claim.note}</span>;
  if (!claim.mayDecide) return <span className="text-12 text-ink-3">您是验号人，由同事处理</span>;
  if (draft?.isMine) return <span className="text-12 text-ink-3">等另一位同事复核</span>;
  const actions: readonly Action[] = draft ? ['back', 'allow'] : ['refuse', 'pay'];
  return (
    <span className="flex flex-wrap justify-end gap-2">
      {draft && (
        <span className="w-full text-12 text-attn">
          {draft.by}提议赔付：{draft.reason}
        </span>
      )}
      {actions.map((a) => (
        <Button
          key={a}
          size="sm"
          kind={a === 'pay' || a === 'allow' ? 'primary' : 'plain'}
          onClick={() => setAction(a)}
        >
          {TITLES[a]}
        </Button>
      ))}
      {action && (
        <ReasonDialog
          title={TITLES[action]}
          action={TITLES[action]}
          question={
            action === 'pay' || action === 'allow'
              ? `包赔基金赔付买家 ¥${claim.amount}，同额记为卖家欠款；须两位同事，验号人除外。`
              : '说明会给买家看。'
          }
          reasons={REASONS[action]}
          reasonLabel="依据"
          isReasonNeeded
          send={async (note, options) =>
            draft
              ? await call(
                  staffWrongSecond,
                  { claimId: claim.claimId, draftId: draft.draftId, allow: action === 'allow', note },
                  options,
                )
              : await call(staffWrongDecide, { claimId: claim.claimId, pay: action === 'pay', note }, options)
          }
          onDone={() => {
            setAction(null);
            toast(action === 'pay' ? '已提交，等另一位同事复核' : '已处理', 'ok');
            void revalidate();
          }}
          onClose={() => setAction(null)}
        />
      )}
    </span>
  );
}

/** Claims of buyers on readings, with the pictures of both parties. */
export function WrongList({
  list,
  canPay,
  title = '验号理赔',
  className,
}: {
  list: readonly Claim[];
  canPay: boolean;
  title?: string;
  className: string;
}) {
  const id = useId();
  return (
    <section className={cx('panel', className)} aria-labelledby={id}>
      <div className="panel-head">
        <h2 id={id}>{title}</h2>
        <p>比例与最低数在交易设置里，两人决定</p>
      </div>
      {list.length === 0 ? (
        <EmptyState title="没有验号理赔">买家认为验号结果有误时出现在这里。</EmptyState>
      ) : (
        <AdminTable columns={['订单', '验号项', '截图', { num: '赔付' }, '状态', { num: '操作' }]}>
          {list.map((k) => (
            <tr key={k.claimId}>
              <td data-wide="">
                <PageLink to={`/backstage/orders/${k.orderSn}`}>{k.orderSn}</PageLink>
                <span className="block text-12 text-ink-3">{k.title}</span>
              </td>
              <td data-wide="">
                {k.label}：验号为 {k.reading}
                <span className="block text-12 text-ink-3">
                  卖家 {k.said || '没有填写'}，买家看到 {k.found}，验号人 {k.inspector}
                </span>
              </td>
              <td data-wide="">
                <ProofPictures pictures={k.proof} label="验号截图" />
                <ProofPictures pictures={k.pictures} label="买家截图" />
              </td>
              <td className="num" data-label="赔付">
                <Amount yuan={k.amount} />
              </td>
              <td>
                <Tag {...(k.status === 'open' ? { tone: 'attn' as const } : {})}>{k.statusName}</Tag>
              </td>
              <td className="num">{canPay && <Actions claim={k} />}</td>
            </tr>
          ))}
        </AdminTable>
      )}
    </section>
  );
}
