import { Plus, X } from 'lucide-react';
import type { StepDoc } from '#subjects/games/contract/game-doc.ts';
import { valuesOf } from '../../rules/game-check.ts';
import { sealedFieldKeys, sealedFields } from '#subjects/orders/rules/sealed-fields.ts';
import type { Message } from '#web/lib/forms/form-errors.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Checkbox, Input, Select, Textarea } from '#web/ui/forms/input.tsx';
import { NumberField, TextField } from './inputs.tsx';
import type { GameForm } from './use-game-form.ts';

type Rule = NonNullable<StepDoc['unless']>[number];

/** Without empty properties, as the document is stored. */
function cleaned({ fields, unless, secret, exchange, ...step }: StepDoc): StepDoc {
  return {
    ...step,
    ...(exchange && { exchange }),
    ...(secret && { secret }),
    ...(fields && fields.length > 0 && { fields }),
    ...(unless && unless.length > 0 && { unless }),
  };
}

/** The fields of a sealed form, with their labels and whether each is required. */
function SealedFields({
  step,
  error,
  onChange,
}: {
  step: StepDoc;
  error: Message | undefined;
  onChange: (step: StepDoc) => void;
}) {
  const own = step.fields ?? [];
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1 text-13 font-medium">密封表单的内容</legend>
      {sealedFieldKeys.map((key) => {
        const field = own.find((f) => f.key === key);
        const put = (next: typeof own) => onChange(cleaned({ ...step, secret: true, fields: next }));
        return (
          <div key={key} className="flex flex-wrap items-center gap-3">
            <Checkbox
              className="w-36"
              checked={field !== undefined}
              onChange={(e) =>
                put(e.target.checked ? [...own, { key, required: true }] : own.filter((f) => f.key !== key))
              }
            >
              {sealedFields[key].label}
            </Checkbox>
            {field && (
              <>
                <Input
                  small
                  className="w-44!"
                  aria-label={`${sealedFields[key].label}在本游戏的叫法`}
                  placeholder={sealedFields[key].label}
                  maxLength={20}
                  value={field.label ?? ''}
                  onChange={(e) => {
                    const { label: _before, ...rest } = field;
                    const label = e.target.value;
                    put(own.map((f) => (f.key === key ? { ...rest, ...(label !== '' && { label }) } : f)));
                  }}
                />
                <Checkbox
                  checked={field.required}
                  onChange={(e) => put(own.map((f) => (f.key === key ? { ...f, required: e.target.checked } : f)))}
                >
                  必填
                </Checkbox>
              </>
            )}
          </div>
        );
      })}
      <FormError>{error}</FormError>
    </fieldset>
  );
}

/** Selects whether the parties exchange a phone or an email in the step. The step's actor determines who operates the game. */
function ExchangeField({
  step,
  error,
  onChange,
}: {
  step: StepDoc;
  error: Message | undefined;
  onChange: (step: StepDoc) => void;
}) {
  const help =
    step.exchange === undefined
      ? '换绑手机或邮箱的步骤选一种，号码和验证码由双方在密封格里传递'
      : step.actor === 'buyer'
        ? '买家自己在游戏里换绑：旧手机（邮箱）的验证码由卖家封存给买家'
        : '卖家在游戏里换绑：买家封存新号码，以及新手机（邮箱）收到的验证码';
  return (
    <Field label="双方互传的内容" error={error} help={help}>
      {(control) => (
        <Select
          {...control}
          small
          value={step.exchange ?? ''}
          onChange={(e) => {
            const { exchange: _before, ...rest } = step;
            const next = e.target.value;
            onChange(cleaned({ ...rest, ...((next === 'phone' || next === 'mail') && { exchange: next }) }));
          }}
        >
          <option value="">没有</option>
          <option value="phone">换绑手机：新号码与验证码</option>
          <option value="mail">换绑邮箱：新邮箱与验证码</option>
        </Select>
      )}
    </Field>
  );
}

