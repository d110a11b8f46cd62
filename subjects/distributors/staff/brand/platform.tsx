import { useState } from 'react';
import { addBrandHost, changeBrandHost, setBrandTerms } from '#subjects/distributors/contract/staff-brands.ts';
import { rateText } from '#contract/rules/fee.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { Section } from '#subjects/back-office/staff/parts/form/section.tsx';
import { type TermsDraft, TermsDraftPanel } from './terms-draft.tsx';
import type { BrandInfo } from './use-brand-form.ts';

/** The actions on a host that is not the primary one. */
const otherActions = (
  redirects: boolean,
): readonly (readonly [act: 'primary' | 'redirect' | 'serve', label: string])[] => [
  ['primary', '设为主域名'],
  redirects ? ['serve', '不再跳转'] : ['redirect', '跳到主域名'],
];

/** The preview's frames may show only the hosts known when the page was opened; the input is kept as a draft. */
const reopen = (): void => window.location.reload();

/** The brand's hosts, effective immediately. Only the platform changes them. */
export function HostSection({ info }: { info: BrandInfo }) {
  const { distId, hosts, may } = info;
  const [host, setHost] = useState('');
  const {
    form: ref,
    submit,
    errors,
    error,
    busy,
  } = useMutation(addBrandHost, {
    fields: ['host'],
    revalidates: true,
    done: (done) => {
      setHost('');
      toast(`${done.host} 已生效`, 'ok');
      if (hosts.length === 0) reopen();
    },
  });
  const change = useMutation(changeBrandHost, {
    place: ({ host: name }) => name,
    revalidates: true,
    done: (_, { act: action }) => {
      if (action === 'primary') reopen();
    },
  });
  return (
    <Section id="hosts" title="域名" note="立刻生效，不随版本走；证书由前面的代理申请">
      <ul className="grid gap-1">
        {hosts.map(({ host: name, isPrimary, redirects }) => (
          <li key={name} className="flex flex-wrap items-center gap-2 border-b border-line-soft py-1.5 text-13">
            <b className="font-medium">{name}</b>
            {isPrimary && <Tag tone="safe">主域名</Tag>}
            {redirects && <Tag>跳到主域名</Tag>}
            {may.manage && (
              <span className="ml-auto flex gap-1">
                {!isPrimary &&
                  otherActions(redirects).map(([action, label]) => (
                    <Button
                      key={action}
                      size="sm"
                      kind="ghost"
                      busy={change.pending?.host === name && change.pending.act === action}
                      onClick={() => void change.send({ distId, host: name, act: action })}
                    >
                      {label}
                    </Button>
                  ))}
                <Button
                  size="sm"
                  kind="ghost"
                  busy={change.pending?.host === name && change.pending.act === 'remove'}
                  onClick={() => void change.send({ distId, host: name, act: 'remove' })}
                >
                  移除
                </Button>
              </span>
            )}
            <FormError className="basis-full">{change.errors[name]}</FormError>
          </li>
        ))}
        {hosts.length === 0 && <li className="text-13 text-ink-3">还没有域名，顾客打不开这个品牌</li>}
      </ul>
      {may.manage ? (
        <form ref={ref} noValidate className="flex items-end gap-2" onSubmit={submit(() => ({ distId, host }))}>
          <Field
            label="加域名"
            help="先把它解析到本站服务器，再在这里添加"
            error={errors.host ?? error}
            required
            className="min-w-0 flex-1"
          >
            {(control) => (
              <Input
                {...control}
                value={host}
                placeholder="www.example.com"
                onChange={(e) => setHost(e.target.value)}
              />
            )}
          </Field>
          <Button type="submit" busy={busy} className="mb-6">
            添加
          </Button>
        </form>
      ) : (
        <p className="text-12 text-ink-3">域名由平台添加</p>
      )}
    </Section>
  );
}

const percent = (bp: number): string => String(bp / 100);
const asBp = (text: string): number => Math.round(Number(text) * 100);

/**
 * Mark-up and commission from a time on. Only for the platform; once there are orders, a change needs two people; existing orders keep their
 * rates.
 */
export function TermsSection({ info, draft }: { info: BrandInfo; draft: TermsDraft | null }) {
  const { distId, terms } = info;
  const [form, setForm] = useState({
    markUp: percent(terms?.markUpBp ?? 0),
    commission: percent(terms?.commissionBp ?? 0),
    startTime: '',
    reason: '',
  });
  const {
    busy,
    errors,
    error,
    submit,
    form: ref,
  } = useMutation(setBrandTerms, {
    fields: { markUpBp: 'markUp', commissionBp: 'commission', startTime: 'startTime', reason: 'reason' },
    revalidates: 'always',
    done: ({ state }) => {
      setForm({ ...form, startTime: '', reason: '' });
      toast(state === 'waiting' ? '已提交，待另一位同事复核' : '新费率已记下', 'ok');
    },
  });
  if (!terms) return null;
  const text = (label: string, name: keyof typeof form, help: string, type = 'text', required = true) => (
    <Field label={label} help={help} required={required} error={errors[name]}>
      {(control) => (
        <Input
          {...control}
          type={type}
          value={form[name]}
          onChange={(e) => setForm({ ...form, [name]: e.target.value })}
        />
      )}
    </Field>
  );
  return (
    <Section
      id="terms"
      title="加价与佣金"
      note={`现在加价 ${rateText(terms.markUpBp)}，佣金 ${rateText(terms.commissionBp)}；已下的订单不变`}
    >
      {draft && <TermsDraftPanel distId={distId} draft={draft} />}
      <form
        ref={ref}
        noValidate
        className="grid gap-3"
        onSubmit={submit(() => ({
          distId,
          base: terms.base,
          markUpBp: asBp(form.markUp),
          commissionBp: asBp(form.commission),
          startTime: form.startTime,
          reason: form.reason,
        }))}
      >
        {text('加价（商品价的 %）', 'markUp', '加在买家服务费上，全部归这个品牌；最多 30')}
        {text('佣金（占手续费的 %）', 'commission', '卖家佣金与买家服务费之和里，分给这个品牌的份额')}
        {text('从什么时候起', 'startTime', '中国时间；留空就从现在起', 'datetime-local', false)}
        {text('原因', 'reason', '例如：新合同')}
        <FormError>{error}</FormError>
        <div>
          <Button type="submit" busy={busy}>
            记下新费率
          </Button>
        </div>
      </form>
      <ul className="grid gap-1 text-13">
        {terms.list.map((row) => (
          <li key={row.version} className="flex flex-wrap gap-x-3">
            <b className="font-medium">
              加价 {rateText(row.markUpBp)}，佣金 {rateText(row.commissionBp)}
            </b>
            <span>从 {fullAt(row.startTime)} 起</span>
            {row.isAhead && <Tag tone="attn">还没到</Tag>}
            <span className="text-ink-3">
              {row.staffName ?? '系统'}，{row.reason}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
