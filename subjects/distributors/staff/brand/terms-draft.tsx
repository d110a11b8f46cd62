import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { type brandTermsDraft, decideBrandTerms } from '#subjects/distributors/contract/staff-brands.ts';
import type { Data } from '#contract/endpoint.ts';
import { rateText } from '#contract/rules/fee.ts';
import { call } from '#web/lib/api/api.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { Button } from '#web/ui/button.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { ReasonDialog } from '#subjects/back-office/staff/parts/dialogs/reason-dialog.tsx';

export type TermsDraft = NonNullable<Data<typeof brandTermsDraft>['draft']>;

const ACTIONS = { approve: '通过', reject: '退回', withdraw: '撤回' } as const;

/** Rates that await a second approval, with the decision buttons for a colleague, and the withdrawal for their author. */
export function TermsDraftPanel({ distId, draft }: { distId: number; draft: TermsDraft }) {
  const [action, setAction] = useState<keyof typeof ACTIONS | null>(null);
  const { revalidate } = useRevalidator();
  return (
    <div className="panel grid gap-2 p-3 text-13">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Tag tone="attn">待复核</Tag>
        <b className="font-medium">
          加价 {rateText(draft.markUpBp)}，佣金 {rateText(draft.commissionBp)}
        </b>
        <span>{draft.startTime === null ? '复核通过后生效' : `从 ${fullAt(draft.startTime)} 起`}</span>
        <span className="text-ink-3">
          {draft.staffName}，{draft.reason}
        </span>
      </p>
      {draft.isMine ? (
        <p className="flex flex-wrap items-center gap-2 text-ink-3">
          已提交，由另一位同事复核后生效；现在的费率保持不变。
          <Button size="sm" onClick={() => setAction('withdraw')}>
            撤回
          </Button>
        </p>
      ) : (
        <div className="flex gap-2">
          <Button onClick={() => setAction('approve')}>通过</Button>
          <Button kind="ghost" onClick={() => setAction('reject')}>
            退回
          </Button>
        </div>
      )}
      {action && (
        <ReasonDialog
          title={`${ACTIONS[action]}新费率`}
          action={ACTIONS[action]}
          danger={action !== 'approve'}
          question={action === 'approve' ? '通过后按所写的时间生效，已下的订单不变。' : '现在的费率保持不变。'}
          reasonLabel="原因"
          isReasonNeeded
          send={async (reason, options) => {
            await call(decideBrandTerms, { distId, draftId: draft.draftId, act: action, reason }, options);
            toast('已处理', 'ok');
          }}
          onDone={() => {
            setAction(null);
            void revalidate();
          }}
          onClose={() => setAction(null)}
        />
      )}
    </div>
  );
}
