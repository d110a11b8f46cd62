import { fenOf, grouped } from '#web/lib/format/format.ts';
import { COMPANION_PLAY } from '#subjects/orders/rules/order-types.ts';
import { useState } from 'react';
import { serviceAct } from '#subjects/services/contract/services.ts';
import { lazyWithRetry } from '#web/lib/loading/lazy.tsx';
import { fullAt } from '#web/lib/format/times.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Countdown } from '#web/ui/countdown.tsx';
import { Amount } from '#web/ui/price.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { CompanionCard } from '../companion/companion-card.tsx';
import type { ServiceOrder } from './service-order.ts';
import { cancelButton, CONFIRM_IS_FINAL, serviceNote } from './service-note.ts';
import { CancelDialog, ProgressDialog, ReasonDialog, StageDialog } from './service-dialogs.tsx';
import { Pictures } from './pictures.tsx';
import { depositText } from './deposit-text.ts';
import { ServiceOffer } from './service-offer.tsx';
import { Splits } from './splits.tsx';

/** More money or time and reports of a ban: not in the first view. */
const BoostingBox = lazyWithRetry(
  () => import('./boosting-box.lazy.tsx'),
  <div className="min-h-16" aria-hidden="true" />,
);

/** The progress of the work: not in the first view, and its space is reserved. */
const ProgressChart = lazyWithRetry(
  () => import('./progress-chart.lazy.tsx'),
  <div className="min-h-62" aria-hidden="true" />,
);

type Milestone = ServiceOrder['milestones'][number];

const STATE_NAMES: Readonly<Record<Milestone['state'], string>> = {
  pending: '未开始',
  submitted: '待确认',
  accepted: '已确认',
  refused: '已退回',
};

function MilestoneRow({
  milestone,
  isOpen,
  pay,
}: {
  milestone: Milestone;
  isOpen: boolean;
  pay: (() => void) | undefined;
}) {
  const tone = milestone.state === 'accepted' ? 'safe' : milestone.state === 'pending' ? undefined : 'attn';
  return (
    <li className="grid grid-cols-[1.5rem_minmax(0,1fr)_auto] gap-x-2 gap-y-1 border-t border-line-soft px-4 py-3">
      <span className="text-12 leading-5 text-ink-3">{milestone.seq}</span>
      <p className="flex flex-wrap items-center gap-2 text-13">
        {milestone.title}
        {tone ? (
          <Tag tone={tone}>{STATE_NAMES[milestone.state]}</Tag>
        ) : (
          <span className="text-12 text-ink-3">
            {!isOpen ? '没有完成' : milestone.progressPercent > 0 ? '进行中' : STATE_NAMES.pending}
          </span>
        )}
        {milestone.progressPercent > 0 && milestone.state !== 'accepted' && (
          <span className="text-12 text-ink-3">{milestone.progressPercent}%</span>
        )}
      </p>
      <span className="text-13">
        <Amount yuan={milestone.amount} />
      </span>
      <div className="col-start-2 col-end-4 grid gap-1.5 text-12 text-ink-3">
        {milestone.note && <p>{milestone.note}</p>}
        {milestone.refuseReason && <p className="text-attn">退回原因：{milestone.refuseReason}</p>}
        {milestone.paid !== null && (
          <p>
            已付给打手 {grouped(milestone.paid)} 元{fenOf(milestone.amount) > fenOf(milestone.paid) && '，已扣平台佣金'}
          </p>
        )}
        {milestone.confirmTime && (
          <p>
            {fullAt(milestone.confirmTime)} {milestone.silencePays ? '自动确认并付款' : '视为确认，款项留在托管'}
          </p>
        )}
        {milestone.keeps && (
          <p className="text-attn">买家到期未处理，视为确认；款项还在托管，买家确认或订单完成时付给打手</p>
        )}
        {pay && (
          <Button size="sm" onClick={pay} className="justify-self-start">
            付这一段 {grouped(milestone.amount)} 元
          </Button>
        )}
        <Pictures pictures={milestone.pictures} name={`第 ${milestone.seq} 段截图`} />
      </div>
    </li>
  );
}

type Asked = 'progress' | 'refuse' | 'decline' | 'giveUp' | 'cancel' | null;

function Actions({ service, ask }: { service: ServiceOrder; ask: (what: Asked) => void }) {
  const { busy, send } = useMutation(serviceAct, { toasts: true, revalidates: 'always' });
  const { orderId, acts: actions } = service;
  const has = (action: ServiceOrder['acts'][number]): boolean => actions.includes(action);
  // A request pending the viewer is shown before the other actions.
  const isAsked = service.cancel !== null && service.cancel.askedBy !== service.viewer;
  const main = isAsked ? ('plain' as const) : ('primary' as const);
  const cancel = (has('askCancel') || service.cancel !== null) && actions.length > 0 && (
    <Button kind={isAsked ? 'primary' : 'plain'} onClick={() => ask('cancel')}>
      {cancelButton(service)}
    </Button>
  );
  return (
    <div className="flex flex-wrap gap-2 empty:hidden">
      {isAsked && cancel}
      {has('accept') && (
        <Button kind="primary" busy={busy} onClick={() => void send({ orderId: String(orderId), act: 'accept' })}>
          接单
        </Button>
      )}
      {has('decline') && <Button onClick={() => ask('decline')}>不接</Button>}
      {has('start') && (
        <Button kind="primary" busy={busy} onClick={() => void send({ orderId: String(orderId), act: 'start' })}>
          我到了
        </Button>
      )}
      {has('submit') && (
        <Button kind={has('start') ? 'plain' : main} onClick={() => ask('progress')}>
          提交进度
        </Button>
      )}
      {has('pause') && (
        <Button busy={busy} onClick={() => void send({ orderId: String(orderId), act: 'pause' })}>
          暂停
        </Button>
      )}
      {has('resume') && (
        <Button kind={main} busy={busy} onClick={() => void send({ orderId: String(orderId), act: 'resume' })}>
          继续
        </Button>
      )}
      {!isAsked && cancel}
      {has('giveUp') && <Button onClick={() => ask('giveUp')}>放弃订单</Button>}
    </div>
  );
}

