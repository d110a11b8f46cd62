import { CircleCheck } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useSite } from '#web/lib/pages/site.ts';
import { hasBindTicket, saveBindTicket } from '#web/lib/session/bind-ticket.ts';
import { useHydrated } from '#web/lib/loading/use-hydrated.ts';
import { lazyWithRetry } from '#web/lib/loading/lazy.tsx';
import { asFailure, failureMessage } from '#web/lib/api/call-errors.ts';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { finishWechat } from './finish-wechat.ts';
import { askWechat, isInWechat, logInSilently } from './redirect-login.ts';
import { WechatIcon } from './wechat-mark.tsx';

const WechatDialog = lazyWithRetry(() => import('./wechat-dialog.lazy.tsx'));

/**
 * The other log-in methods: WeChat by its QR dialog, inside WeChat without one; disabled when it is switched off; QQ is listed but disabled
 * (product.md 2).
 */
export function OtherMethods() {
  const [query] = useSearchParams();
  const isWechatOpen = useSite()?.services.wechatLogin !== false;
  const [open, setOpen] = useState(false);
  const [isConfirmed, setConfirmed] = useState(false);
  const hasTicket = useHydrated() && hasBindTicket();
  const returnUrl = query.get('returnUrl');
  useEffect(() => {
    if (isWechatOpen) void logInSilently(returnUrl);
  }, [isWechatOpen, returnUrl]);
  const pick = () => {
    // A phone cannot scan its own screen.
    if (!isInWechat()) return setOpen(true);
    askWechat(returnUrl).catch((thrown: unknown) => toast(`提示：${failureMessage(asFailure(thrown))}`, 'warn'));
  };
  return (
    <div className="mt-6 grid gap-3 border-t border-line-soft pt-4">
      {(isConfirmed || hasTicket) && (
        <p
          className="flex items-center gap-2 rounded-control border border-safe-line bg-safe-bg px-3 py-2 text-13 text-safe"
          role="status"
        >
          <CircleCheck className="icon" aria-hidden="true" />
          微信已确认，登录或注册后自动绑定
        </p>
      )}
      <p className="text-center text-12 text-ink-3">其他登录方式</p>
      <div className="flex justify-center gap-6">
        {isWechatOpen ? (
          <button type="button" className="other-way" onClick={pick}>
            <span className="bg-safe-bg text-safe">
              <WechatIcon className="size-5" />
            </span>
            微信
          </button>
        ) : (
          <button type="button" className="other-way" aria-disabled="true" title="本站没有开通微信登录">
            <span className="bg-sunken text-ink-3">
              <WechatIcon className="size-5" />
            </span>
            微信（未开通）
          </button>
        )}
        <button type="button" className="other-way" aria-disabled="true" title="暂未开放，敬请期待！">
          <span className="bg-sunken text-13 font-semibold text-ink-3">QQ</span>
          QQ
        </button>
      </div>
      {open && (
        <WechatDialog
          act="login"
          onClose={() => setOpen(false)}
          onDone={(session) => {
            if (session.bindTicket) {
              saveBindTicket(session.bindTicket);
              setConfirmed(true);
              setOpen(false);
            } else if (session.login) void finishWechat(session.login, returnUrl);
          }}
        />
      )}
    </div>
  );
}
