import { type ReactNode, type RefObject, useRef, useState } from 'react';
import { type NoticeKind, saveNoticeText } from '#subjects/notices/contract/staff-texts.ts';
import {
  type NoticeChannel,
  noticeTextMax,
  noticeTextProblem,
  type TrialChannel,
  trialChannels,
} from '../../rules/notice-text.ts';
import type { FormErrors } from '#web/lib/forms/form-errors.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Input, Textarea } from '#web/ui/forms/input.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { Unsaved } from '#subjects/back-office/staff/parts/unsaved.tsx';
import { TextPreview } from './text-preview.tsx';
import { TrialDialog, type Wording } from './trial-dialog.tsx';

/** Errors of a text, by field. */
function problemsOf({ title, body }: Wording, item: NoticeKind, channel: NoticeChannel): FormErrors {
  const max = noticeTextMax[channel];
  return {
    title:
      title.trim().length < 2
        ? '标题至少 2 个字'
        : (noticeTextProblem(title, item.placeholders, max.title) ?? undefined),
    body:
      body.trim().length < 2 ? '正文至少 2 个字' : (noticeTextProblem(body, item.placeholders, max.body) ?? undefined),
  };
}

/** Inserts a placeholder at the cursor. */
function insertAt(field: HTMLTextAreaElement | null, text: string, mark: string): string {
  const at = field?.selectionStart ?? text.length;
  const end = field?.selectionEnd ?? at;
  return text.slice(0, at) + mark + text.slice(end);
}

function Placeholders({ names, onInsert }: { names: readonly string[]; onInsert: (mark: string) => void }) {
  if (names.length === 0) return null;
  return (
    <div className="flex flex-wrap items-center gap-1.5 text-12 text-ink-3">
      插入变量
      {names.map((name) => (
        <Button key={name} size="sm" onClick={() => onInsert(`{${name}}`)}>
          {`{${name}}`}
        </Button>
      ))}
    </div>
  );
}

/** Edits a text of a channel next to its preview with example values. The input is kept after an error. */
export function TextForm({
  item,
  site,
  channel,
  version,
  start,
  reasonStart,
  canEdit,
  onDone,
}: {
  item: NoticeKind;
  site: string;
  channel: NoticeChannel;
  version: number;
  start: Wording;
  reasonStart: string;
  canEdit: boolean;
  onDone: () => void;
}) {
  const [wording, setWording] = useState(start);
  const [reason, setReason] = useState(reasonStart);
  const [isTrying, setIsTrying] = useState(false);
  const bodyField = useRef<HTMLTextAreaElement>(null);
  const max = noticeTextMax[channel];
  const { form, busy, errors, setErrors, submit } = useMutation(saveNoticeText, {
    fields: ['title', 'body', 'template', 'reason'],
    check: () => ({
      ...problemsOf(wording, item, channel),
      reason: reason.trim().length < 2 ? '请写明修改的原因' : undefined,
    }),
    done: () => {
      toast('已保存，下一条通知起使用', 'ok');
      onDone();
    },
  });
  const set = (change: Partial<Wording>) => setWording({ ...wording, ...change });
  const trialChannel = trialChannels.find((one) => one === channel);
  const tryIt = () => {
    const wrong = problemsOf(wording, item, channel);
    setErrors(wrong);
    if (!wrong.title && !wrong.body) setIsTrying(true);
  };
  return (
    <form
      ref={form}
      noValidate
      className="grid gap-5 p-4 lg:grid-cols-2"
      onSubmit={submit(() => ({ kind: item.kind, channel, version, ...wording, reason }))}
    >
      <Unsaved saved={start} entered={wording} busy={busy} />
      <fieldset className="grid content-start gap-4" disabled={!canEdit}>
        <WordingFields {...{ wording, errors, max, channel, set, bodyField }}>
          <Placeholders
            names={item.placeholders}
            onInsert={(mark) => {
              set({ body: insertAt(bodyField.current, wording.body, mark) });
              setErrors({ ...errors, body: undefined });
              bodyField.current?.focus();
            }}
          />
        </WordingFields>
        {canEdit && (
          <>
            <Field label="修改原因" required error={errors.reason}>
              {(control) => (
                <Input
                  {...control}
                  maxLength={200}
                  autoComplete="off"
                  value={reason}
                  onChange={(event) => setReason(event.target.value)}
                />
              )}
            </Field>
            <FormError>{errors.send}</FormError>
            <div className="flex flex-wrap gap-2">
              <Button type="submit" kind="primary" busy={busy}>
                保存
              </Button>
              {trialChannel && <Button onClick={tryIt}>发给自己试试</Button>}
            </div>
          </>
        )}
      </fieldset>
      <section className="grid content-start gap-2" aria-label="预览">
        <h2 className="text-13 font-semibold">预览（示例值）</h2>
        <TextPreview channel={channel} placeholders={item.placeholders} site={site} {...wording} />
      </section>
      {isTrying && trialChannel && (
        <TrialDialog
          kind={item.kind}
          channel={trialChannel satisfies TrialChannel}
          wording={wording}
          onClose={() => setIsTrying(false)}
        />
      )}
    </form>
  );
}

function WordingFields({
  wording,
  errors,
  max,
  channel,
  set,
  bodyField,
  children,
}: {
  wording: Wording;
  errors: FormErrors;
  max: { title: number; body: number };
  channel: NoticeChannel;
  set: (change: Partial<Wording>) => void;
  bodyField: RefObject<HTMLTextAreaElement | null>;
  children: ReactNode;
}) {
  return (
    <>
      <Field label="标题" required help={`${wording.title.length} / ${max.title} 字`} error={errors.title}>
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            value={wording.title}
            onChange={(event) => set({ title: event.target.value })}
          />
        )}
      </Field>
      <Field label="正文" required help={`${wording.body.length} / ${max.body} 字`} error={errors.body}>
        {(control) => (
          <Textarea
            {...control}
            ref={bodyField}
            rows={5}
            value={wording.body}
            onChange={(event) => set({ body: event.target.value })}
          />
        )}
      </Field>
      {children}
      {channel === 'sms' && (
        <Field
          label="服务商的模板编号"
          help="短信须先在服务商处报备，变量依次为标题和正文；留空则用服务器设置里的模板"
          error={errors.template}
        >
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              placeholder="SMS_123456789"
              className="max-w-72"
              value={wording.template}
              onChange={(event) => set({ template: event.target.value.trim() })}
            />
          )}
        </Field>
      )}
    </>
  );
}