interface CardProps {
  service: ServiceOrder;
  now: string;
  /** The ordered service, for the provider who decides whether to accept it. */
  what: string;
  /** The card has the headline; otherwise the order's own card above it has. */
  isLeading: boolean;
}

/** A running service, rendered by its type. */
export const ServiceCard = (props: CardProps) =>
  props.service.typeId === COMPANION_PLAY ? <CompanionCard {...props} /> : <BoostingCard {...props} />;

/** Running boosting: the due step, the clock, the milestones with their pictures, and the split of a cancellation. */
function BoostingCard({ service, now, what, isLeading }: CardProps) {
  const [paid, setPaid] = useState<Milestone | null>(null);
  const [openDialog, ask] = useState<Asked>(null);
  const note = serviceNote(service);
  const mine = isLeading && service.due.turn === service.viewer;
  const isOpen = service.state !== 'done' && service.state !== 'ended';
  const submitted = service.milestones.find(({ state }) => state === 'submitted');
  const clock =
    service.state === 'pending'
      ? service.acceptBy
      : service.waits
        ? service.waits.by
        : service.state === 'working'
          ? service.dueTime
          : null;
  const close = () => ask(null);
  return (
    <section className={cx('panel', isOpen && mine && 'border-attn-line')} aria-label="服务进度">
      <div className="panel-head">
        <h2>服务进度</h2>
        <p>
          {service.modeName}，{service.area}
        </p>
        <Tag tone={isOpen ? 'attn' : 'safe'}>{service.stateName}</Tag>
      </div>
      {isOpen && (
        // Without a sentence and an action, as when the order's own card has both, no empty strip is left.
        <div className={cx('grid gap-3 px-4 py-4 [&:not(:has(p,button,a))]:hidden', mine && 'bg-attn-bg')}>
          {isLeading && <p className="text-16 font-semibold">{service.due.title}</p>}
          {service.due.kind === 'accept' && service.viewer === 'seller' && (
            <ServiceOffer service={service} what={what} />
          )}
          {note && <p className="text-13 text-ink-2">{note}</p>}
          {clock && !service.disputed && service.due.kind !== 'late' && (
            <p className="text-12 text-ink-3">
              {service.isLate ? (
                service.viewer === 'buyer' ? (
                  '已超过约定时间，可按超时取消'
                ) : (
                  '已超过约定时间，买家可按超时取消'
                )
              ) : (
                <>
                  剩 <Countdown until={clock} now={now} />
                </>
              )}
            </p>
          )}
          {service.acts.includes('confirm') && submitted && service.cancel && (
            <p className="text-12 text-ink-3">{CONFIRM_IS_FINAL}</p>
          )}
          {service.acts.includes('confirm') && submitted && (
            <div className="flex gap-2">
              <Button kind="primary" onClick={() => setPaid(submitted)}>
                确认第 {submitted.seq} 段，付 {grouped(submitted.amount)} 元
              </Button>
              <Button onClick={() => ask('refuse')}>退回</Button>
            </div>
          )}
          <Actions service={service} ask={ask} />
        </div>
      )}
      {service.note && service.due.kind !== 'accept' && (
        <p className="border-t border-line-soft px-4 py-3 text-13 text-ink-2">买家要求：{service.note}</p>
      )}
      <ol aria-label="分段">
        {service.milestones.map((milestone) => (
          <MilestoneRow
            key={milestone.seq}
            milestone={milestone}
            isOpen={isOpen}
            pay={milestone.mayPay && service.viewer === 'buyer' ? () => setPaid(milestone) : undefined}
          />
        ))}
      </ol>
      {service.way?.course && <ProgressChart course={service.way.course} now={now} isOpen={isOpen} />}
      <p className="flex flex-wrap gap-x-6 gap-y-1 border-t border-line-soft px-4 py-3 text-12 text-ink-3">
        <span>
          {service.viewer === 'buyer' ? '打手已到手（扣佣金后）' : '已付给您'}{' '}
          <Amount yuan={service.paid} className="text-ink" />
        </span>
        <span>
          托管中 <Amount yuan={service.held} className="text-ink" />
        </span>
        {service.frozen !== '0.00' && (
          <span>
            保护期内冻结 <Amount yuan={service.frozen} className="text-ink" />
          </span>
        )}
        <span>{depositText(service)}</span>
      </p>
      <Splits service={service} />
      {service.way &&
        (service.way.acts.length > 0 || service.way.added.length > 0 || service.way.parentSn || service.way.ban) && (
          <BoostingBox service={service} way={service.way} now={now} />
        )}
      {paid && <StageDialog orderId={service.orderId} milestone={paid} onClose={() => setPaid(null)} />}
      {openDialog === 'progress' && <ProgressDialog service={service} onClose={close} />}
      {openDialog === 'cancel' && <CancelDialog service={service} onClose={close} />}
      {(openDialog === 'refuse' || openDialog === 'decline' || openDialog === 'giveUp') && (
        <ReasonDialog service={service} what={openDialog} seq={submitted?.seq ?? 0} onClose={close} />
      )}
    </section>
  );
}
