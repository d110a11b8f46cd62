import { CircleCheck, CircleX, FlaskConical, Smartphone } from 'lucide-react';
import { type FormEvent, useEffect, useState } from 'react';
import { type LoaderFunctionArgs, useLoaderData, useSearchParams } from 'react-router';
import {
  wechatPhoneConfirm,
  wechatPhoneInfo,
  wechatPhoneScan,
  wechatPlay,
} from '#subjects/accounts/contract/wechat-phone.ts';
import { notFound } from '#web/lib/pages/not-found.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { call } from '#web/lib/api/api.ts';
import { market } from '#web/lib/pages/context.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { WechatIcon } from './parts/login/wechat-mark.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '微信确认', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  const code = args.params.code ?? '';
  if (!/^[0-9a-f]{32,64}$/.test(code)) return notFound('二维码不正确，请重新扫码');
  return { code, info: await market(args).call(wechatPhoneInfo, { code }) };
}

type Info = ReturnType<typeof useLoaderData<typeof loader>>['info'];
type Stage = 'who' | 'ask' | 'confirmed' | 'cancelled' | 'expired';

/** The steps on the phone: WeChat identifies the user, the user confirms. An error is shown and leaves the step unchanged. */
function usePhone(code: string, info: Info) {
  const [stage, setStage] = useState<Stage>(info.status === 'pending' ? 'who' : 'expired');
  const [phoneKey, setPhoneKey] = useState('');
  const scanned = async (authCode: string) => {
    const { phoneKey: key } = await call(wechatPhoneScan, { code, authCode }, { quiet: true });
    setPhoneKey(key);
    setStage('ask');
  };
  const { busy, error, send } = useMutation((step: () => Promise<void>) => step());
  const scan = (authCode: string) => send(() => scanned(authCode));
  const play = (account: string) =>
    send(async () => {
      const { authCode } = await call(wechatPlay, { account }, { quiet: true });
      await scanned(authCode);
    });
  const respond = (decision: 'confirm' | 'cancel') =>
    send(async () => {
      await call(wechatPhoneConfirm, { code, phoneKey, act: decision }, { quiet: true });
      setStage(decision === 'confirm' ? 'confirmed' : 'cancelled');
    });
  return { stage, busy, error, scan, play, answer: respond };
}

/** The demo market's WeChat: the entered name identifies the user; the same name always gives the same user. */
function Played({ busy, error, onPlay }: { busy: boolean; error: string | null; onPlay: (account: string) => void }) {
  const [account, setAccount] = useState('演示微信');
  const [missing, setMissing] = useState<string | null>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const name = account.trim();
    setMissing(name ? null : '请输入微信名');
    if (name) onPlay(name);
  };
  return (
    <form className="grid gap-4" onSubmit={submit} noValidate>
      <p className="flex items-start gap-2 rounded-control border border-attn-line bg-attn-bg px-3 py-2 text-12 text-attn">
        <FlaskConical className="icon mt-px" aria-hidden="true" />
        演示手机：这里代替手机上的微信，同一个名字就是同一个微信。
      </p>
      <Field label="用哪个微信" required error={missing ?? error}>
        {(control) => (
          <Input
            {...control}
            value={account}
            maxLength={20}
            autoComplete="off"
            onChange={(event) => setAccount(event.target.value)}
          />
        )}
      </Field>
      <Button type="submit" kind="primary" size="lg" busy={busy}>
        扫码
      </Button>
    </form>
  );
}

function ConfirmStep({
  info,
  busy,
  error,
  onDecide,
}: {
  info: Info;
  busy: boolean;
  error: string | null;
  onDecide: (decision: 'confirm' | 'cancel') => void;
}) {
  return (
    <div className="grid gap-4 text-center">
      <Smartphone className="icon mx-auto size-10 text-brand-600" strokeWidth={1.25} aria-hidden="true" />
      <p className="text-16 font-semibold">
        {info.act === 'bind' ? `把微信绑定到您在${info.siteName}的账号` : `登录${info.siteName}`}
      </p>
      <dl className="grid grid-cols-[88px_minmax(0,1fr)] gap-y-1.5 rounded-control bg-sunken px-4 py-3 text-left text-13">
        {info.account && (
          <>
            <dt className="text-ink-3">绑定到账号</dt>
            <dd className="font-semibold">{info.account}</dd>
          </>
        )}
        <dt className="text-ink-3">请求的设备</dt>
        <dd>{info.browser}</dd>
        <dt className="text-ink-3">所在地</dt>
        <dd>{info.network}</dd>
      </dl>
      <p className="text-13 text-attn">
        {info.act === 'bind'
          ? '这不是您的账号，或不是您本人在操作，请点取消：绑定后，这个账号的主人能收到您的微信提醒。'
          : '二维码是别人发给您的，或不是您本人在操作，请点取消：确认后，对方就登录了您的账号。'}
      </p>
      <FormError className="justify-center">{error}</FormError>
      <Button kind="primary" size="lg" busy={busy} onClick={() => onDecide('confirm')}>
        {info.act === 'bind' ? '确认绑定' : '确认登录'}
      </Button>
      <Button size="lg" disabled={busy} onClick={() => onDecide('cancel')}>
        取消
      </Button>
    </div>
  );
}

const ENDS = {
  confirmed: '已确认，请回到电脑继续',
  cancelled: '已取消，没有登录',
  expired: '二维码已失效，请在电脑上换一个',
} as const;

/** The page that WeChat opens on the phone after a scan. WeChat passes an authorisation code; the demo market simulates the phone. */
export default function WechatPhonePage() {
  const { code, info } = useLoaderData<typeof loader>();
  const [query] = useSearchParams();
  const { stage, busy, error, scan, play, answer: respond } = usePhone(code, info);
  const authCode = query.get('code');
  useEffect(() => {
    if (authCode && !info.plays && stage === 'who') void scan(authCode);
    // Runs once: an authorisation code is valid for one exchange.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  return (
    <section className="panel w-full max-w-90 p-6" aria-labelledby="wechat-phone">
      <h1 id="wechat-phone" className="mb-5 flex items-center justify-center gap-2 text-16 font-semibold">
        <WechatIcon className="size-5 text-safe" />
        微信确认
      </h1>
      {stage === 'who' && info.plays && <Played busy={busy} error={error} onPlay={(name) => void play(name)} />}
      {stage === 'who' && !info.plays && (
        <p className="text-center text-13 text-ink-2" role="status">
          {error ?? (authCode ? '正在确认您的微信…' : '请在微信里打开')}
        </p>
      )}
      {stage === 'ask' && (
        <ConfirmStep info={info} busy={busy} error={error} onDecide={(decision) => void respond(decision)} />
      )}
      {(stage === 'confirmed' || stage === 'cancelled' || stage === 'expired') && (
        <p className="grid justify-items-center gap-3 py-4 text-14 font-medium" role="status">
          {stage === 'confirmed' ? (
            <CircleCheck className="icon size-10 text-safe" strokeWidth={1.25} aria-hidden="true" />
          ) : (
            <CircleX className="icon size-10 text-ink-3" strokeWidth={1.25} aria-hidden="true" />
          )}
          {ENDS[stage]}
        </p>
      )}
    </section>
  );
}
