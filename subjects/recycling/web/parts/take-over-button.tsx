import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { recycleTaken } from '#subjects/recycling/contract/account-recycling.ts';
import { call } from '#web/lib/api/api.ts';
import { ConfirmDialog } from '#web/parts/confirm-dialog.tsx';
import { Button } from '#web/ui/button.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';

/**
 * The recycler confirms having taken over an account, which releases the seller's money; asks for confirmation, since
 * it cannot be undone.
 */
export function TakeOverButton({ requestSn }: { requestSn: string }) {
  const { revalidate } = useRevalidator();
  const [asks, setAsks] = useState(false);
  return (
    <>
      <Button kind="primary" onClick={() => setAsks(true)}>
        已改密改绑，确认接管
      </Button>
      {asks && (
        <ConfirmDialog
          title="确认接管账号"
          action="确认接管"
          back="再检查一下"
          question="请确认已改好密码、换好绑定并能登录。确认后货款马上放给卖家，不能撤回；有问题请不要确认，先到订单里申诉。"
          send={(_, options) => call(recycleTaken, { requestSn }, options)}
          intent={`recycle-taken:${requestSn}`}
          onDone={() => {
            setAsks(false);
            toast('已确认接管，货款放给卖家', 'ok');
            void revalidate();
          }}
          onClose={() => setAsks(false)}
        />
      )}
    </>
  );
}
