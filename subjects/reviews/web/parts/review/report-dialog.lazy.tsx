import { useState } from 'react';
import { codes } from '#contract/codes.ts';
import { reportReview } from '#subjects/reviews/contract/review.ts';
import {
  type ReviewPart,
  reviewPartNames,
  type ReviewReportReason,
  reviewReportReasons,
} from '../../../rules/review.ts';
import { call } from '#web/lib/api/api.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { failureMessage, isError } from '#web/lib/api/call-errors.ts';
import { Button } from '#web/ui/button.tsx';
import { BackButton, Dialog } from '#web/ui/overlays/dialog.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Textarea } from '#web/ui/forms/input.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';

const reasons = Object.entries(reviewReportReasons) as [ReviewReportReason, string][];

/** Asks for the reason of a report and sends it; an error keeps the input. */
export default function ReportDialog({
  reviewId,
  part,
  onClose,
  onDone,
}: {
  reviewId: number;
  part: ReviewPart;
  onClose: () => void;
  onDone: () => void;
}) {
  const [reason, setReason] = useState<ReviewReportReason | null>(null);
  const [note, setNote] = useState('');
  const report = useMutation(
    (body: { reason: ReviewReportReason | null; note: string }, options) =>
      call(reportReview, { reviewId, part, reason: body.reason ?? 'other', note: body.note }, options),
    {
      check: (body) => ({ send: body.reason ? undefined : '请选择举报原因' }),
      failed: (failure) => {
        if (!isError(failure, codes.REVIEW_REPORTED)) return undefined;
        toast(failureMessage(failure), 'ok');
        onDone();
        return {};
      },
      done: () => {
        toast('已收到举报，处理结果会通知您', 'ok');
        onDone();
      },
    },
  );
  return (
    <Dialog
      title={`举报${reviewPartNames[part]}`}
      onClose={onClose}
      footer={
        <>
          <BackButton>取消</BackButton>
          <Button kind="primary" busy={report.busy} onClick={() => void report.send({ reason, note })}>
            提交举报
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <fieldset className="field">
          <legend>原因</legend>
          <div className="grid gap-1">
            {reasons.map(([key, name]) => (
              <label key={key} className="flex min-h-10 items-center gap-2 text-14">
                <input type="radio" name="reason" checked={reason === key} onChange={() => setReason(key)} />
                {name}
              </label>
            ))}
          </div>
        </fieldset>
        <Field label="补充说明" help="只有平台审核人员能看到。">
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
        <FormError>{report.error}</FormError>
      </div>
    </Dialog>
  );
}
