import type { FieldDoc } from '#subjects/games/contract/game-doc.ts';
import { isListed, NUMERIC_SLOTS } from '../../rules/game-check.ts';
import { fieldKindNames } from '../../rules/game-diff.ts';
import type { Message } from '#web/lib/forms/form-errors.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Checkbox, Select } from '#web/ui/forms/input.tsx';
import { NumberField, TextField } from './inputs.tsx';
import { OptionsForm } from './options-form.tsx';
import type { GameForm } from './use-game-form.ts';

const KINDS = Object.keys(fieldKindNames) as FieldDoc['kind'][];

/** Changing the kind keeps the properties that both kinds have. */
function ofKind(field: FieldDoc, kind: FieldDoc['kind']): FieldDoc {
  const { options, min, max, unit, numericSlot: _slot, ...rest } = field;
  const hasBounds = kind === 'range' || kind === 'item_count';
  return {
    ...rest,
    kind,
    filterable: kind !== 'text' && field.filterable,
    ...(isListed(kind) && { options: options ?? [{ v: 1, label: '' }] }),
    ...(hasBounds && min !== undefined && { min }),
    ...(hasBounds && max !== undefined && { max }),
    ...(kind === 'range' && unit !== undefined && { unit }),
  };
}

/** Omits properties without a value: the document has no empty parts. */
const cleaned = (field: FieldDoc): FieldDoc =>
  Object.fromEntries(Object.entries(field).filter(([, v]) => v !== undefined && v !== '')) as FieldDoc;

type Part = { [K in keyof FieldDoc]?: FieldDoc[K] | undefined };

/** The bounds and the unit of a number. */
function Bounds({
  field,
  error,
  set,
}: {
  field: FieldDoc;
  error: (name: string) => Message | undefined;
  set: (part: Part) => void;
}) {
  if (field.kind !== 'range' && field.kind !== 'item_count') return null;
  return (
    <div className="grid grid-cols-3 gap-3">
      <NumberField label="最小" value={field.min} error={error('min')} onChange={(min) => set({ min })} />
      <NumberField label="最大" required value={field.max} error={error('max')} onChange={(max) => set({ max })} />
      {field.kind === 'range' && (
        <TextField
          label="单位"
          maxLength={8}
          value={field.unit ?? ''}
          error={error('unit')}
          onChange={(unit) => set({ unit })}
        />
      )}
    </div>
  );
}

/** Whether it is required, where it is shown, and which goods types use it. */
function Shown({
  form,
  field,
  typeId,
  error,
  set,
}: {
  form: GameForm;
  field: FieldDoc;
  typeId: number;
  error: (name: string) => Message | undefined;
  set: (part: Part) => void;
}) {
  const { doc } = form;
  return (
    <>
      <div className="grid grid-cols-2 gap-2">
        <Checkbox checked={field.required} onChange={(e) => set({ required: e.target.checked })}>
          必填
        </Checkbox>
        <Checkbox checked={field.inCard} onChange={(e) => set({ inCard: e.target.checked })}>
          显示在卡片和标题
        </Checkbox>
        <Checkbox
          checked={field.filterable}
          disabled={field.kind === 'text'}
          onChange={(e) => set({ filterable: e.target.checked })}
        >
          做成筛选
          {field.kind === 'range' && <span className="text-12 text-ink-3">（数字最多 {NUMERIC_SLOTS} 个）</span>}
        </Checkbox>
      </div>
      <FormError>{error('filterable')}</FormError>
      <fieldset>
        <legend className="mb-1 text-13 font-medium">用于</legend>
        <div className="flex flex-wrap gap-x-4 gap-y-1">
          {doc.goodsTypes.map(({ id, name }) => (
            <Checkbox
              key={id}
              checked={field.goodsTypes.includes(id)}
              disabled={id === typeId && field.goodsTypes.length === 1}
              onChange={(e) =>
                set({
                  goodsTypes: e.target.checked
                    ? [...field.goodsTypes, id].toSorted((a, b) => a - b)
                    : field.goodsTypes.filter((one) => one !== id),
                })
              }
            >
              {name}
            </Checkbox>
          ))}
        </div>
        <FormError>{error('goodsTypes')}</FormError>
      </fieldset>
    </>
  );
}

/** One field of the publishing form: its question, who must answer it, and where it is shown. */
export function FieldForm({
  form,
  at,
  typeId,
  onKey,
  onRemove,
}: {
  form: GameForm;
  at: number;
  typeId: number;
  onKey: (key: string) => void;
  onRemove: () => void;
}) {
  const { doc, errors, change, info } = form;
  const field = doc.fields[at];
  if (!field) return null;
  const err = (name: string) => errors[`fields.${at}.${name}`] ?? undefined;
  const isNew = !info.doc.fields.some(({ key }) => key === field.key) || info.version === 0;
  const put = (next: FieldDoc) => change({ fields: doc.fields.map((f, i) => (i === at ? next : f)) });
  const set = (part: Part) => put({ ...cleaned({ ...field, ...part } as FieldDoc), label: part.label ?? field.label });
  return (
    <section className="panel min-w-0" aria-label={`填写项：${field.label}`}>
      <div className="flex items-center gap-2 border-b border-line-soft px-4 py-2.5">
        <h2 className="truncate text-14 font-semibold">{field.label || '新的填写项'}</h2>
        <code className="text-12 text-ink-3">{field.key}</code>
        {isNew ? (
          <Button size="sm" kind="ghost" className="ml-auto" onClick={onRemove}>
            删去
          </Button>
        ) : (
          <Button
            size="sm"
            kind="ghost"
            className="ml-auto"
            onClick={() => set({ retired: field.retired ? undefined : true })}
          >
            {field.retired ? '恢复这一项' : '停用这一项'}
          </Button>
        )}
      </div>
      <div className="grid gap-3 p-4">
        <div className="grid grid-cols-2 gap-3">
          <TextField
            label="名称"
            required
            maxLength={20}
            value={field.label}
            error={err('label')}
            onChange={(label) => set({ label })}
          />
          <Field label="类型" required error={err('kind')}>
            {(control) => (
              <Select
                {...control}
                small
                value={field.kind}
                onChange={(e) => put(ofKind(field, KINDS.find((k) => k === e.target.value) ?? field.kind))}
              >
                {KINDS.map((kind) => (
                  <option key={kind} value={kind}>
                    {fieldKindNames[kind]}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        </div>
        {isNew && (
          <TextField
            label="标识"
            required
            maxLength={32}
            value={field.key}
            error={err('key')}
            help="小写字母、数字和下划线，发布后不能再改"
            onChange={(key) => {
              put({ ...field, key });
              onKey(key);
            }}
          />
        )}
        <TextField
          label="给卖家的说明"
          maxLength={120}
          value={field.help ?? ''}
          error={err('help')}
          onChange={(help) => set({ help })}
        />
        <Bounds field={field} error={err} set={set} />
        <Shown form={form} field={field} typeId={typeId} error={err} set={set} />
        {isListed(field.kind) && (
          <OptionsForm
            options={field.options ?? []}
            known={
              new Set(
                info.version === 0
                  ? []
                  : info.doc.fields.find((f) => f.key === field.key)?.options?.map((o) => String(o.v)),
              )
            }
            error={err}
            onChange={(options) => set({ options })}
          />
        )}
      </div>
    </section>
  );
}
