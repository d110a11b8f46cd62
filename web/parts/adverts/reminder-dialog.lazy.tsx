import { TriangleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { REMINDER_TOO_SOON, REMINDER_SECONDS } from '#contract/rules/limits.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import type { Advert } from './advert.ts';

/** Remaining reading time in seconds, measured against the clock. */
function useSecondsLeft(total: number): number {
  const [left, setLeft] = useState(total);
  useEffect(() => {
    const end = Date.now() + total * 1000;
    const timer = setInterval(() => {
      const seconds = Math.max(0, Math.ceil((end - Date.now()) / 1000));
      setLeft(seconds);
      if (seconds === 0) clearInterval(timer);
    }, 200);
    return () => clearInterval(timer);
  }, [total]);
  return left;
}

/**
 * A reminder to read before continuing: the confirm button is enabled after five seconds, with a visible countdown
 * (product.md 4).
 */
export default function ReminderDialog({ advert, to, onClose }: { advert: Advert; to: string; onClose: () => void }) {
  const navigate = useNavigate();
  const left = useSecondsLeft(REMINDER_SECONDS);
  const confirm = () => {
    if (left > 0) {
      toast(REMINDER_TOO_SOON, 'warn');
      return;
    }
    onClose();
    void navigate(to);
  };
  return (
    <Dialog
      title="温馨提示"
      onClose={onClose}
      closeOnBackdrop={false}
      footer={
        <>
          <Button onClick={onClose}>不去了</Button>
          <Button kind={left > 0 ? 'plain' : 'primary'} onClick={confirm} aria-describedby="reminder-left">
            我已阅读{left > 0 && `（${left}）`}
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        <p className="flex items-start gap-2 text-16 font-semibold">
          <TriangleAlert className="icon mt-0.5 size-5 text-attn" aria-hidden="true" />
          {advert.title}
        </p>
        <ul className="grid list-disc gap-1.5 pl-5 text-13 text-ink-2">
          <li>货款只付到平台托管，任何人让您站外转账都不要相信。</li>
          <li>客服不会主动加您好友，不会索要密码和验证码；有疑问先用「客服验真」。</li>
          <li>账号交接按换绑步骤逐步完成，验收之前不要确认收货。</li>
        </ul>
        <p id="reminder-left" className="text-12 text-ink-3" role="status">
          {left > 0 ? `请阅读 ${left} 秒` : '可以继续'}
        </p>
      </div>
    </Dialog>
  );
}
