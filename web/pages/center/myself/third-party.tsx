import { lazy, Suspense, useState } from 'react';
import { type LoaderFunctionArgs, useLoaderData, useRevalidator } from 'react-router';
import type { Data } from '#contract/endpoint.ts';
import { fullTime } from '#contract/rules/time-label.ts';
import { thirdPartyBindings, unBindThirdPartyAuthorization } from '#contract/wechat.ts';
import { call } from '#web/lib/api.ts';
import { market } from '#web/lib/context.ts';
import { pageMeta } from '#web/lib/site.ts';
import { CodeField } from '#web/parts/account/code-field.tsx';
import { typed } from '#web/parts/account/form-errors.ts';
import { SubmitButton } from '#web/parts/account/form-parts.tsx';
import { DemoCodes } from '#web/parts/account/frame.tsx';
import { codeProblem, sendOwnCode, useForm } from '#web/parts/account/use-form.ts';
import { WechatMark } from '#web/parts/login/wechat-mark.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { FormError } from '#web/ui/field.tsx';
import { toast } from '#web/ui/toast-store.ts';
import { loader as selfLoader } from './self-loader.ts';

const WechatDialog = lazy(() => import('#web/parts/login/wechat-dialog.lazy.tsx'));

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '第三方账号', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  const [self, { list }] = await Promise.all([selfLoader(args), market(args).call(thirdPartyBindings, {})]);
  return { ...self, list };
}

type Binding = Data<typeof thirdPartyBindings>['list'][number];

/** The owner shows an SMS code before a way to log in is added or taken away. */
function ProveDialog({
  title,
  act,
  phoneMask,
  demoCodes,
  send,
  onDone,
  onClose,
}: {
  title: string;
  act: string;
  phoneMask: string;
  demoCodes: boolean;
  send: (smsCode: string) => Promise<unknown>;
  onDone: (smsCode: string) => void;
  onClose: () => void;
}) {
  const state = useForm({
    fields: ['smsCode'],
    check: (form) => ({ smsCode: codeProblem(form) }),
    send: (form) => send(typed(form, 'smsCode')),
    done: (_, form) => {
      onDone(typed(form, 'smsCode'));
      return true;
    },
  });
  const { form, errors, busy, submit } = state;
  return (
    <Dialog title={title} onClose={onClose}>
      <form ref={form} method="post" noValidate className="grid gap-4" onSubmit={(event) => void submit(event)}>
        <CodeField error={errors.smsCode} help={`发送到 ${phoneMask}`} send={() => sendOwnCode(state, 'thirdParty')} />
        <FormError>{errors.send}</FormError>
        <SubmitButton busy={busy}>{act}</SubmitButton>
        <DemoCodes shown={demoCodes} />
      </form>
    </Dialog>
  );
}

function Row({ binding, onAct }: { binding: Binding; onAct: () => void }) {
  const { provider, name, bound, open, bindTime } = binding;
  return (
    <li className="flex items-center gap-3 border-b border-line-soft px-4 py-3.5 last:border-b-0">
      <span className="grid size-10 flex-none place-items-center rounded-full bg-sunken text-13 font-semibold text-ink-3">
        {provider === 'wechat' ? <WechatMark className="size-5 text-safe" /> : 'QQ'}
      </span>
      <span className="grid min-w-0 flex-1">
        <b className="text-14 font-medium">{name}</b>
        <span className="text-13 text-ink-2">
          {bound && bindTime
            ? `${fullTime(Date.parse(bindTime))} 绑定，可以扫码登录`
            : open
              ? '绑定后可以扫码登录，不用再等验证码'
              : '暂未开放，敬请期待！'}
        </span>
      </span>
      {open && (
        <Button size="sm" kind={bound ? 'plain' : 'tonal'} onClick={onAct}>
          {bound ? '解除绑定' : '去绑定'}
        </Button>
      )}
    </li>
  );
}

/** Ways to log in beside phone and password. */
export default function ThirdPartyPage() {
  const { list, user, demoCodes } = useLoaderData<typeof loader>();
  const { revalidate } = useRevalidator();
  const [step, setStep] = useState<'bind' | 'scan' | 'unbind' | null>(null);
  const [smsCode, setSmsCode] = useState('');
  const close = () => setStep(null);
  const proof = { phoneMask: user.phoneMask, demoCodes, onClose: close };
  const finish = (words: string) => {
    close();
    toast(words, 'ok');
    void revalidate();
  };
  return (
    <section className="panel" aria-labelledby="third-party">
      <div className="panel-head">
        <h1 id="third-party" className="text-16 font-semibold">
          第三方账号
        </h1>
        <p>每种方式绑定一个，绑定和解除都要验证手机</p>
      </div>
      <ul>
        {list.map((binding) => (
          <Row key={binding.provider} binding={binding} onAct={() => setStep(binding.bound ? 'unbind' : 'bind')} />
        ))}
      </ul>
      {step === 'bind' && (
        <ProveDialog
          {...proof}
          title="绑定微信"
          act="下一步"
          send={() => Promise.resolve()}
          onDone={(code) => {
            setSmsCode(code);
            setStep('scan');
          }}
        />
      )}
      {step === 'scan' && (
        <Suspense fallback={null}>
          <WechatDialog act="bind" smsCode={smsCode} onClose={close} onDone={() => finish('已绑定微信')} />
        </Suspense>
      )}
      {step === 'unbind' && (
        <ProveDialog
          {...proof}
          title="解除微信绑定"
          act="解除绑定"
          send={(code) => call(unBindThirdPartyAuthorization, { provider: 'wechat', smsCode: code }, { quiet: true })}
          onDone={() => finish('已解除绑定')}
        />
      )}
    </section>
  );
}
