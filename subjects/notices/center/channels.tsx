import { isWechat, type PayerBrowser, payerBrowser } from '#subjects/payments/rules/payer-browser.ts';
import { BindingStatus } from '#contract/rules/statuses.ts';
import { type ReactNode, useEffect, useState } from 'react';
import { Link, useRevalidator } from 'react-router';
import type { Data } from '#contract/endpoint.ts';
import {
  bindWeChatOfficialAccountPush,
  bindWeChatOfficialAccountPushStatus,
} from '#subjects/notices/contract/wechat-push.ts';
import { call } from '#web/lib/api/api.ts';
import { ApiFailure } from '#web/lib/api/api-failure.ts';
import { useSite } from '#web/lib/pages/site.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { pushState, type PushState, turnPushOff, turnPushOn } from './push.ts';

const POLL_MS = 2_000;

/** A phone cannot scan its own screen. */
const SCAN_TEXT: Readonly<Record<PayerBrowser, string>> = {
  desktop: '用微信扫码关注',
  wechat: '长按二维码，识别后关注',
  phone: '截图保存，在微信“扫一扫”里从相册选取',
  alipay: '截图保存，在微信“扫一扫”里从相册选取',
};

type Qr = Data<typeof bindWeChatOfficialAccountPush>;

/** The QR code that binds the WeChat account that scans it; polls every two seconds for the result. */
function FollowDialog({ qr, onBound, onClose }: { qr: Qr; onBound: () => void; onClose: () => void }) {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const timer = setInterval(() => {
      if (qr.expireTime !== null && Date.parse(qr.expireTime) < Date.now()) {
        setOver(true);
        clearInterval(timer);
        return;
      }
      call(bindWeChatOfficialAccountPushStatus, {}, { quiet: true }).then(
        ({ status }) => status === BindingStatus.Bound && onBound(),
        () => undefined,
      );
    }, POLL_MS);
    return () => clearInterval(timer);
  }, [qr, onBound]);
  return (
    <Dialog title="绑定微信公众号" onClose={onClose}>
      <div className="grid justify-items-center gap-3 text-center text-13 text-ink-2">
        {over ? (
          <p role="status">二维码已过期，请关闭后重新获取</p>
        ) : (
          <>
            <img
              src={`data:image/svg+xml,${encodeURIComponent(qr.qrSvg ?? '')}`}
              width={200}
              height={200}
              alt="公众号二维码"
              className="rounded-control border border-line bg-white"
            />
            <p>{SCAN_TEXT[payerBrowser(navigator.userAgent)]}，关注后自动绑定，10 分钟内有效</p>
          </>
        )}
      </div>
    </Dialog>
  );
}

function ChannelRow({ name, state, children }: { name: string; state: string; children?: ReactNode }) {
  return (
    <li className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line-soft px-4 py-2 text-13 last:border-b-0">
      <b className="w-18 font-medium">{name}</b>
      <span className="min-w-0 flex-1 text-ink-2">{state}</span>
      {children}
    </li>
  );
}

function wechatText(bound: boolean, isOpen: boolean): string {
  if (!isOpen) return bound ? '本站已关闭公众号提醒，不再发到微信' : '本站没有开通公众号提醒';
  return bound ? '已绑定公众号' : '未绑定，关注公众号后可收到提醒';
}

function mailText(hasMail: boolean, isOpen: boolean): string {
  if (!isOpen) return '本站没有开通邮件提醒';
  return hasMail ? '发到绑定的邮箱' : '未绑定邮箱';
}

function WechatChannel({ bound, isOpen }: { bound: boolean; isOpen: boolean }) {
  const { revalidate } = useRevalidator();
  const [qr, setQr] = useState<Qr | null>(null);
  const { busy, send } = useMutation(bindWeChatOfficialAccountPush, {
    toasts: true,
    done: async (result, { act: action }) => {
      if (action === 'bind' && !result.bound) setQr(result);
      else await revalidate();
    },
  });
  return (
    <ChannelRow name="微信" state={wechatText(bound, isOpen)}>
      {(isOpen || bound) && (
        <Button size="sm" busy={busy} onClick={() => void send({ act: bound ? 'unbind' : 'bind' })}>
          {bound ? '解除绑定' : '绑定公众号'}
        </Button>
      )}
      {qr && (
        <FollowDialog
          qr={qr}
          onBound={() => {
            setQr(null);
            toast('微信已绑定', 'ok');
            void revalidate();
          }}
          onClose={() => setQr(null)}
        />
      )}
    </ChannelRow>
  );
}

const PUSH_TEXT: Readonly<Record<PushState, string>> = {
  asking: '正在检查…',
  off: '此浏览器未开启',
  on: '此浏览器已开启',
  denied: '浏览器已拒绝通知，请在地址栏的网站设置中允许',
  impossible: '此浏览器不支持推送',
};

function PushChannel({ publicKey }: { publicKey: string }) {
  const [state, setState] = useState<PushState>('asking');
  const { busy, error, send } = useMutation(
    async (isOn: boolean) => {
      try {
        return isOn ? await turnPushOff() : await turnPushOn(publicKey);
      } catch (thrown) {
        if (thrown instanceof DOMException) throw new ApiFailure(-1, '浏览器没有连上推送服务，请稍后再试', 400);
        throw thrown;
      }
    },
    { done: setState, revalidates: true },
  );
  useEffect(() => void pushState().then(setState), []);
  const text =
    state === 'impossible' && isWechat(navigator.userAgent)
      ? '微信里不能推送，请在浏览器里打开本页开启'
      : PUSH_TEXT[state];
  return (
    <ChannelRow name="浏览器" state={error ?? text}>
      {(state === 'on' || state === 'off') && (
        <Button size="sm" busy={busy} onClick={() => void send(state === 'on')}>
          {state === 'on' ? '关闭推送' : '开启推送'}
        </Button>
      )}
    </ChannelRow>
  );
}

/** The user's notification channels, with actions to enable missing ones. */
export function Channels({
  data,
}: {
  data: { wechat: { status: number; isOpen: boolean }; push: { publicKey: string }; hasMail: boolean };
}) {
  const isMailOpen = useSite()?.services.mail !== false;
  return (
    <ul aria-label="提醒方式" className="border-b border-line">
      <WechatChannel bound={data.wechat.status === BindingStatus.Bound} isOpen={data.wechat.isOpen} />
      <ChannelRow name="短信" state="发到登录手机号" />
      <ChannelRow name="邮件" state={mailText(data.hasMail, isMailOpen)}>
        {isMailOpen && !data.hasMail && (
          <ButtonLink to="/center/myself/changeEmail" size="sm">
            绑定邮箱
          </ButtonLink>
        )}
      </ChannelRow>
      <PushChannel publicKey={data.push.publicKey} />
      <li className="px-4 py-2 text-12 text-ink-3">
        提醒只含标题和摘要，点开后需登录查看。官方不会在提醒里索要密码或验证码，
        <Link to="/kfyz" className="link">
          可以这样核对
        </Link>
        。
      </li>
    </ul>
  );
}
