import { CircleX, FlaskConical } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { type LoaderFunctionArgs, useLoaderData, useNavigate } from 'react-router';
import { thirdPartyAuthorizationUserFromLogin } from '#subjects/accounts/contract/wechat.ts';
import { wechatPhoneInfo } from '#subjects/accounts/contract/wechat-phone.ts';
import { saveBindTicket } from '#web/lib/session/bind-ticket.ts';
import { market } from '#web/lib/pages/context.ts';
import { useHydrated } from '#web/lib/loading/use-hydrated.ts';
import { notFound } from '#web/lib/pages/not-found.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { finishWechat } from './parts/login/finish-wechat.ts';
import { takeReturn } from './parts/login/redirect-login.ts';
import { WechatIcon } from './parts/login/wechat-mark.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '微信登录', noindex: true });
}

const CODE = /^[\w.-]{1,200}$/;
const STATE = /^[0-9a-f]{32,64}$/;

/**
 * The return of a provider's redirect. Nothing in it is trusted: the state must be of a log-in that this browser has
 * started, which the call checks, and the code is exchanged by the server.
 */
export async function loader(args: LoaderFunctionArgs) {
  if (args.params.provider !== 'wechat') return notFound('没有这种登录方式');
  const { services, call } = market(args);
  const code = args.url.searchParams.get('code') ?? '';
  const state = args.url.searchParams.get('state') ?? '';
  const problem = (text: string) => ({ problem: text, code: '', state: '', plays: false, act: 'login' as const });
  if (!services.wechatLogin) return problem('本站没有开通微信登录');
  if (!STATE.test(state)) return problem('登录已失效，请重新登录');
  // WeChat returns without a code when its user declines.
  if (!CODE.test(code)) return problem('没有得到微信的授权，没有登录');
  const info = await call(wechatPhoneInfo, { code: state }).catch(() => null);
  if (info?.status !== 'pending') return problem('登录已失效，请重新登录');
  return { problem: null, code, state, plays: info.plays, act: info.act };
}

/** Exchanges the code once and continues according to the result of the log-in. */
function useReturn({ code, state }: { code: string; state: string }) {
  const navigate = useNavigate();
  const { busy, error, send } = useMutation(thirdPartyAuthorizationUserFromLogin, {
    done: ({ login, bindTicket, bound }) => {
      if (bound) void navigate('/center/myself/thirdPartyBinding', { replace: true });
      else if (bindTicket !== null) {
        saveBindTicket(bindTicket);
        const back = takeReturn();
        void navigate(back === null ? '/login' : `/login?returnUrl=${encodeURIComponent(back)}`, { replace: true });
      } else if (login) void finishWechat(login, takeReturn());
      return true;
    },
  });
  return { busy, error, exchange: () => send({ provider: 'wechat', code, state }) };
}

/** The real provider has already asked its user, so the code is exchanged immediately; for the demo's provider this page asks. */
function Exchange({
  code,
  state,
  plays,
  act: action,
}: {
  code: string;
  state: string;
  plays: boolean;
  act: 'login' | 'bind';
}) {
  const { busy, error, exchange } = useReturn({ code, state });
  const hydrated = useHydrated();
  const begun = useRef(plays);
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    void exchange();
  });
  if (error) return <Failed text={error} />;
  if (!plays)
    return (
      <p className="text-center text-13 text-ink-2" role="status">
        正在登录…
      </p>
    );
  return (
    <div className="grid gap-4">
      <p className="flex items-start gap-2 rounded-control border border-attn-line bg-attn-bg px-3 py-2 text-12 text-attn">
        <FlaskConical className="icon mt-px" aria-hidden="true" />
        演示微信：这里代替微信的授权，没有连接真的微信。
      </p>
      <Button kind="primary" size="lg" busy={busy} disabled={!hydrated} onClick={() => void exchange()}>
        {action === 'bind' ? '用演示微信绑定' : '用演示微信登录'}
      </Button>
      <ButtonLink to="/login" size="lg">
        取消
      </ButtonLink>
    </div>
  );
}

function Failed({ text }: { text: string }) {
  return (
    <div className="grid justify-items-center gap-4 py-2 text-center">
      <CircleX className="icon size-10 text-ink-3" strokeWidth={1.25} aria-hidden="true" />
      <p className="text-14 font-medium" role="alert">
        {text}
      </p>
      <ButtonLink to="/login" kind="primary">
        重新登录
      </ButtonLink>
    </div>
  );
}

/** The page to which a provider redirects the browser after a log-in on the same device. In the demo market it says that it is a demo. */
export default function ThirdPartyReturn() {
  const data = useLoaderData<typeof loader>();
  return (
    <section className="panel w-full max-w-90 p-6" aria-labelledby="third-party">
      <h1 id="third-party" className="mb-5 flex items-center justify-center gap-2 text-16 font-semibold">
        <WechatIcon className="size-5 text-safe" />
        微信登录
      </h1>
      {data.problem === null ? <Exchange {...data} /> : <Failed text={data.problem} />}
    </section>
  );
}
