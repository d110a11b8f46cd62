import { useState } from 'react';
import { type LoaderFunctionArgs, useLoaderData, useRevalidator } from 'react-router';
import type { Data } from '#contract/endpoint.ts';
import { fullTime } from '#contract/rules/time/time-label.ts';
import { stepUpState } from '#subjects/accounts/contract/step-up.ts';
import { thirdPartyBindings, unBindThirdPartyAuthorization } from '#subjects/accounts/contract/wechat.ts';
import { call } from '#web/lib/api/api.ts';
import { lazyWithRetry } from '#web/lib/loading/lazy.tsx';
import { market } from '#web/lib/pages/context.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { WechatIcon } from '../web/parts/login/wechat-mark.tsx';
import { ConfirmDialog } from '#web/parts/confirm-dialog.tsx';
import { stepUpPrompt } from '#web/lib/session/prompt.ts';
import { withStepUp } from '#web/lib/session/step-up.ts';
import { Button } from '#web/ui/button.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { loader as selfLoader } from './self-loader.ts';

const WechatDialog = lazyWithRetry(() => import('../web/parts/login/wechat-dialog.lazy.tsx'));

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '第三方账号', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  const [self, { list }] = await Promise.all([selfLoader(args), market(args).call(thirdPartyBindings, {})]);
  return { ...self, list };
}

type Binding = Data<typeof thirdPartyBindings>['list'][number];

function Row({ binding, onAction }: { binding: Binding; onAction: () => void }) {
  const { provider, name, bound, open, bindTime } = binding;
  return (
    <li className="flex items-center gap-3 border-b border-line-soft px-4 py-3.5 last:border-b-0">
      <span className="grid size-10 flex-none place-items-center rounded-full bg-sunken text-13 font-semibold text-ink-3">
        {provider === 'wechat' ? <WechatIcon className="size-5 text-safe" /> : 'QQ'}
      </span>
      <span className="grid min-w-0 flex-1">
        <b className="text-14 font-medium">{name}</b>
        <span className="text-13 text-ink-2">
          {bound && bindTime
            ? `${fullTime(Date.parse(bindTime))} 绑定，${open ? '可以扫码登录' : '本站已关闭微信登录，只能解除'}`
            : open
              ? '绑定后可以扫码登录，不用再等验证码'
              : provider === 'wechat'
                ? '本站没有开通微信登录'
                : '暂未开放，敬请期待！'}
        </span>
      </span>
      {(open || bound) && (
        <Button size="sm" kind={bound ? 'plain' : 'tonal'} onClick={onAction}>
          {bound ? '解除绑定' : '去绑定'}
        </Button>
      )}
    </li>
  );
}

/** Third-party log-in methods. */
export default function ThirdPartyPage() {
  const { list } = useLoaderData<typeof loader>();
  const { revalidate } = useRevalidator();
  const [isScanning, setScanning] = useState(false);
  const [isUnbinding, setUnbinding] = useState(false);
  const finish = (message: string) => {
    setScanning(false);
    setUnbinding(false);
    toast(message, 'ok');
    void revalidate();
  };
  const bind = async () => {
    // The call itself shows its error.
    const state = await call(stepUpState, { purpose: 'thirdParty' }).catch(() => null);
    if (state && (state.isFresh || (await stepUpPrompt.ask('thirdParty')))) setScanning(true);
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
          <Row
            key={binding.provider}
            binding={binding}
            onAction={() => (binding.bound ? setUnbinding(true) : void bind())}
          />
        ))}
      </ul>
      <ul className="grid gap-1.5 border-t border-line-soft px-4 py-4 text-13 text-ink-3">
        <li>绑定后扫码即可登录，登录密码和手机号仍然有效。</li>
        <li>绑定微信后，订单与资金提醒可以发到微信，在「消息通知」里选择。</li>
        <li>授权只用来识别您的微信，不会读取好友，也不会代您发消息。</li>
      </ul>
      {isScanning && <WechatDialog act="bind" onClose={() => setScanning(false)} onDone={() => finish('已绑定微信')} />}
      {isUnbinding && (
        <ConfirmDialog
          title="解除微信绑定"
          action="解除绑定"
          back="再想想"
          question="解除后不能再用微信扫码登录，订单提醒也不再发到这个微信。"
          send={(_, options) =>
            withStepUp('thirdParty', () => call(unBindThirdPartyAuthorization, { provider: 'wechat' }, options))
          }
          onDone={() => finish('已解除绑定')}
          onClose={() => setUnbinding(false)}
        />
      )}
    </section>
  );
}
