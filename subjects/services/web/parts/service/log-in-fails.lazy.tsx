import { serviceAct } from '#subjects/services/contract/services.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { FormError } from '#web/ui/forms/field.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
/**
 * The button for a booster whose log-in fails, on the order's page and next to the conversation; it requests other
 * credentials from the buyer.
 */
export default function LogInFails({
  orderId,
  isTold,
  mustSeal,
}: {
  orderId: number;
  isTold: boolean;
  mustSeal: boolean;
}) {
  const { busy, error, send } = useMutation(serviceAct, {
    revalidates: 'always',
    done: () => toast('已请买家核对账号资料', 'ok'),
  });
  if (isTold)
    return (
      <p className="text-12 text-attn">
        {mustSeal
          ? '打手登不上账号，请核对后封存新版本'
          : '已反映登不上，等买家更新资料；超过约定时间仍没有进展，转客服裁决'}
      </p>
    );
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-12 text-ink-3">
      <Button size="sm" busy={busy} onClick={() => void send({ orderId: String(orderId), act: 'cannotLogIn' })}>
        登不上账号
      </Button>
      <span>买家会收到通知；提交进度前超时的，转客服裁决，不直接扣效率保证金</span>
      <FormError>{error}</FormError>
    </div>
  );
}
