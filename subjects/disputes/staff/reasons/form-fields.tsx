import type { DisputeField } from '#subjects/disputes/contract/dispute.ts';
import {
  REASON_FIELDS_MAX,
  type ReasonFieldKind,
  reasonFieldKinds,
  type ReasonFieldSide,
  reasonFieldSides,
} from '../../rules/dispute-reasons.ts';
import type { Message } from '#web/lib/forms/form-errors.ts';
import { Button } from '#web/ui/button.tsx';
import { FormError, useMessage } from '#web/ui/forms/field.tsx';
import { Checkbox, Input, Select } from '#web/ui/forms/input.tsx';

/** Returns a key that is not used in the form. */
function freeKey(list: readonly DisputeField[]): string {
  for (let n = 1; ; n++) if (!list.some(({ key }) => key === `f${n}`)) return `f${n}`;
}

/** The fields that the parties fill in, in their order. */
export function FormFields({
  list,
  error,
  onChange,
}: {
  list: readonly DisputeField[];
  error: Message | undefined;
  onChange: (list: DisputeField[]) => void;
}) {
  const [message, onEdit] = useMessage(error);
  // Buttons also add and remove fields, so every change of the list counts as an edit.
  const change = (next: DisputeField[]) => {
    onChange(next);
    onEdit();
  };
  const put = (at: number, part: Partial<DisputeField>) =>
    change(list.map((field, n) => (n === at ? { ...field, ...part } : field)));
  return (
    <fieldset className="grid gap-2">
      <legend className="text-13 font-medium">双方填写的字段</legend>
      {list.map((field, n) => (
        <div key={field.key} className="grid gap-2 rounded-card bg-sunken p-2">
          <div className="flex flex-wrap items-center gap-2">
            <Input
              small
              aria-label="字段名称"
              maxLength={30}
              className="min-w-40 flex-1"
              value={field.label}
              onChange={(event) => put(n, { label: event.target.value })}
            />
            <Select
              small
              aria-label="填写方式"
              className="w-auto"
              value={field.kind}
              onChange={(event) => put(n, { kind: event.target.value as ReasonFieldKind })}
            >
              {Object.entries(reasonFieldKinds).map(([key, name]) => (
                <option key={key} value={key}>
                  {name}
                </option>
              ))}
            </Select>
            <Select
              small
              aria-label="谁填写"
              className="w-auto"
              value={field.side}
              onChange={(event) => put(n, { side: event.target.value as ReasonFieldSide })}
            >
              {Object.entries(reasonFieldSides).map(([key, name]) => (
                <option key={key} value={key}>
                  {name}
                </option>
              ))}
            </Select>
            <Checkbox checked={field.required} onChange={(event) => put(n, { required: event.target.checked })}>
              必填
            </Checkbox>
            <Button size="sm" kind="ghost" onClick={() => change(list.filter((_, at) => at !== n))}>
              删除
            </Button>
          </div>
          {field.kind === 'choice' && (
            <Input
              small
              aria-label="选项，用逗号分开"
              placeholder="选项，用逗号分开"
              value={field.options?.join('，') ?? ''}
              onChange={(event) => put(n, { options: event.target.value.split(/[,，]/) })}
            />
          )}
        </div>
      ))}
      <Button
        size="sm"
        className="justify-self-start"
        disabled={list.length >= REASON_FIELDS_MAX}
        onClick={() => change([...list, { key: freeKey(list), label: '', kind: 'text', side: 'both', required: true }])}
      >
        添加字段
      </Button>
      <FormError>{message}</FormError>
    </fieldset>
  );
}
