import { useState } from 'react';
import { useRevalidator } from 'react-router';
import {
  acceptRuling,
  addDisputeEvidence,
  answerDispute,
  appealRuling,
  withdrawDispute,
} from '#subjects/disputes/contract/dispute.ts';
import { call } from '#web/lib/api/api.ts';
import type { SendOptions } from '#web/lib/api/mutation.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { FormFields, missingOf } from '../../web/parts/cases/form-fields.tsx';
import { StatementForm } from '../../web/parts/cases/statement-form.tsx';
import { type Evidence, EvidenceBox } from '#subjects/orders/web/parts/order/evidence-box.tsx';
import { shortAt } from '#web/lib/format/times.ts';
import { grouped } from '#web/lib/format/format.ts';
import { Button } from '#web/ui/button.tsx';
import { BackButton, Dialog } from '#web/ui/overlays/dialog.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Textarea } from '#web/ui/forms/input.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import type { DisputeFile } from './dispute-file.ts';

/** The reply of the other party: the reason's questions, a statement, pictures. */
function ReplyForm({ file, onDone }: { file: DisputeFile; onDone: (message: string) => void }) {
  const fields = file.form ?? [];
  const [answers, setAnswers] = useState<Record<string, string>>({});
  const [text, setText] = useState('');
  const [pictures, setPictures] = useState<readonly Evidence[]>([]);
  const { form, busy, errors, submit } = useMutation(answerDispute, {
    fields: ['text'],
    check: () => ({
      ...missingOf(fields, answers),
      ...(text.trim().length < 5 ? { text: '说明至少 5 个字' } : {}),
    }),
    done: () => onDone('答复已提交'),
  });
  const body = () => ({
    disputeSn: file.disputeSn,
    answers,
    text: text.trim(),
    pictures: pictures.map(({ key }) => key),
  });

  return (
    <form ref={form} className="grid gap-4" onSubmit={submit(body)}>
      <FormFields
        fields={fields}
        answers={answers}
        errors={errors}
        onChange={(key, value) => setAnswers((before) => ({ ...before, [key]: value }))}
      />
      <Field label="我的说明" required error={errors.text}>
        {(control) => (
          <Textarea
            {...control}
            rows={4}
            maxLength={1000}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      <EvidenceBox
        pictures={pictures}
        onChange={setPictures}
        help={`建议上传：${file.evidenceHint}。PNG 或 JPEG，每张不超过 10M；只有双方与客服可见。`}
      />
      <FormError>{errors.send}</FormError>
      <div>
        <Button type="submit" kind="primary" busy={busy}>
          提交答复
        </Button>
      </div>
    </form>
  );
}

interface Confirmation {
  title: string;
  text: string;
  action: string;
  send: (options: SendOptions) => Promise<unknown>;
  done: string;
  danger?: boolean;
}

/** Confirms an action that cannot be undone; an error is shown in the dialog. */
function ConfirmDialog({
  confirmation,
  onClose,
  onDone,
}: {
  confirmation: Confirmation;
  onClose: () => void;
  onDone: (message: string) => void;
}) {
  const { busy, error, send } = useMutation((_: void, options) => confirmation.send(options), {
    done: () => onDone(confirmation.done),
  });
  return (
    <Dialog
      title={confirmation.title}
      busy={busy}
      onClose={onClose}
      footer={
        <>
          <BackButton disabled={busy}>再想想</BackButton>
          <Button kind={confirmation.danger ? 'danger' : 'primary'} busy={busy} onClick={() => void send()}>
            {confirmation.action}
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        <p className="text-14">{confirmation.text}</p>
        <FormError>{error}</FormError>
      </div>
    </Dialog>
  );
}

/** The confirmations of the actions that need no statement. */
function confirmations({ disputeSn, wantName, wantAmount }: DisputeFile): Readonly<Record<string, Confirmation>> {
  return {
    agree: {
      title: '同意对方的诉求',
      text: `对方的诉求是${wantName}${wantAmount ? ` ${grouped(wantAmount)} 元` : ''}。同意后立即按此结案，款项马上处理，不能撤回。`,
      action: '同意并结案',
      send: (options) => call(answerDispute, { disputeSn, agree: true }, options),
      done: '已按诉求结案',
      danger: true,
    },
    withdraw: {
      title: '撤回申诉',
      text: '撤回后订单的计时与放款恢复，剩余时间不变。保护期内还可以再次申诉。',
      action: '撤回申诉',
      send: (options) => call(withdrawDispute, { disputeSn }, options),
      done: '申诉已撤回',
    },
    accept: {
      title: '接受裁决',
      text: '双方都接受后立即按裁决处理款项，不再等上诉期。接受后您不能再上诉。',
      action: '接受裁决',
      send: (options) => call(acceptRuling, { disputeSn }, options),
      done: '已接受裁决',
    },
  };
}

function RulingNotice({ file }: { file: DisputeFile }) {
  if (file.status !== 'ruled' || !file.appealUntil) return null;
  const mine = file.viewer === 'buyer' ? file.accepted.buyer : file.accepted.seller;
  return (
    <p className="text-13 text-ink-2">
      {mine ? '您已接受裁决。' : '对结果没有异议可以接受，双方都接受后立即处理款项。'}
      {shortAt(file.appealUntil)} 前可以上诉一次，由另一位工作人员重新裁决；期满没有上诉，自动执行。
    </p>
  );
}

/** The viewer's current actions on a dispute, as returned by the server. */
export function CaseActions({ file }: { file: DisputeFile }) {
  const { revalidate } = useRevalidator();
  const [confirmation, setConfirmation] = useState<string | null>(null);
  const [writing, setWriting] = useState<'evidence' | 'appeal' | null>(null);
  const has = (action: string) => file.acts.includes(action);
  const onDone = (message: string) => {
    toast(message, 'ok');
    setConfirmation(null);
    setWriting(null);
    void revalidate();
  };
  if (file.acts.length === 0) return null;
  const { disputeSn } = file;
  const question = confirmation === null ? undefined : confirmations(file)[confirmation];
  return (
    <section className="panel" aria-label="我可以做的">
      <div className="panel-head">
        <h2>{has('answer') ? '请答复' : '我可以做的'}</h2>
        {has('answer') && <p>超时未答复，平台按现有证据裁决</p>}
      </div>
      <div className="grid gap-4 px-4 py-4">
        <RulingNotice file={file} />
        {has('answer') && <ReplyForm file={file} onDone={onDone} />}
        <div className="flex flex-wrap gap-2">
          {has('accept') && (
            <Button kind="primary" onClick={() => setConfirmation('accept')}>
              接受裁决
            </Button>
          )}
          {has('appeal') && writing === null && <Button onClick={() => setWriting('appeal')}>上诉</Button>}
          {has('agree') && <Button onClick={() => setConfirmation('agree')}>同意对方的诉求</Button>}
          {has('evidence') && writing === null && <Button onClick={() => setWriting('evidence')}>补充证据</Button>}
          {has('withdraw') && (
            <Button kind="danger" onClick={() => setConfirmation('withdraw')}>
              撤回申诉
            </Button>
          )}
        </div>
        {writing !== null && (
          <StatementForm
            label={writing === 'appeal' ? '上诉理由' : '补充说明'}
            help={writing === 'appeal' ? '写清裁决哪里不对、依据什么。上诉裁决为最终结果。' : undefined}
            submitLabel={writing === 'appeal' ? '提交上诉' : '提交证据'}
            send={async (statement, options) => {
              await call(
                writing === 'appeal' ? appealRuling : addDisputeEvidence,
                { disputeSn, ...statement },
                options,
              );
              onDone(writing === 'appeal' ? '已上诉，由另一位工作人员重新裁决' : '证据已提交');
            }}
            onCancel={() => setWriting(null)}
          />
        )}
      </div>
      {question && <ConfirmDialog confirmation={question} onClose={() => setConfirmation(null)} onDone={onDone} />}
    </section>
  );
}
