import { useState } from 'react';
import {
  changeSetting,
  previewSetting,
  type SettingExample,
  type StaffSetting,
} from '#subjects/settings/contract/staff-settings.ts';
import type { SettingSpec } from '../../rules/setting-groups.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { CancelButton, Unsaved } from '#subjects/back-office/staff/parts/unsaved.tsx';
import { ExampleTable } from './example-table.tsx';
import { SettingFields, type Values } from './setting-fields.tsx';

const DONE = {
  counts: '已生效',
  planned: '已排期，到时自动生效',
  waiting: '已提交，等待另一位同事复核',
} as const;

/** The path of a field in the error of a call, without the name of the input that holds all fields. */
const pathOf = (path: string): string => (path.startsWith('values.') ? path.slice('values.'.length) : path);

/** Edits a setting: the fields, their effect on example orders, the start, and the reason. The input is kept after an error. */
export function SettingForm({
  spec,
  item,
  start,
  reasonStart = '',
  onDone,
  onClose,
}: {
  spec: SettingSpec;
  item: StaffSetting;
  /** The initial values of the form: the current ones, or those of an older version. */
  start: Values;
  reasonStart?: string;
  onDone: () => void;
  onClose: () => void;
}) {
  const [values, setValues] = useState<Values>(start);
  const [from, setFrom] = useState('');
  const [reason, setReason] = useState(reasonStart);
  const [examples, setExamples] = useState<SettingExample[] | null>(null);
  const { form, busy, errors, setErrors, submit } = useMutation(changeSetting, {
    fields: pathOf,
    check: () => ({ ...(reason.trim().length < 2 && { reason: '请写明修改的原因' }) }),
    done: ({ state }) => {
      toast(DONE[state], 'ok');
      onDone();
    },
  });
  const preview = useMutation(previewSetting, {
    done: ({ problems, examples: computed }) => {
      setErrors(Object.fromEntries(problems.map(({ path, text }) => [path, text])));
      setExamples(problems.length === 0 ? computed : null);
    },
  });
  const set = (path: string, value: string) => {
    setValues({ ...values, [path]: value });
    setExamples(null);
  };
  const typed = { saved: [start, '', reasonStart], entered: [values, from, reason], busy };
  const read = () => ({ key: spec.key, version: item.version, values: { ...values }, from, reason });
  return (
    <form
      ref={form}
      noValidate
      className="grid gap-4 border-t border-line-soft p-4 xl:grid-cols-[minmax(0,1fr)_360px]"
      onSubmit={submit(read)}
    >
      <Unsaved {...typed} />
      <div className="grid content-start gap-4">
        <SettingFields spec={spec} values={values} errors={errors} onChange={set} />
        {spec.rules && (
          <p className="text-12 text-ink-3">
            公开规则 {spec.rules.join('、')} 写有这些数字，修改后请同时发布规则的新版本。
          </p>
        )}
        <div className="grid gap-3 border-t border-line-soft pt-3 sm:grid-cols-2">
          <Field label="从什么时候起" help="北京时间；留空则立即生效" error={errors.from}>
            {(control) => (
              <Input
                {...control}
                type="datetime-local"
                value={from}
                onChange={(event) => setFrom(event.target.value)}
              />
            )}
          </Field>
          <Field label="原因" required error={errors.reason}>
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
        </div>
        <FormError>{errors.send ?? preview.error}</FormError>
        <div className="flex flex-wrap gap-2">
          <Button type="submit" kind="primary" busy={busy}>
            {item.needsSecond ? '提交复核' : '保存'}
          </Button>
          <Button busy={preview.busy} onClick={() => void preview.send({ key: spec.key, values: { ...values } })}>
            预览影响
          </Button>
          <CancelButton {...typed} onCancel={onClose} />
        </div>
      </div>
      <div>
        {examples ? (
          <ExampleTable examples={examples} />
        ) : (
          <p className="rounded-card border border-dashed border-line-soft p-4 text-13 text-ink-3">
            按“预览影响”，看这些数字对三笔示例订单的影响，精确到分。
          </p>
        )}
      </div>
    </form>
  );
}
