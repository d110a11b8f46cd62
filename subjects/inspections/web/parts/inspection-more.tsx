import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import type { Data } from '#contract/endpoint.ts';
import { inspectionAgain, inspectionOf } from '#subjects/inspections/contract/inspection.ts';
import { fullTime } from '#contract/rules/time/time-label.ts';
import { call } from '#web/lib/api/api.ts';
import { grouped } from '#web/lib/format/format.ts';
import { withStepUp } from '#web/lib/session/step-up.ts';
import { ConfirmDialog } from '#web/parts/confirm-dialog.tsx';
import { ProofPictures } from '#web/parts/readings-table.tsx';
import { Button } from '#web/ui/button.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';

type Of = Data<typeof inspectionOf>;

/**
 * Proof and expiry of a listing's inspection, and the viewer's actions: request an inspection, or a new one for the
 * fee.
 */
export default function InspectionMore({ goodsSn }: { goodsSn: string }) {
  const [of, setOf] = useState<Of | 'lost' | null>(null);
  const [asking, setAsking] = useState(false);
  const [round, setRound] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    call(inspectionOf, { goodsSn }, { quiet: true })
      .then((data) => isCurrent && setOf(data))
      .catch(() => isCurrent && setOf('lost'));
    return () => {
      isCurrent = false;
    };
  }, [goodsSn, round]);
  if (of === 'lost')
    return (
      <p
        className="flex flex-wrap items-center gap-3 border-t border-line-soft px-4 py-3 text-12 text-ink-3"
        role="alert"
      >
        验号截图和复验没有加载出来
        <Button size="sm" onClick={() => setRound(round + 1)}>
          重试
        </Button>
      </p>
    );
  if (!of || (!of.record && !of.canAsk && !of.isOpen)) return null;
  const { record } = of;
  return (
    <div className="grid gap-3 border-t border-line-soft px-4 py-3 text-12 text-ink-3">
      {record && record.pictures.length > 0 && <ProofPictures pictures={record.pictures} label="验号截图" />}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <span className="min-w-0 flex-1 basis-48">
          {record?.untilTime && `有效到 ${fullTime(Date.parse(record.untilTime)).slice(0, 10)}。`}
          {record && record.differs > 0 && `有 ${record.differs} 项与卖家填写不同。`}
          {of.isOpen
            ? '正在重新验号。'
            : record && record.differs === 0 && !of.isMine && !of.canAgain && of.againReason}
        </span>
        {of.canAsk && (
          <Link to={`/center/inspections?goods=${goodsSn}`} className="link text-13">
            {record ? '重新验号' : '免费验号'}
          </Link>
        )}
        {of.canAgain && (
          <Button size="sm" onClick={() => setAsking(true)}>
            申请复验 ¥{grouped(of.fee)}
          </Button>
        )}
      </div>
      {asking && (
        <ConfirmDialog
          title="申请复验"
          action={`支付 ¥${grouped(of.fee)} 复验`}
          question={
            <>
              另一位客服重新登录读取。结果有差异，复验费由包赔基金退还；卖家或客服没有按时完成，全额退回。费用从可用余额托管。
            </>
          }
          intent={`inspection:${goodsSn}`}
          send={(_, options) => withStepUp('pay', () => call(inspectionAgain, { goodsSn }, options))}
          onDone={() => {
            setAsking(false);
            setRound(round + 1);
            toast('已申请复验，进度在「验号」里', 'ok');
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}
