import { useState } from 'react';
import { setLinkPushToken, type staffLinkPush, testLinkPush } from '#subjects/link-push/contract/staff-link-push.ts';
import type { Data } from '#contract/endpoint.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { Section } from '#subjects/back-office/staff/parts/form/section.tsx';

type Push = Data<typeof staffLinkPush>;

const STATES: Readonly<Record<Push['state'], string>> = {
  on: '新上架和有变化的商品、公告和案例会自动提交给百度',
  'stand-in': '演示市场：只在这里计数，不会真的提交给百度',
  off: '平台关闭了搜索引擎推送，密钥会保留',
};

/** The results of today's submissions. */
function Today({ push }: { push: Push }) {
  const { accepted, remaining, waiting, sentTime, failure, refused } = push;
  const figures = [
    ['今天已推送', `${accepted} 个`],
    ['今天还可推送', remaining === null ? '推送后显示' : `${remaining} 个`],
    ['等待推送', `${waiting} 个`],
    ['最近一次', sentTime === null ? '还没有推送' : fullAt(sentTime)],
  ] as const;
  return (
    <>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-2 text-13">
        {figures.map(([label, text]) => (
          <div key={label}>
            <dt className="text-12 text-ink-3">{label}</dt>
            <dd className="tabular-nums">{text}</dd>
          </div>
        ))}
      </dl>
      {failure && (
        <p className="rounded-control bg-attn-bg px-3 py-2 text-13 text-attn">
          {fullAt(failure.time)}：{failure.text}
          {failure.untilTime && `（${fullAt(failure.untilTime)} 后再推送）`}
        </p>
      )}
      {refused.length > 0 && (
        <ul className="grid gap-0.5 text-12 text-ink-3">
          {refused.map((path) => (
            <li key={path} className="truncate">
              未被接受：{path}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** The token's form and what was submitted. The token itself is never shown. */
export function PushSection({ distId, push }: { distId: number; push: Push }) {
  const { state, site, token, maySet } = push;
  const [form, setForm] = useState({ token: '', reason: '' });
  const {
    form: ref,
    submit,
    errors,
    error,
    busy,
  } = useMutation(setLinkPushToken, {
    fields: ['token', 'reason'],
    revalidates: 'always',
    check: (input) => ({ token: input.token.trim() === '' ? '请填写推送密钥' : undefined }),
    done: () => {
      setForm({ token: '', reason: '' });
      toast('推送密钥已保存', 'ok');
    },
  });
  const stop = useMutation(setLinkPushToken, {
    revalidates: 'always',
    done: () => toast('已停止推送', 'ok'),
  });
  const trial = useMutation(testLinkPush, {
    revalidates: 'always',
    done: ({ ok, text }): void => {
      if (ok) toast(text, 'ok');
      else trial.setErrors({ send: text });
    },
  });
  const field = (label: string, name: keyof typeof form, help: string) => (
    <Field label={label} help={help} required error={errors[name]}>
      {(control) => (
        <Input
          {...control}
          type={name === 'token' ? 'password' : 'text'}
          autoComplete="off"
          value={form[name]}
          onChange={(e) => setForm({ ...form, [name]: e.target.value })}
        />
      )}
    </Field>
  );
  return (
    <Section id="push" title="百度推送" note={STATES[state]}>
      <p className="flex flex-wrap items-center gap-2 text-13">
        {token ? <Tag tone="safe">已填密钥</Tag> : <Tag>未填密钥</Tag>}
        {state === 'stand-in' && <Tag tone="attn">演示</Tag>}
        {state === 'off' && <Tag>已关闭</Tag>}
        <span className="text-ink-3">
          {token ? `${token.setBy ?? '系统'}，${fullAt(token.setTime)}` : '不填就不推送，站点地图仍然可用'}
        </span>
      </p>
      {token && <Today push={push} />}
      {maySet ? (
        <form ref={ref} noValidate className="grid gap-3" onSubmit={submit(() => ({ distId, ...form }))}>
          {field('推送密钥', 'token', `在百度搜索资源平台验证 ${site ?? '主域名'} 后，从“普通收录”复制 token`)}
          {field('原因', 'reason', '记入操作记录')}
          <FormError>{error}</FormError>
          <FormError>{stop.error}</FormError>
          <FormError>{trial.error}</FormError>
          <div className="flex flex-wrap gap-2">
            <Button type="submit" busy={busy}>
              {token ? '更换密钥' : '保存密钥'}
            </Button>
            {token && (
              <>
                <Button kind="ghost" busy={trial.busy} onClick={() => void trial.send({ distId })}>
                  试推一次
                </Button>
                <Button
                  kind="ghost"
                  busy={stop.busy}
                  onClick={() => void stop.send({ distId, token: '', reason: form.reason || '停止推送' })}
                >
                  停止推送
                </Button>
              </>
            )}
          </div>
        </form>
      ) : (
        <p className="text-12 text-ink-3">推送密钥由平台填写</p>
      )}
    </Section>
  );
}
