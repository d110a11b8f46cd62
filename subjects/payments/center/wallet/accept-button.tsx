import { useState } from 'react';
import { useRevalidator } from 'react-router';
import type { Data } from '#contract/endpoint.ts';
import { acceptWithdrawal } from '#subjects/payments/contract/pay.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { wechatDialog } from '#web/lib/browser/wechat-bridge.ts';
import { Button } from '#web/ui/button.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';

type Acceptance = Data<typeof acceptWithdrawal>;

/** Where to accept, for a browser outside WeChat: a code on a computer, the address on a phone. */
function Elsewhere({ pageUrl, qrSvg, onClose }: Pick<Acceptance, 'pageUrl' | 'qrSvg'> & { onClose: () => void }) {
  return (
    <Dialog title="在微信里确认收款" onClose={onClose}>
      <div className="grid justify-items-center gap-3 py-2 text-center text-13">
        {qrSvg !== null ? (
          <>
            <img
              src={`data:image/svg+xml;utf8,${encodeURIComponent(qrSvg)}`}
              width={198}
              height={198}
              alt="提现页二维码"
              className="rounded-control border border-line bg-white p-2"
            />
            <p>用收款的微信扫一扫，登录后点“确认收款”</p>
          </>
        ) : (
          <>
            <p>收款只能在微信里确认：复制链接，发到微信里打开，登录后点“确认收款”。</p>
            <CopyButton text={pageUrl} label="提现页链接" />
          </>
        )}
        <p className="text-12 text-ink-3">审核通过后 24 小时内有效，逾期金额自动退回余额。</p>
      </div>
    </Dialog>
  );
}

/** Accepts a withdrawal in WeChat's own dialog, or explains where that is possible. Only the server knows whether money moved. */
export function AcceptButton({ withdrawSn }: { withdrawSn: string }) {
  const { revalidate } = useRevalidator();
  const [elsewhere, setElsewhere] = useState<Acceptance | null>(null);
  const open = async (acceptance: Acceptance): Promise<void> => {
    if (acceptance.fields === null) return setElsewhere(acceptance);
    const end = await wechatDialog('requestMerchantTransfer', acceptance.fields);
    if (end === 'ok') toast('已确认，到账后会通知您', 'ok');
    if (end === 'failed' || end === 'absent') toast('微信没有打开确认页，请稍后再试', 'warn');
    await revalidate();
  };
  const { busy, send } = useMutation(acceptWithdrawal, { toasts: true, done: (acceptance) => void open(acceptance) });
  return (
    <span className="col-span-full flex flex-wrap items-center gap-3 max-md:order-6">
      <Button size="sm" kind="primary" busy={busy} onClick={() => void send({ withdrawSn })}>
        确认收款
      </Button>
      {elsewhere && <Elsewhere {...elsewhere} onClose={() => setElsewhere(null)} />}
    </span>
  );
}
