import { CampaignStatus } from '#contract/rules/statuses.ts';
import { useId, useState } from 'react';
import { createCampaign } from '#subjects/promotions/contract/staff-campaigns.ts';
import { amountError } from '#contract/rules/amounts.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { type Errors } from '#web/lib/forms/form-values.ts';
import { grouped } from '#web/lib/format/format.ts';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Input, Select } from '#web/ui/forms/input.tsx';
import { SiteSelect } from '#subjects/back-office/staff/parts/form/site-select.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { FormFooter } from '#subjects/back-office/staff/parts/form-footer.tsx';

const FIELDS = [
  { name: 'name', label: '活动名称', placeholder: '新人商品券', help: '用户看到的名字' },
  { name: 'code', label: '活动编号', placeholder: 'NEW10', help: '字母、数字、下划线或短横线，不可重复' },
  { name: 'amount', label: '面额（元）', placeholder: '10', help: '' },
  { name: 'minimum', label: '使用门槛（元）', placeholder: '100', help: '商品金额满多少可用，0 为无门槛' },
  { name: 'total', label: '发放数量', placeholder: '1000', help: '' },
  { name: 'perPerson', label: '每人限领', placeholder: '1', help: '' },
  { name: 'validDays', label: '领取后有效天数', placeholder: '7', help: '' },
  { name: 'runDays', label: '活动天数', placeholder: '30', help: '从开始时算起' },
] as const;

type Values = Record<(typeof FIELDS)[number]['name'], string>;
const EMPTY: Values = {
  name: '',
  code: '',
  amount: '',
  minimum: '0',
  total: '',
  perPerson: '1',
  validDays: '7',
  runDays: '30',
};

const LABELS = { amount: '面额', minimum: '使用门槛' };

const COUNTS = { total: 1_000_000, perPerson: 100, validDays: 365, runDays: 365 };

const countError = (text: string, max: number): string | undefined =>
  /^[1-9]\d{0,6}$/.test(text.trim()) && Number(text) <= max ? undefined : `请填写 1 到 ${grouped(max)} 的整数`;

/** Client-side checks, run before the request. */
const wrongWith = (values: Values, odds: string): Errors => ({
  ...([...values.name.trim()].length < 2 && { name: '请填写活动名称，至少 2 个字' }),
  ...(!/^[A-Za-z0-9_-]{3,40}$/.test(values.code.trim()) && { code: '3 到 40 位字母、数字、下划线或短横线' }),
  ...Object.fromEntries(
    (Object.keys(COUNTS) as (keyof typeof COUNTS)[])
      .map((name) => [name, countError(values[name], COUNTS[name])] as const)
      .filter(([, message]) => message !== undefined),
  ),
  ...Object.fromEntries(
    (['amount', 'minimum'] as const)
      .map((name) => [name, amountError(values[name].trim(), LABELS[name])] as const)
      .filter(([, message]) => message !== null),
  ),
  ...(odds !== '' && !/^\d{1,3}(\.\d{1,2})?$/.test(odds) && { odds: '中奖概率应为百分数，最多两位小数' }),
});

/** Form for a new campaign. After an error the input is kept and the message appears next to its field. */
export function NewCampaign({
  limit,
  sites,
  onDone,
  onClose,
}: {
  limit: string;
  sites: readonly { distId: number; name: string }[];
  onDone: () => void;
  onClose: () => void;
}) {
  const formId = useId();
  const [values, setValues] = useState<Values>(EMPTY);
  const [kind, setKind] = useState<'goods' | 'service' | 'guarantee'>('goods');
  const [odds, setOdds] = useState('');
  const [startTime, setStartTime] = useState('');
  const [distId, setDistId] = useState('');
  const { form, busy, errors, submit } = useMutation(createCampaign, {
    fields: {
      ...Object.fromEntries(FIELDS.map(({ name }) => [name, name])),
      oddsBp: 'odds',
      startTime: 'startTime',
      distId: 'distId',
    },
    check: () => wrongWith(values, odds.trim()),
    done: ({ status }) => {
      toast(status === CampaignStatus.Pending ? '已创建，等待另一位同事复核' : '已创建', 'ok');
      onDone();
    },
  });
  const read = () => ({
    ...values,
    amount: values.amount.trim(),
    minimum: values.minimum.trim(),
    kind,
    startTime,
    distId,
    oddsBp: odds.trim() === '' ? undefined : Math.round(Number(odds) * 100),
  });
  return (
    <Dialog
      title="新建优惠活动"
      busy={busy}
      onClose={onClose}
      closeOnBackdrop={false}
      footer={
        <FormFooter form={formId} busy={busy}>
          创建
        </FormFooter>
      }
    >
      <form id={formId} ref={form} noValidate className="grid gap-3 sm:grid-cols-2" onSubmit={submit(read)}>
        {FIELDS.map(({ name, label, placeholder, help }) => (
          <Field key={name} label={label} required help={help || undefined} error={errors[name]}>
            {(control) => (
              <Input
                {...control}
                autoComplete="off"
                placeholder={placeholder}
                value={values[name]}
                onChange={(event) => setValues({ ...values, [name]: event.target.value })}
              />
            )}
          </Field>
        ))}
        <Field label="类型" required>
          {(control) => (
            <Select {...control} value={kind} onChange={(event) => setKind(event.target.value as 'goods')}>
              <option value="goods">商品券</option>
              <option value="service">服务费券</option>
              <option value="guarantee">包赔券</option>
            </Select>
          )}
        </Field>
        <Field label="抽奖概率（%）" help="填写后只作抽奖奖品发放，会公开显示" error={errors.odds}>
          {(control) => (
            <Input
              {...control}
              inputMode="decimal"
              autoComplete="off"
              placeholder="不参加抽奖"
              value={odds}
              onChange={(event) => setOdds(event.target.value)}
            />
          )}
        </Field>
        <Field label="从何时起" help="北京时间；留空就从现在起" error={errors.startTime}>
          {(control) => (
            <Input
              {...control}
              type="datetime-local"
              value={startTime}
              onChange={(event) => setStartTime(event.target.value)}
            />
          )}
        </Field>
        <SiteSelect sites={sites} value={distId} error={errors.distId} onChange={setDistId} />
        <div className="grid gap-2 sm:col-span-2">
          <FormError>{errors.send}</FormError>
          <p className="text-12 text-ink-3">最多支出 = 面额 × 数量；超过 {limit} 元需另一位同事复核后开放。</p>
        </div>
      </form>
    </Dialog>
  );
}
