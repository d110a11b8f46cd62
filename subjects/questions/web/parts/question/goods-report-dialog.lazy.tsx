import { useEffect, useState } from 'react';
import { codes } from '#contract/codes.ts';
import type { Data } from '#contract/endpoint.ts';
import { goodsReportReasons, reportGoods } from '#subjects/questions/contract/question.ts';
import { GOODS_REPORT_PICTURES, type GoodsReportPart, goodsReportPartNames } from '../../../rules/question.ts';
import { call } from '#web/lib/api/api.ts';
import { asFailure, failureMessage, isError, readFailureMessage } from '#web/lib/api/call-errors.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { type Evidence, EvidenceBox } from '#subjects/orders/web/parts/order/evidence-box.tsx';
import { Button } from '#web/ui/button.tsx';
import { BackButton, Dialog } from '#web/ui/overlays/dialog.tsx';
import { FieldGroup } from '#web/ui/forms/field-group.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Textarea } from '#web/ui/forms/input.tsx';
import { ErrorState, Skeleton } from '#web/ui/states.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';

type Reasons = Data<typeof goodsReportReasons>['list'];

function useReasons(goodsSn: string) {
  const [reasons, setReasons] = useState<Reasons | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    call(goodsReportReasons, { goodsSn }, { quiet: true }).then(
      ({ list }) => isCurrent && setReasons(list),
      (thrown: unknown) => isCurrent && setError(readFailureMessage(asFailure(thrown))),
    );
    return () => {
      isCurrent = false;
    };
  }, [goodsSn, attempt]);
  const retry = () => {
    setError(null);
    setAttempt((n) => n + 1);
  };
  return { reasons, error, retry };
}

/** Asks for reason and proofs of a report and sends it; an error keeps what was typed. */
export default function GoodsReportDialog({
  goodsSn,
  part,
  questionId,
  onClose,
  onDone,
}: {
  goodsSn: string;
  part: GoodsReportPart;
  questionId?: number | undefined;
  onClose: () => void;
  onDone: () => void;
}) {
  const { reasons, error, retry } = useReasons(goodsSn);
  const [reason, setReason] = useState('');
  const [note, setNote] = useState('');
  const [pictures, setPictures] = useState<readonly Evidence[]>([]);
  const report = useMutation(reportGoods, {
    fields: ['reason', 'pictures'],
    check: (body) => ({ reason: body.reason === '' ? '请选择举报原因' : undefined }),
    failed: (failure) => {
      if (!isError(failure, codes.GOODS_REPORTED)) return undefined;
      toast(failureMessage(failure), 'ok');
      onDone();
      return {};
    },
    done: () => {
      toast('已收到举报，处理结果会通知您', 'ok');
      onDone();
    },
  });
  const send = () =>
    void report.send({ goodsSn, part, questionId, reason, note, pictures: pictures.map(({ key }) => key) });
  const evidence = reasons?.find(({ code }) => code === reason)?.evidence;
  return (
    <Dialog
      title={`举报${goodsReportPartNames[part]}`}
      onClose={onClose}
      footer={
        <>
          <BackButton>取消</BackButton>
          <Button kind="primary" busy={report.busy} disabled={reasons === null} onClick={send}>
            提交举报
          </Button>
        </>
      }
    >
      {error !== null && <ErrorState message={error} onRetry={retry} />}
      {error === null && !reasons && <Skeleton className="h-72" />}
      {reasons && (
        <div className="grid gap-4">
          <FieldGroup legend="原因" error={report.errors.reason}>
            {(isInvalid) => (
              <div className="grid gap-1">
                {reasons.map(({ code, name }) => (
                  <label key={code} className="flex min-h-10 items-center gap-2 text-14">
                    <input
                      type="radio"
                      name="reason"
                      checked={reason === code}
                      aria-invalid={isInvalid}
                      onChange={() => setReason(code)}
                    />
                    {name}
                  </label>
                ))}
              </div>
            )}
          </FieldGroup>
          <Field label="补充说明" help="只有平台审核人员能看到；举报不实会限制之后的举报。">
            {(control) => (
              <Textarea
                {...control}
                rows={3}
                maxLength={200}
                value={note}
                onChange={(event) => setNote(event.target.value)}
              />
            )}
          </Field>
          <EvidenceBox
            pictures={pictures}
            max={GOODS_REPORT_PICTURES}
            onChange={setPictures}
            error={report.errors.pictures}
            help={`${evidence ? `建议上传：${evidence}。` : ''}PNG 或 JPEG，每张不超过 10M；只有审核员可见。`}
          />
          <FormError>{report.error}</FormError>
        </div>
      )}
    </Dialog>
  );
}
