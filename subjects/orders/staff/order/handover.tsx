import { Check } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { staffHandoverDone, type staffOrderDetail } from '#subjects/orders/contract/staff-orders.ts';
import type { Data } from '#contract/endpoint.ts';
import { handoverName, isService, RECYCLED_ACCOUNT } from '../../rules/order-types.ts';
import { call } from '#web/lib/api/api.ts';
import { OpeningsList } from '../../web/parts/handover/openings-list.tsx';
import { type Evidence, EvidenceBox } from '../../web/parts/order/evidence-box.tsx';
import { shortAt } from '#web/lib/format/times.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { ReasonDialog } from '#subjects/back-office/staff/parts/dialogs/reason-dialog.tsx';
import { CredentialOpener, OpeningReview, SealAgain } from './credential.tsx';
import { evidenceErrors, evidenceKeys, uploadStaffEvidence } from './evidence.ts';
import { useOrderReload } from './reload.ts';

type Order = Data<typeof staffOrderDetail>;
type Step = Order['handover'][number];

const CREDENTIAL_STATES = {
  none: '未提交',
  sent: '已封存，未查看',
  opened: '已封存，已被查看',
  erased: '已清除',
} as const;

function credentialText({ sealed }: Step): string | null {
  if (!sealed) return null;
  const state = CREDENTIAL_STATES[sealed.erased ? 'erased' : sealed.opened ? 'opened' : sealed.sent ? 'sent' : 'none'];
  return sealed.version > 1 ? `${state}，第 ${sealed.version} 版` : state;
}

const CODE_STATES = { none: '未封存', sealed: '已封存，未查看', read: '已查看', expired: '已过期' } as const;

/** The progress of the parties' exchange of number and code; staff never open these. */
function exchangeText({
  targetHint,
  targetOpenedTime,
  isTargetRefused,
  code,
  operator,
}: NonNullable<Step['exchange']>) {
  const number =
    targetHint === null
      ? '未封存'
      : `${targetHint}，${isTargetRefused ? '卖家反映不能用' : targetOpenedTime ? '卖家已查看' : '卖家未查看'}`;
  return `${operator === 'seller' ? `新号码：${number}；` : ''}验证码：${CODE_STATES[code]}`;
}

/** The evidence pictures of a finished step; each opens at full size. */
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
  readingPath,
  credential,
  isBeside,
}: {
  step: Step;
  canAct: boolean;
  /**
   * Absent when steps are completed by other means: a service's by its progress, a recycled account's by its reading.
   */
  onDone: (() => void) | undefined;
  /** Where the result of a recycled account's reading is submitted. */
  readingPath: string | undefined;
  /** The control that opens the encrypted credential. */
  credential: ReactNode;
  /** In a narrow layout: the actions are below the text. */
  isBeside: boolean;
}) {
  const text = credentialText(step);
  return (
    <li
      className={cx(
        'flex gap-3 border-b border-line-soft px-4 py-2.5 last:border-b-0',
        isBeside && 'flex-wrap gap-y-1',
      )}
    >
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
      <div className={cx('grid min-w-0 gap-0.5', isBeside ? 'w-[calc(100%-32px)]' : 'flex-1')}>
        <p className="flex flex-wrap items-baseline gap-x-2">
          <b className="font-medium">{step.title}</b>
          <span className="text-12 text-ink-3">
            {step.actorName}
            {!step.required && '，可跳过'}
            {step.beforeShip && '，发货前'}
          </span>
        </p>
        {step.state === 'current' && <p className="text-12 text-ink-2">{step.explain}</p>}
        {step.skipped && <p className="text-12 text-ink-3">买家不需要，已跳过</p>}
        {step.exchange && step.state === 'current' && (
          <p className="text-12 text-ink-3">{exchangeText(step.exchange)}</p>
        )}
        {text && <p className="text-12 text-ink-3">密封信息：{text}</p>}
        <Proof pictures={step.pictures} />
      </div>
      <div
        className={cx(
          'flex text-12 text-ink-3',
          isBeside ? 'w-full flex-wrap items-center gap-2 pl-8' : 'flex-none flex-col items-end gap-1.5',
        )}
      >
        {step.doneTime && (
          <span>
            {step.doneBy} {shortAt(step.doneTime)}
          </span>
        )}
        {credential}
        {canAct && onDone && step.state === 'current' && step.actor !== 'buyer' && (
          <Button size="sm" kind={step.actor === 'staff' ? 'primary' : 'plain'} onClick={onDone}>
            {step.actor === 'staff' ? '完成' : `代${step.actorName}完成`}
          </Button>
        )}
        {canAct && readingPath !== undefined && step.state === 'current' && (
          <ButtonLink size="sm" kind="primary" to={readingPath}>
            去提交验号结果
          </ButtonLink>
        )}
      </div>
    </li>
  );
}

