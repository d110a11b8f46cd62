import { useState } from 'react';
import { Link } from 'react-router';
import { serviceAct, serviceBlock } from '#subjects/services/contract/services.ts';
import { shortAt } from '#web/lib/format/times.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { complaintPath, orderPath } from '#subjects/orders/web/parts/order/order-links.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Countdown } from '#web/ui/countdown.tsx';
import { Amount } from '#web/ui/price.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { ReasonDialog } from '../service/service-dialogs.tsx';
import { serviceNote } from '../service/service-note.ts';
import { ServiceOffer } from '../service/service-offer.tsx';
import type { ServiceOrder } from '../service/service-order.ts';
import { EndDialog } from './end-dialog.tsx';
import { TipDialog } from './tip-dialog.tsx';

type Play = NonNullable<ServiceOrder['play']>;
type Action = 'accept' | 'start' | 'agreeEnd';
type Reason = 'decline' | 'giveUp' | 'stop';
type Asked = Reason | 'tip' | 'end';

/** The current deadline. */
function clockOf({ due, acceptBy, dueTime, play }: ServiceOrder): { label: string; until: string } | null {
  const clock = (label: string, until: string | null | undefined) => (until ? { label, until } : null);
  switch (due.kind) {
    case 'accept':
      return clock('接单时限', acceptBy);
    case 'booked':
      return clock('离开始', play?.startTime);
    case 'come':
      return clock('未到场处理', play?.noShowTime);
    case 'play':
      return clock('时长', dueTime);
    case 'end':
      return clock('自动生效', play?.finalTime);
    default:
      return null;
  }
}

