import { Clock } from 'lucide-react';
import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { depositRelease } from '#subjects/deposits/contract/deposit.ts';
import { call } from '#web/lib/api/api.ts';
import type { SendOptions } from '#web/lib/api/mutation.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { fenOf } from '#web/lib/format/format.ts';
import { ConfirmDialog } from '#web/parts/confirm-dialog.tsx';
import { fullAt } from '#web/lib/format/times.ts';
import { withStepUp } from '#web/lib/session/step-up.ts';
import { Button } from '#web/ui/button.tsx';
import { Countdown } from '#web/ui/countdown.tsx';
import { BackButton, Dialog } from '#web/ui/overlays/dialog.tsx';
import { FormError } from '#web/ui/forms/field.tsx';
import { Amount } from '#web/ui/price.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import type { DepositData, RoleDeposit } from './deposit-loader.ts';

/** Requests or cancels a release, once, regardless of repeated clicks. Throws ApiFailure. */
async function sendRelease(role: RoleDeposit['role'], action: 'ask' | 'cancel', options: SendOptions): Promise<void> {
  await withStepUp('pay', () => call(depositRelease, { role, act: action }, options), action === 'ask');
  toast(action === 'ask' ? '已申请退还' : '已取消退还，等级恢复', 'ok');
}

function ReleaseDialog({ deposit, onClose }: { deposit: RoleDeposit; onClose: () => void }) {
  const { busy, error, send } = useMutation((_: void, options) => sendRelease(deposit.role, 'ask', options), {
    intent: `depositRelease:${deposit.role}:ask`,
    revalidates: true,
    done: onClose,
  });
  return (
    <Dialog
      title={`退还${deposit.roleName}保证金`}
      onClose={onClose}
      footer={
        <>
          <BackButton disabled={busy}>再想想</BackButton>
          <Button kind="primary" busy={busy} onClick={() => void send()}>
            申请退还
          </Button>
        </>
      }
    >
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <p className="text-13 text-ink-2">
          将退还 <Amount yuan={deposit.paid} className="font-semibold text-ink" />
          ：等待 {deposit.releaseDays} 天，其间没有未完结的订单、货款或申诉，就自动退到可用余额。
          申请后等级权益立即停止，到期前可随时取消。
        </p>
        <FormError>{error}</FormError>
      </form>
    </Dialog>
  );
}

function Releasing({ deposit, now }: { deposit: RoleDeposit; now: string }) {
  const { revalidate } = useRevalidator();
  const [isConfirming, setConfirming] = useState(false);
  const { release } = deposit;
  if (!release) return null;
  const due = Date.parse(release.releaseTime) <= Date.parse(now);
  return (
    <div className="grid gap-2 rounded-control border border-attn-line bg-attn-bg px-3 py-2.5 text-13">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <Clock className="icon text-attn" aria-hidden="true" />
        <span>
          正在退还 <Amount yuan={release.amount} className="font-semibold" />
          {due ? (
            '，已到期'
          ) : (
            <>
              ，剩余{' '}
              <b className="tabular-nums">
                <Countdown until={release.releaseTime} now={now} />
              </b>
            </>
          )}
        </span>
        <span className="text-12 text-ink-3">{fullAt(release.releaseTime)} 到期自动退到可用余额</span>
        <Button size="sm" className="ml-auto" onClick={() => setConfirming(true)}>
          取消退还
        </Button>
      </div>
      {release.reason && <p className="text-12 text-attn">暂缓原因：{release.reason}</p>}
      {isConfirming && (
        <ConfirmDialog
          title="取消退还"
          action="取消退还"
          back="再想想"
          question={`等级权益立即恢复；已等待的天数作废，以后再申请要重新等待 ${deposit.releaseDays} 天。`}
          intent={`depositRelease:${deposit.role}:cancel`}
          send={(_, options) => sendRelease(deposit.role, 'cancel', options)}
          onDone={() => {
            setConfirming(false);
            void revalidate();
          }}
          onClose={() => setConfirming(false)}
        />
      )}
    </div>
  );
}

/** The deposit of a role: level, amount, and the schedule of a release. */
export function Standing({ deposit, data }: { deposit: RoleDeposit; data: DepositData }) {
  const [isConfirming, setConfirming] = useState(false);
  const name = deposit.levels.find(({ level }) => level === deposit.level)?.name;
  const paid = fenOf(deposit.paid) > 0;
  return (
    <div className="grid gap-3 p-4">
      <div className="flex flex-wrap items-end gap-x-8 gap-y-2">
        <p className="grid">
          <span className="text-12 text-ink-3">{deposit.roleName}保证金</span>
          <b className="text-28 font-bold">
            <Amount yuan={deposit.paid} />
          </b>
        </p>
        <p className="grid">
          <span className="text-12 text-ink-3">当前等级</span>
          <b className="text-16 font-semibold">{name ?? (paid ? '未达到第一级' : '未缴纳')}</b>
        </p>
        {paid && !deposit.release && (
          <Button className="ml-auto" onClick={() => setConfirming(true)}>
            申请退还
          </Button>
        )}
      </div>
      <Releasing deposit={deposit} now={data.now} />
      {isConfirming && <ReleaseDialog deposit={deposit} onClose={() => setConfirming(false)} />}
    </div>
  );
}