/** When the listing makes the step unnecessary: a field with a value, and the text shown in the order. */
function Unless({
  form,
  step,
  path,
  onChange,
}: {
  form: GameForm;
  step: StepDoc;
  path: string;
  onChange: (step: StepDoc) => void;
}) {
  const { doc, errors } = form;
  const rules = step.unless ?? [];
  const usable = doc.fields.filter((f) => !f.retired && valuesOf(f).length > 0);
  const put = (next: Rule[]) => onChange(cleaned({ ...step, unless: next }));
  const set = (at: number, part: Partial<Rule>) => put(rules.map((r, i) => (i === at ? { ...r, ...part } : r)));
  const first = usable[0];
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1 text-13 font-medium">什么时候不需要这一步</legend>
      {rules.map((rule, at) => {
        const field = doc.fields.find((f) => f.key === rule.field);
        return (
          <div key={at}>
            <div className="flex flex-wrap items-center gap-2">
              <Select
                small
                className="w-32!"
                aria-label={`条件 ${at + 1} 的填写项`}
                value={rule.field}
                onChange={(e) => {
                  const next = doc.fields.find((f) => f.key === e.target.value);
                  set(at, { field: e.target.value, value: (next && valuesOf(next)[0]) ?? '' });
                }}
              >
                {!field && <option value={rule.field}>{rule.field}（本游戏没有）</option>}
                {usable.map((f) => (
                  <option key={f.key} value={f.key}>
                    {f.label}
                  </option>
                ))}
              </Select>
              是
              <Select
                small
                className="w-32!"
                aria-label={`条件 ${at + 1} 的值`}
                aria-invalid={errors[`${path}.unless.${at}.value`] ? true : undefined}
                value={rule.value}
                onChange={(e) => set(at, { value: e.target.value })}
              >
                {!(field && valuesOf(field).includes(rule.value)) && <option value={rule.value}>{rule.value}</option>}
                {field && valuesOf(field).map((value) => <option key={value}>{value}</option>)}
              </Select>
              <Input
                small
                className="w-52!"
                aria-label={`条件 ${at + 1} 的理由`}
                placeholder="例如：不可换绑手机"
                maxLength={60}
                value={rule.reason}
                onChange={(e) => set(at, { reason: e.target.value })}
              />
              <Button
                size="sm"
                kind="ghost"
                icon
                aria-label={`移除条件 ${at + 1}`}
                onClick={() => put(rules.filter((_, i) => i !== at))}
              >
                <X className="icon size-3.5" aria-hidden="true" />
              </Button>
            </div>
            <FormError>{errors[`${path}.unless.${at}.value`]}</FormError>
          </div>
        );
      })}
      {first && (
        <div>
          <Button
            size="sm"
            kind="ghost"
            onClick={() => put([...rules, { field: first.key, value: valuesOf(first)[0] ?? '', reason: '' }])}
          >
            <Plus className="icon size-3.5" aria-hidden="true" />
            加一个条件
          </Button>
        </div>
      )}
    </fieldset>
  );
}

/** One hand-over step. */
export function StepForm({
  form,
  step,
  path,
  onChange,
}: {
  form: GameForm;
  step: StepDoc;
  path: string;
  onChange: (step: StepDoc) => void;
}) {
  const { errors } = form;
  const err = (name: string) => errors[`${path}.${name}`] ?? undefined;
  const set = (part: Partial<StepDoc>) => onChange({ ...step, ...part });
  return (
    <section className="panel min-w-0" aria-label={`步骤：${step.title}`}>
      <div className="flex items-center gap-2 border-b border-line-soft px-4 py-2.5">
        <h2 className="truncate text-14 font-semibold">{step.title || '新的一步'}</h2>
        <code className="text-12 text-ink-3">{step.key}</code>
      </div>
      <div className="grid gap-3 p-4">
        <div className="grid gap-3 sm:grid-cols-2">
          <TextField
            label="名称"
            required
            maxLength={20}
            value={step.title}
            error={err('title')}
            onChange={(title) => set({ title })}
          />
          <TextField
            label="标识"
            required
            maxLength={32}
            value={step.key}
            error={err('key')}
            help="小写字母、数字和下划线"
            onChange={(key) => set({ key })}
          />
          <Field label="谁来做" required error={err('actor')}>
            {(control) => (
              <Select
                {...control}
                small
                value={step.actor}
                onChange={(e) => set({ actor: e.target.value as StepDoc['actor'] })}
              >
                <option value="seller">卖家</option>
                <option value="buyer">买家</option>
                <option value="staff">客服</option>
              </Select>
            )}
          </Field>
          <NumberField
            label="时限（分钟）"
            required
            value={step.minutes}
            error={err('minutes')}
            help="60 是 1 小时，1440 是 1 天"
            onChange={(minutes) => set({ minutes: minutes ?? Number.NaN })}
          />
        </div>
        <Field label="怎么做" required error={err('explain')} help="做这一步的人会看到">
          {(control) => (
            <Textarea
              {...control}
              rows={2}
              maxLength={200}
              value={step.explain}
              onChange={(e) => set({ explain: e.target.value.replaceAll('\n', ' ') })}
            />
          )}
        </Field>
        <div className="flex flex-wrap gap-x-5 gap-y-2">
          <Checkbox checked={step.beforeShip} onChange={(e) => set({ beforeShip: e.target.checked })}>
            发货前做
          </Checkbox>
          <Checkbox checked={step.required} onChange={(e) => set({ required: e.target.checked })}>
            必做
          </Checkbox>
          <Checkbox checked={step.evidence} onChange={(e) => set({ evidence: e.target.checked })}>
            要上传截图
          </Checkbox>
          <Checkbox
            checked={step.secret === true}
            onChange={(e) =>
              onChange(
                e.target.checked
                  ? { ...step, secret: true, fields: [{ key: 'account', required: true }] }
                  : cleaned({ ...step, secret: false, fields: [] }),
              )
            }
          >
            密封提交资料
          </Checkbox>
        </div>
        <ExchangeField step={step} error={err('exchange')} onChange={onChange} />
        <FormError>{err('beforeShip') ?? err('secret')}</FormError>
        {step.secret && <SealedFields step={step} error={err('fields')} onChange={onChange} />}
        <Unless form={form} step={step} path={path} onChange={onChange} />
      </div>
    </section>
  );
}
