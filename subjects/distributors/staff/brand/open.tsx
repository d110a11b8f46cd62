import { PLATFORM_DIST_ID } from '#contract/rules/parties.ts';
import { useState } from 'react';
import { suspendBrand } from '#subjects/distributors/contract/staff-brands.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { Section } from '#subjects/back-office/staff/parts/form/section.tsx';
import type { BrandInfo } from './use-brand-form.ts';

/** Whether the brand accepts orders. Only the platform can stop it; open orders continue. */
export function OpenSection({ info }: { info: BrandInfo }) {
  const { distId, suspended, may } = info;
  const [form, setForm] = useState({ notice: '', reason: '' });
  const action = suspended ? 'resume' : 'suspend';
  const {
    busy,
    errors,
    error,
    submit,
    form: ref,
  } = useMutation(suspendBrand, {
    fields: ['notice', 'reason'],
    revalidates: 'always',
    done: () => {
      setForm({ notice: '', reason: '' });
      toast(suspended ? '已恢复接单' : '已暂停接单', 'ok');
    },
  });
  const input = (label: string, name: 'notice' | 'reason', help: string) => (
    <Field label={label} help={help} required={name === 'reason'} error={errors[name]}>
      {(control) => (
        <Input {...control} value={form[name]} onChange={(e) => setForm({ ...form, [name]: e.target.value })} />
      )}
    </Field>
  );
  return (
    <Section id="open" title="接单" note="2 秒内全站生效，不随版本走">
      <p className="flex flex-wrap items-center gap-2 text-13">
        {suspended ? <Tag tone="danger">暂停接单</Tag> : <Tag tone="safe">正常接单</Tag>}
        {suspended && <span className="text-ink-3">从 {fullAt(suspended.since)} 起</span>}
        {suspended?.notice && <span className="w-full text-ink-2">站点上写着：{suspended.notice}</span>}
      </p>
      {distId !== PLATFORM_DIST_ID && may.manage ? (
        <form
          ref={ref}
          noValidate
          className="grid gap-3"
          onSubmit={submit(() => ({ distId, act: action, reason: form.reason, notice: suspended ? '' : form.notice }))}
        >
          {!suspended && input('站点上的说明', 'notice', '显示在每一页顶上；留空就用通用的一句')}
          {input('原因', 'reason', '记入操作记录')}
          <FormError>{error}</FormError>
          <div>
            <Button type="submit" kind={suspended ? 'primary' : 'danger'} busy={busy}>
              {suspended ? '恢复接单' : '暂停接单'}
            </Button>
          </div>
        </form>
      ) : (
        <p className="text-12 text-ink-3">
          {distId === PLATFORM_DIST_ID ? '平台自己的站点总是开着' : '由平台暂停或恢复'}
        </p>
      )}
      <p className="text-12 text-ink-3">暂停后不能下新单；已下的订单照常付款、交付、确认和售后，顾客能登录和提现。</p>
    </Section>
  );
}