/** The amounts for the minutes: the refund, and for the companion their share. */
function Worth({ play }: { play: Play }) {
  if (play.playedMinutes === null) return null;
  return (
    <dl className="flex flex-wrap gap-x-6 gap-y-1 border-t border-line-soft px-4 py-3 text-13">
      {(
        [
          ['已玩', `${play.playedMinutes} / ${play.orderedMinutes} 分钟`],
          ['退回买家', <Amount key="back" yuan={play.back} />],
          ...(play.seller === null ? [] : [['您到手', <Amount key="seller" yuan={play.seller} />] as const]),
        ] as const
      ).map(([label, value]) => (
        <div key={label} className="flex gap-1.5">
          <dt className="text-ink-3">{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
      {play.trialMinutes > 0 && <p className="w-full text-12 text-ink-3">{play.trialMinutes} 分钟内结束不收费。</p>}
    </dl>
  );
}

const ACTIONS: readonly (readonly [Action, string])[] = [
  ['accept', '接单'],
  ['start', '我到了'],
  ['agreeEnd', '确认结束'],
];

/** The cost of cancelling an accepted evening. */
function giveUpLabel({ viewer, play }: ServiceOrder, now: string): string {
  const isFree = viewer === 'seller' || !play?.freeUntil || Date.parse(play.freeUntil) > Date.parse(now);
  return isFree ? '来不了，全额退款' : `来不了，付等候的 ${play.noShowMinutes} 分钟`;
}

function Actions({ service, now, ask }: { service: ServiceOrder; now: string; ask: (what: Reason | 'end') => void }) {
  const { busy, send } = useMutation(serviceAct, { toasts: true, revalidates: 'always' });
  const { acts: actions } = service;
  const orderId = String(service.orderId);
  return (
    <div className="flex flex-wrap items-center gap-2 empty:hidden">
      {ACTIONS.filter(([action]) => actions.includes(action)).map(([action, label]) => (
        <Button key={action} kind="primary" busy={busy} onClick={() => void send({ orderId, act: action })}>
          {label}
        </Button>
      ))}
      {actions.includes('end') && <Button onClick={() => ask('end')}>结束陪玩</Button>}
      {actions.includes('decline') && <Button onClick={() => ask('decline')}>不接</Button>}
      {actions.includes('giveUp') && <Button onClick={() => ask('giveUp')}>{giveUpLabel(service, now)}</Button>}
      {actions.includes('prolong') && service.goodsSn && (
        <ButtonLink to={`/goods/${service.goodsSn}/order?prolongs=${service.orderId}`}>加钟</ButtonLink>
      )}
      {(service.state === 'ending' || service.state === 'working') && !service.disputed && (
        <Link to={complaintPath(service)} className="link text-13">
          {service.state === 'ending' ? '我有异议，去申诉' : '申诉'}
        </Link>
      )}
      {actions.includes('stop') && (
        <Button kind="danger" className="ml-auto" onClick={() => ask('stop')}>
          举报并停止
        </Button>
      )}
    </div>
  );
}

/** The order that prolongs this one, the one before, and the tip. */
function Beside({ service, play, onTip }: { service: ServiceOrder; play: Play; onTip: () => void }) {
  const mayTip = service.acts.includes('tip');
  const links = [
    ['这一单接着', play.prolongsSn],
    ['加钟订单', play.prolongedSn],
  ] as const;
  const isEmpty = !mayTip && play.tipped === '0.00' && links.every(([, sn]) => sn === null);
  if (isEmpty) return null;
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line-soft px-4 py-3 text-13">
      {links.map(
        ([label, sn]) =>
          sn !== null && (
            <Link key={label} to={orderPath(sn)} className="link">
              {label} {sn}
            </Link>
          ),
      )}
      {play.tipped !== '0.00' && (
        <span className="text-ink-2">
          {service.viewer === 'buyer' ? '您打赏了' : '收到打赏'} <Amount yuan={play.tipped} />
        </span>
      )}
      {mayTip && play.tipLeft !== '0.00' && (
        <Button size="sm" onClick={onTip}>
          打赏
        </Button>
      )}
    </p>
  );
}

/** After the end: blocks further orders between the two, until lifted. */
function Block({ service }: { service: ServiceOrder }) {
  const { busy, send } = useMutation(serviceBlock, { toasts: true, revalidates: true });
  const { isBlocked } = service;
  return (
    <p className="flex flex-wrap items-center gap-3 border-t border-line-soft px-4 py-3 text-12 text-ink-3">
      {isBlocked ? '已拉黑对方，双方不能再互相下单。' : '不想再遇到对方？'}
      <Button
        size="sm"
        busy={busy}
        onClick={() => void send({ orderId: String(service.orderId), act: isBlocked ? 'unblock' : 'block' })}
      >
        {isBlocked ? '取消拉黑' : '拉黑对方'}
      </Button>
    </p>
  );
}

/** Running companion play: the parties present, the clock, and the amounts for the minutes. */
export function CompanionCard({
  service,
  now,
  what,
  isLeading,
}: {
  service: ServiceOrder;
  now: string;
  what: string;
  isLeading: boolean;
}) {
  const [openDialog, ask] = useState<Asked | null>(null);
  const note = serviceNote(service);
  const clock = clockOf(service);
  const mine = isLeading && service.due.turn === service.viewer;
  const { play } = service;
  const isOpen = service.state !== 'done' && service.state !== 'ended';
  return (
    <section className={cx('panel', isOpen && mine && 'border-attn-line')} aria-label="服务进度">
      <div className="panel-head">
        <h2>服务进度</h2>
        <p>
          {service.modeName}，{service.area}
        </p>
        <Tag tone={isOpen ? 'attn' : 'safe'}>{service.disputed ? '申诉中' : service.stateName}</Tag>
      </div>
      {isOpen && (
        // Without a sentence and an action, as when the order's own card has both, no empty strip is left.
        <div className={cx('grid gap-3 px-4 py-4 [&:not(:has(p,button,a))]:hidden', mine && 'bg-attn-bg')}>
          {isLeading && <p className="text-16 font-semibold">{service.due.title}</p>}
          {service.due.kind === 'accept' && service.viewer === 'seller' && (
            <ServiceOffer service={service} what={what} />
          )}
          {note && <p className="text-13 text-ink-2">{note}</p>}
          {clock && (
            <p className="text-12 text-ink-3">
              {clock.label}剩 <Countdown until={clock.until} now={now} />
            </p>
          )}
          <Actions service={service} now={now} ask={ask} />
        </div>
      )}
      {play?.startedTime && (
        <p className="border-t border-line-soft px-4 py-3 text-13 text-ink-2">
          {shortAt(play.startedTime)} 双方到场开始
        </p>
      )}
      {play && <Worth play={play} />}
      {play && <Beside service={service} play={play} onTip={() => ask('tip')} />}
      {!isOpen && <Block service={service} />}
      {openDialog === 'tip' && <TipDialog service={service} onClose={() => ask(null)} />}
      {openDialog === 'end' && <EndDialog service={service} onClose={() => ask(null)} />}
      {openDialog && openDialog !== 'tip' && openDialog !== 'end' && (
        <ReasonDialog service={service} what={openDialog} seq={0} onClose={() => ask(null)} />
      )}
    </section>
  );
}