/** Closes a step with its evidence; a seller's step also requires a reason. */
function FinishDialog({ order, step, onClose }: { order: Order; step: Step; onClose: () => void }) {
  const reload = useOrderReload();
  const [pictures, setPictures] = useState<readonly Evidence[]>([]);
  const isOthers = step.actor !== 'staff';
  const isProofNeeded = isOthers || step.needsEvidence;
  return (
    <ReasonDialog
      title={isOthers ? `代${step.actorName}完成「${step.title}」` : `完成「${step.title}」`}
      action="确认完成"
      question={
        isOthers
          ? `这一步本由${step.actorName}操作，请核实后代为完成；原因和凭证双方都能看到。`
          : '完成后进入下一步，买卖双方都会看到。'
      }
      {...(isOthers ? { reasonLabel: '代为完成的原因', isReasonNeeded: true } : {})}
      fields={['pictures']}
      check={() => evidenceErrors(pictures, isProofNeeded)}
      send={(reason) =>
        call(
          staffHandoverDone,
          { orderId: order.id, step: step.step, pictures: evidenceKeys(pictures), ...(isOthers && { reason }) },
          { quiet: true },
        )
      }
      onDone={() => {
        toast(`${step.title}已完成`, 'ok');
        onClose();
        reload();
      }}
      onClose={onClose}
    >
      {(errors) =>
        isProofNeeded && (
          <EvidenceBox
            pictures={pictures}
            error={errors.pictures}
            upload={uploadStaffEvidence}
            onChange={setPictures}
          />
        )
      }
    </ReasonDialog>
  );
}

/**
 * The hand-over for staff (`isBeside` a conversation, where opened forms stay in place): the current actor, the
 * evidence, and the steps of staff.
 */
export function AdminHandover({ order, isBeside = false }: { order: Order; isBeside?: boolean }) {
  const [finishing, setFinishing] = useState<Step | null>(null);
  if (order.handover.length === 0) return null;
  const isRecycled = order.tradedTypeId === RECYCLED_ACCOUNT;
  // Staff who rule on the order's case, or take over an account that the platform bought, open the form without being assigned to the order.
  const mayOpen = order.canAct && (order.isAssigned || order.sealAccess?.isMine === true);
  const done = order.handover.filter(({ state }) => state === 'done').length;
  return (
    <section className="panel" aria-label={handoverName(order.tradedTypeId)}>
      <div className="panel-head">
        <h2>{handoverName(order.tradedTypeId)}</h2>
        <p>
          {done} / {order.handover.length} 步
        </p>
      </div>
      <ol>
        {order.handover.map((step) => (
          <StepRow
            key={step.step}
            step={step}
            canAct={order.canAct && order.isAssigned}
            isBeside={isBeside}
            onDone={isService(order.tradedTypeId) || isRecycled ? undefined : () => setFinishing(step)}
            readingPath={isRecycled && step.actor === 'staff' ? `/backstage/recycling?sn=${order.goodsSn}` : undefined}
            credential={
              mayOpen &&
              step.sealed?.sent &&
              !step.sealed.erased && (
                <>
                  <CredentialOpener order={order} step={step} isBeside={isBeside} />
                  {order.isAssigned && <SealAgain order={order} step={step} />}
                </>
              )
            }
          />
        ))}
        {order.ruledOut.map((step) => (
          <li
            key={step.key}
            className="flex gap-3 border-b border-line-soft px-4 py-2 text-12 text-ink-3 last:border-b-0"
          >
            <span
              className="grid size-5 flex-none place-items-center rounded-full border border-dashed border-line-strong"
              aria-hidden="true"
            >
              –
            </span>
            <span className="min-w-0 flex-1">
              {step.title}：{step.reason}
            </span>
            不适用
          </li>
        ))}
      </ol>
      {order.listedAccount && (
        <p className="border-t border-line-soft px-4 py-2 text-12 text-ink-3">
          登记的游戏账号：{order.listedAccount.hint}
          {order.listedAccount.near > 0 && (
            <span className="text-attn">
              ，另有 {order.listedAccount.near} 次发布用了同名、邮箱域名不同的账号，请核对是否为同一个
            </span>
          )}
        </p>
      )}
      <OpeningReview order={order} />
      <OpeningsList openings={order.openings} />
      {finishing && <FinishDialog order={order} step={finishing} onClose={() => setFinishing(null)} />}
    </section>
  );
}
