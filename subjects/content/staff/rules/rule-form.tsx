import { useState } from 'react';
import { publishRule, type RuleEntry, saveRuleDraft } from '#subjects/content/contract/staff-rules.ts';
import { blocksOf } from '../../rules/article.ts';
import { AGREEMENT_NOTICE_DAYS, RULE_BODY_MAX, RULE_TITLE_MAX } from '../../rules/public-texts.ts';
import type { FormErrors } from '#web/lib/forms/form-errors.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { TextDiff } from '#web/parts/text-diff.tsx';
import { Button } from '#web/ui/button.tsx';
import { FieldGroup } from '#web/ui/forms/field-group.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Checkbox, Input, Textarea } from '#web/ui/forms/input.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { BodyField } from '../content/body-field.tsx';
import { Unsaved } from '#subjects/back-office/staff/parts/unsaved.tsx';

export interface RuleText {
  title: string;
  body: string;
}

/** Errors of a text, by field. */
function problemsOf({ title, body }: RuleText, isRule: boolean): FormErrors {
  const blocks = isRule || body.trim() === '' ? [] : blocksOf(body);
  const tooLong = isRule && body.length > RULE_BODY_MAX;
  return {
    title: title.trim().length < 2 ? '标题至少 2 个字' : undefined,
    body:
      body.trim().length < 2
        ? '正文至少 2 个字'
        : tooLong
          ? `一条规则最多 ${RULE_BODY_MAX} 个字，现在 ${body.length} 个`
          : typeof blocks === 'string'
            ? blocks
            : undefined,
  };
}

/** The initial text of a form; empty for a new rule. */
const textOf = (stored: RuleText | null): RuleText => ({ title: stored?.title ?? '', body: stored?.body ?? '' });

interface Publishing {
  from: string;
  reason: string;
  retired: boolean;
  needsConsent: boolean;
}

/** The start of a version, its reason and its effects. */
function PublishFields({
  isRule,
  canRetire,
  value,
  errors,
  onChange,
}: {
  isRule: boolean;
  canRetire: boolean;
  value: Publishing;
  errors: FormErrors;
  onChange: (change: Partial<Publishing>) => void;
}) {
  return (
    <div className="grid gap-3 border-t border-line-soft pt-4 sm:grid-cols-2">
      <Field
        label="从什么时候起生效"
        help={
          isRule ? '北京时间；留空则立即生效' : `北京时间；有用户同意过以后，须提前 ${AGREEMENT_NOTICE_DAYS} 天公布`
        }
        error={errors.from}
      >
        {(control) => (
          <Input
            {...control}
            type="datetime-local"
            value={value.from}
            onChange={(event) => onChange({ from: event.target.value })}
          />
        )}
      </Field>
      <Field label="修改原因" required help="写入操作记录，用户看不到" error={errors.reason}>
        {(control) => (
          <Input
            {...control}
            maxLength={200}
            autoComplete="off"
            value={value.reason}
            onChange={(event) => onChange({ reason: event.target.value })}
          />
        )}
      </Field>
      {isRule && canRetire && (
        <FieldGroup error={errors.retired}>
          {(isInvalid) => (
            <Checkbox
              aria-invalid={isInvalid}
              checked={value.retired}
              onChange={(event) => onChange({ retired: event.target.checked })}
            >
              这个版本停用这条规则
            </Checkbox>
          )}
        </FieldGroup>
      )}
      {!isRule && (
        <Checkbox checked={value.needsConsent} onChange={(event) => onChange({ needsConsent: event.target.checked })}>
          生效后请用户重新同意，同意前不能下单和发布
        </Checkbox>
      )}
    </div>
  );
}

/** Edits a rule or an agreement: text, difference from the version in force, draft and publication. The input is kept after an error. */
export function RuleForm({
  item,
  start,
  reasonStart,
  canEdit,
  onDone,
}: {
  item: RuleEntry;
  start: RuleText;
  reasonStart: string;
  canEdit: boolean;
  onDone: () => void;
}) {
  const { key, version, current, draft } = item;
  const isRule = key.startsWith('rule:');
  const [text, setText] = useState<RuleText>({ title: start.title, body: start.body });
  const [plan, setPlan] = useState<Publishing>({ from: '', reason: reasonStart, retired: false, needsConsent: false });
  const draftVersion = draft?.draftVersion ?? 0;
  const {
    form,
    busy,
    errors: publishErrors,
    submit,
  } = useMutation(publishRule, {
    fields: ['title', 'body', 'from', 'reason', 'retired'],
    check: () => ({
      ...problemsOf(text, isRule),
      reason: plan.reason.trim().length < 2 ? '请写明修改的原因' : undefined,
    }),
    done: ({ state }) => {
      toast(state === 'counts' ? '已发布并生效' : '已公布，到时自动生效', 'ok');
      onDone();
    },
  });
  const save = useMutation(saveRuleDraft, {
    fields: ['title', 'body'],
    check: () => problemsOf(text, isRule),
    done: () => {
      toast('草稿已保存', 'ok');
      onDone();
    },
  });
  const errors: FormErrors = { ...save.errors, ...publishErrors };
  const set = (change: Partial<RuleText>) => setText({ ...text, ...change });
  return (
    <form
      ref={form}
      noValidate
      className="p-4"
      onSubmit={submit(() => ({ key, version, draftVersion, ...text, ...plan }))}
    >
      <Unsaved saved={textOf(draft ?? current)} entered={text} busy={busy || save.busy} />
      <fieldset className="grid gap-4" disabled={!canEdit}>
        <Field label="标题" required error={errors.title}>
          {(control) => (
            <Input
              {...control}
              className="max-w-120"
              maxLength={RULE_TITLE_MAX}
              autoComplete="off"
              value={text.title}
              onChange={(event) => set({ title: event.target.value })}
            />
          )}
        </Field>
        {isRule ? (
          <Field label="正文" required help={`${text.body.length} / ${RULE_BODY_MAX} 字`} error={errors.body}>
            {(control) => (
              <Textarea
                {...control}
                rows={6}
                value={text.body}
                onChange={(event) => set({ body: event.target.value })}
              />
            )}
          </Field>
        ) : (
          <BodyField value={text.body} error={errors.body} onChange={(body) => set({ body })} />
        )}
        {current && (
          <section aria-label="与现行版本的差别" className="grid gap-2 rounded-card bg-sunken p-3">
            <h2 className="text-13 font-semibold">与现行的第 {current.version} 版相比</h2>
            {text.title !== current.title && <TextDiff before={current.title} after={text.title} />}
            <TextDiff before={current.body} after={text.body} />
          </section>
        )}
        {canEdit && (
          <>
            <PublishFields
              isRule={isRule}
              canRetire={current !== null && !current.retired}
              value={plan}
              errors={errors}
              onChange={(change) => setPlan({ ...plan, ...change })}
            />
            <FormError>{errors.send}</FormError>
            <div className="flex flex-wrap gap-2">
              <Button type="submit" kind="primary" busy={busy} disabled={item.planned !== null}>
                发布
              </Button>
              <Button busy={save.busy} onClick={() => void save.send({ key, draftVersion, ...text })}>
                保存草稿
              </Button>
              {item.planned && <p className="self-center text-12 text-ink-3">先撤销待生效的版本，再发布别的</p>}
            </div>
          </>
        )}
      </fieldset>
    </form>
  );
}
