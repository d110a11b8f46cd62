import type { resetStaff } from '#subjects/back-office/contract/staff.ts';
import type { Data } from '#contract/endpoint.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { Button } from '#web/ui/button.tsx';
import { copyText } from '#web/ui/copy-button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';

type Invite = Data<typeof resetStaff>;

/** The one-time link, shown once, or the address that it was mailed to. */
export function AddressDialog({ login, invite, onClose }: { login: string; invite: Invite; onClose: () => void }) {
  const { address, mailedTo, expires } = invite;
  return (
    <Dialog
      title="一次性地址"
      onClose={onClose}
      closeOnBackdrop={false}
      footer={
        <>
          {address && <Button onClick={() => void copyText(address)}>复制地址</Button>}
          <Button kind="primary" onClick={onClose}>
            {address ? '我已保存' : '好'}
          </Button>
        </>
      }
    >
      <div className="grid gap-3 text-13">
        {address ? (
          <>
            <p className="text-ink-2">
              请把下面的地址交给 <b className="font-semibold">{login}</b>{' '}
              本人，用它设置密码和二次验证。地址只显示这一次，只能使用一次，请勿发到群里。
            </p>
            <code
              className="rounded-control border border-line bg-sunken p-3 font-mono text-12 break-all select-all"
              aria-label="一次性地址"
            >
              {address}
            </code>
          </>
        ) : (
          <p className="text-ink-2">
            一次性地址已寄到 {mailedTo}，由 <b className="font-semibold">{login}</b> 本人打开使用。
          </p>
        )}
        <p className="text-12 text-ink-3">有效期到 {fullAt(expires)}。过期或丢失时，请重置后重新获取。</p>
      </div>
    </Dialog>
  );
}
