import { Check } from 'lucide-react';
import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { staffHandoverDone, type staffOrderDetail, staffReveal } from '#contract/backstage-orders.ts';
import type { Data } from '#contract/endpoint.ts';
import { handoverName } from '#contract/rules/order-status.ts';
import { call } from '#web/lib/api.ts';
import { shortAt } from '#web/parts/order/times.ts';
import { Button } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { toast } from '#web/ui/toast-store.ts';
import { ReasonDialog } from '../parts/reason-dialog.tsx';

type Order = Data<typeof staffOrderDetail>;
type Step = Order['handover'][number];

const SEALED = { none: '未提交', sent: '已提交，未查看', revealed: '已查看', erased: '已清除' } as const;

function sealWords({ sealed }: Step): string | null {
  if (!sealed) return null;
  return SEALED[sealed.erased ? 'erased' : sealed.revealed ? 'revealed' : sealed.sent ? 'sent' : 'none'];
}

/** The pictures that prove a finished step; each opens in full. */
function Proof({ pictures }: { pictures: Step['pictures'] }) {
  if (pictures.length === 0) return null;
  return (
    <p className="flex flex-wrap gap-1.5">
      {pictures.map(({ url, thumb }, i) => (
        <a key={url} href={url} target="_blank" rel="noreferrer">
          <img
            src={thumb}
            width={56}
            height={40}
            alt={`凭证 ${i + 1}`}
            loading="lazy"
            className="h-10 w-14 rounded-tag object-cover"
          />
        </a>
      ))}
    </p>
  );
}

function StepRow({
  step,
  canAct,
  onDone,
  onReveal,
}: {
  step: Step;
  canAct: boolean;
  onDone: () => void;
  onReveal: () => void;
}) {
  const seal = sealWords(step);
  return (
    <li className="flex gap-3 border-b border-line-soft px-4 py-2.5 last:border-b-0">
      <span
        className={cx(
          'mt-0.5 grid size-5 flex-none place-items-center rounded-full border text-12',
          step.state === 'done' && 'border-safe-line bg-safe-bg text-safe',
          step.state === 'current' && 'border-act bg-act text-ink-on',
          step.state === 'waiting' && 'border-line-strong text-ink-3',
        )}
        aria-hidden="true"
      >
        {step.state === 'done' ? <Check className="icon size-3" strokeWidth={2.5} /> : step.step}
      </span>
      <div className="grid min-w-0 flex-1 gap-0.5">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <b className="font-medium">{step.title}</b>
          <span className="text-12 text-ink-3">
            {step.actorName}
            {!step.required && '，可跳过'}
            {step.beforeShip && '，发货前'}
          </span>
        </p>
        {step.state === 'current' && <p className="text-12 text-ink-2">{step.explain}</p>}
        {seal && <p className="text-12 text-ink-3">密封信息：{seal}</p>}
        <Proof pictures={step.pictures} />
      </div>
      <div className="flex flex-none flex-col items-end gap-1.5 text-12 text-ink-3">
        {step.doneTime && (
          <span>
            {step.doneBy} {shortAt(step.doneTime)}
          </span>
        )}
        {canAct && step.sealed?.canReveal && (
          <Button size="sm" onClick={onReveal}>
            查看密封信息
          </Button>
        )}
        {canAct && step.state === 'current' && (
          <Button size="sm" kind={step.actor === 'staff' ? 'primary' : 'plain'} onClick={onDone}>
            {step.actor === 'staff' ? '完成' : `代${step.actorName}完成`}
          </Button>
        )}
      </div>
    </li>
  );
}

/** What was sealed, for as long as the dialog stands. */
function Secret({ secret, onClose }: { secret: { body: string; watermark: string }; onClose: () => void }) {
  return (
    <Dialog title="密封信息" closeOnBackdrop={false} onClose={onClose}>
      <p className="rounded-control bg-sunken p-3 font-mono text-13 break-all whitespace-pre-wrap">{secret.body}</p>
      <p className="mt-2 text-12 text-ink-3">{secret.watermark}，关闭后不能再次查看</p>
    </Dialog>
  );
}

/** The hand-over as staff sees it: whose turn it is, what was proved, and the steps that staff takes. */
export function OfficeHandover({ order }: { order: Order }) {
  const { revalidate } = useRevalidator();
  const [finishing, setFinishing] = useState<Step | null>(null);
  const [revealing, setRevealing] = useState<Step | null>(null);
  const [secret, setSecret] = useState<{ body: string; watermark: string } | null>(null);
  if (order.handover.length === 0) return null;
  const done = order.handover.filter(({ state }) => state === 'done').length;
  return (
    <section className="panel" aria-label={handoverName(order.orderTypeId)}>
      <div className="panel-head">
        <h2>{handoverName(order.orderTypeId)}</h2>
        <p>
          {done} / {order.handover.length} 步
        </p>
      </div>
      <ol>
        {order.handover.map((step) => (
          <StepRow
            key={step.step}
            step={step}
            canAct={order.canAct}
            onDone={() => setFinishing(step)}
            onReveal={() => setRevealing(step)}
          />
        ))}
      </ol>
      {finishing && (
        <ReasonDialog
          title={`完成「${finishing.title}」`}
          act="确认完成"
          question={
            finishing.actor === 'staff'
              ? '完成后进入下一步，买卖双方都会看到。'
              : `这一步本由${finishing.actorName}操作，请在核实后代为完成；记录会写明由平台客服完成。`
          }
          send={() => call(staffHandoverDone, { orderId: order.id, step: finishing.step }, { quiet: true })}
          onDone={() => {
            toast(`${finishing.title}已完成`, 'ok');
            setFinishing(null);
            void revalidate();
          }}
          onClose={() => setFinishing(null)}
        />
      )}
      {revealing && (
        <ReasonDialog
          title="查看密封信息"
          act="查看"
          question="密封信息只能查看一次，查看人和时间会留在订单记录里。请确认现在需要使用。"
          send={async () =>
            setSecret(await call(staffReveal, { orderId: order.id, step: revealing.step }, { quiet: true }))
          }
          onDone={() => setRevealing(null)}
          onClose={() => setRevealing(null)}
        />
      )}
      {secret && (
        <Secret
          secret={secret}
          onClose={() => {
            setSecret(null);
            void revalidate();
          }}
        />
      )}
    </section>
  );
}
