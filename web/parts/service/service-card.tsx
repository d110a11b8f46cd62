import { COMPANION_PLAY } from '#contract/rules/order-status.ts';
import { useState } from 'react';
import { serviceAct } from '#contract/services.ts';
import { lazyWithRetry } from '#web/lib/lazy.tsx';
import { fullAt } from '#web/lib/times.ts';
import { useMutation } from '#web/lib/use-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Countdown } from '#web/ui/countdown.tsx';
import { Amount } from '#web/ui/price.tsx';
import { ScrollX } from '#web/ui/scroll-x.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { CompanionCard } from './companion-card.tsx';
import type { ServiceOrder } from './service-order.ts';
import { CancelDialog, ProgressDialog, ReasonDialog } from './service-dialogs.tsx';
import { Pictures } from './pictures.tsx';

/** More money or time and reports of a ban: not in the first view. */
const WayBox = lazyWithRetry(() => import('./way-box.lazy.tsx'), <div className="min-h-16" aria-hidden="true" />);

type Milestone = ServiceOrder['milestones'][number];

const STATE_NAMES: Readonly<Record<Milestone['state'], string>> = {
  pending: '未开始',
  submitted: '待确认',
  accepted: '已确认',
  refused: '已退回',
};

/** The account is missing: what each can do, and what happens by itself. */
function accountHeadline({ by, freeTime, isFree }: NonNullable<ServiceOrder['waits']>, seller: boolean) {
  const refund = `${fullAt(by)} 前仍未提交，订单自动全额退款`;
  const free = isFree ? '现在放弃不扣保证金' : freeTime ? `${fullAt(freeTime)} 起放弃不扣保证金` : '';
  return seller
    ? { title: '等买家提交账号资料', note: `提交后开始计时。${free}；${refund}，保证金退回您。`, mine: false }
    : { title: '打手已接单，在等您的账号', note: `约定时间从您提交时算起。${refund}。`, mine: true };
}

/** The promised time is over: what each can do, and what happens where neither does anything. */
function lateHeadline({ by, isJudged }: NonNullable<ServiceOrder['late']>, seller: boolean, hasDeposit: boolean) {
  const whose = seller ? '买家' : '您';
  const then = isJudged
    ? '转客服核对进度后裁决'
    : `未确认的货款退回${whose}${hasDeposit ? `，效率保证金归${whose}` : ''}`;
  return {
    title: '已超过约定时间',
    note: `${seller ? '请提交进度，或申请加时、协商取消' : '可以按超时取消、同意加时或申诉'}。双方到 ${fullAt(by)} 都没有操作，${then}。`,
    mine: true,
  };
}

/** What is due now and who does it, in one sentence. */
function headline(service: ServiceOrder): { title: string; note: string; mine: boolean } {
  const seller = service.viewer === 'seller';
  if (service.state === 'pending')
    return {
      title: seller ? '请接单' : '等打手接单',
      note: seller ? '接单时冻结两笔保证金，订单结束后退回。' : '超时未接单，货款自动全额退回；现在取消也免费。',
      mine: seller,
    };
  const submitted = service.milestones.find(({ state }) => state === 'submitted');
  if (service.late) return lateHeadline(service.late, seller, Number(service.efficiencyDeposit) > 0);
  if (service.state === 'paused') return { title: '服务已暂停', note: '暂停期间不计时，任意一方可继续。', mine: false };
  if (service.state === 'checking')
    return {
      title: seller ? '等买家验收' : '请验收',
      note: seller ? '买家确认收货后，最后一段进入保护期。' : '核对无误后确认收货；有问题请先申诉，不要确认。',
      mine: !seller,
    };
  if (submitted)
    return {
      title: seller ? `等买家确认第 ${submitted.seq} 段` : `请确认第 ${submitted.seq} 段`,
      note: seller
        ? submitted.silencePays
          ? '买家确认或到时自动确认后，这一段到您的余额。'
          : '上一段是到时自动付款的：这一段到时视为确认，款项留在托管，买家确认或订单完成时付给您。'
        : '确认后这一段的款项付给打手，不能撤回。',
      mine: !seller,
    };
  if (service.waits) return accountHeadline(service.waits, seller);
  if (service.state === 'working')
    return {
      title: seller ? '按约定进行，完成一段提交一段' : '打手正在进行',
      note:
        service.accountReady === false
          ? seller
            ? '买家还没有提交账号资料。'
            : '请先提交账号资料，打手才能开始。'
          : '',
      mine: seller,
    };
  return { title: service.stateName, note: '', mine: false };
}

function MilestoneRow({ milestone, pay }: { milestone: Milestone; pay: (() => void) | undefined }) {
  const tone = milestone.state === 'accepted' ? 'safe' : milestone.state === 'pending' ? undefined : 'attn';
  return (
    <li className="grid grid-cols-[1.5rem_minmax(0,1fr)_auto] gap-x-2 gap-y-1 border-t border-line-soft px-4 py-3">
      <span className="text-12 leading-5 text-ink-3">{milestone.seq}</span>
      <p className="flex flex-wrap items-center gap-2 text-13">
        {milestone.title}
        {tone ? (
          <Tag tone={tone}>{STATE_NAMES[milestone.state]}</Tag>
        ) : (
          <span className="text-12 text-ink-3">{milestone.progressPercent > 0 ? '进行中' : STATE_NAMES.pending}</span>
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
        {milestone.paid !== null && <p>已付给打手 {milestone.paid} 元</p>}
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
            付这一段 {milestone.amount} 元
          </Button>
        )}
        <Pictures pictures={milestone.pictures} name={`第 ${milestone.seq} 段截图`} />
      </div>
    </li>
  );
}

/** What a cancel would give to whom now: always visible, and recomputed with every proof. */
function Splits({ service }: { service: ServiceOrder }) {
  const splits = service.cancel ? [service.cancel.split] : service.splits;
  if (splits.length === 0) return null;
  return (
    <div className="border-t border-line-soft px-4 py-3">
      <h3 className="text-13 font-medium">{service.cancel ? '申请中的取消方案' : '现在取消，各得多少'}</h3>
      <ScrollX label="各方所得" className="mt-1">
        <table className="w-full text-12">
          <thead className="text-ink-3">
            <tr className="text-left">
              <th className="py-1 font-normal">原因</th>
              <th className="py-1 pl-3 text-right font-normal whitespace-nowrap">退回买家</th>
              <th className="py-1 pl-3 text-right font-normal whitespace-nowrap">已付打手</th>
              <th className="py-1 pl-3 text-right font-normal whitespace-nowrap">再付打手</th>
              <th className="py-1 pl-3 text-right font-normal whitespace-nowrap">平台费用</th>
              <th className="py-1 pl-3 text-right font-normal whitespace-nowrap">效率保证金</th>
            </tr>
          </thead>
          <tbody>
            {splits.map((split) => (
              <tr key={split.reason} className="border-t border-line-soft">
                <td className="py-1.5 whitespace-nowrap">{split.reasonName}</td>
                {[split.buyer, split.paid, split.seller, split.fee].map((amount, index) => (
                  <td key={['buyer', 'paid', 'seller', 'fee'][index]} className="py-1.5 pl-3 text-right">
                    <Amount yuan={amount} />
                  </td>
                ))}
                <td className="py-1.5 pl-3 text-right whitespace-nowrap">
                  {split.efficiencyToBuyer ? '归买家' : '退回打手'}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollX>
    </div>
  );
}

type Asked = 'progress' | 'refuse' | 'decline' | 'giveUp' | 'cancel' | null;

function Acts({ service, ask }: { service: ServiceOrder; ask: (what: Asked) => void }) {
  const { busy, send } = useMutation(serviceAct, { toasts: true, revalidates: 'always' });
  const { orderId, acts } = service;
  const has = (act: ServiceOrder['acts'][number]): boolean => acts.includes(act);
  return (
    <div className="flex flex-wrap gap-2">
      {has('accept') && (
        <Button kind="primary" busy={busy} onClick={() => void send({ orderId: String(orderId), act: 'accept' })}>
          接单
        </Button>
      )}
      {has('decline') && <Button onClick={() => ask('decline')}>不接</Button>}
      {has('submit') && (
        <Button kind="primary" onClick={() => ask('progress')}>
          提交进度
        </Button>
      )}
      {has('pause') && (
        <Button busy={busy} onClick={() => void send({ orderId: String(orderId), act: 'pause' })}>
          暂停
        </Button>
      )}
      {has('resume') && (
        <Button kind="primary" busy={busy} onClick={() => void send({ orderId: String(orderId), act: 'resume' })}>
          继续
        </Button>
      )}
      {(has('askCancel') || service.cancel !== null) && acts.length > 0 && (
        <Button onClick={() => ask('cancel')}>{service.cancel ? '处理取消申请' : '协商取消'}</Button>
      )}
      {has('giveUp') && <Button onClick={() => ask('giveUp')}>放弃订单</Button>}
    </div>
  );
}

type CardProps = { service: ServiceOrder; now: string; confirm: (seq: number) => void };

/** A service under way, in the form of its type. */
export const ServiceCard = (props: CardProps) =>
  props.service.typeId === COMPANION_PLAY ? (
    <CompanionCard service={props.service} now={props.now} />
  ) : (
    <BoostingCard {...props} />
  );

/** Boosting under way: what is due, the clock, the milestones with their pictures, and what cancelling would give. */
function BoostingCard({ service, now, confirm }: CardProps) {
  const [openDialog, ask] = useState<Asked>(null);
  const { title, note, mine } = headline(service);
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
        <div className={cx('grid gap-3 px-4 py-4', mine && 'bg-attn-bg')}>
          <p className="text-16 font-semibold">{service.disputed ? '申诉处理中，计时与操作已停' : title}</p>
          {note && <p className="text-13 text-ink-2">{note}</p>}
          {clock && !service.disputed && !service.late && (
            <p className="text-12 text-ink-3">
              {service.isLate ? (
                '已超过约定时间，可按超时取消'
              ) : (
                <>
                  剩 <Countdown until={clock} now={now} />
                </>
              )}
            </p>
          )}
          {service.acts.includes('confirm') && submitted && (
            <div className="flex gap-2">
              <Button kind="primary" onClick={() => confirm(submitted.seq)}>
                确认第 {submitted.seq} 段，付 {submitted.amount} 元
              </Button>
              <Button onClick={() => ask('refuse')}>退回</Button>
            </div>
          )}
          <Acts service={service} ask={ask} />
        </div>
      )}
      <ol aria-label="分段">
        {service.milestones.map((milestone) => (
          <MilestoneRow
            key={milestone.seq}
            milestone={milestone}
            pay={milestone.mayPay && service.viewer === 'buyer' ? () => confirm(milestone.seq) : undefined}
          />
        ))}
      </ol>
      <p className="flex flex-wrap gap-x-6 gap-y-1 border-t border-line-soft px-4 py-3 text-12 text-ink-3">
        <span>
          已付给打手 <Amount yuan={service.paid} className="text-ink" />
        </span>
        <span>
          托管中 <Amount yuan={service.held} className="text-ink" />
        </span>
        <span>
          打手保证金 {service.safetyDeposit} + {service.efficiencyDeposit} 元
        </span>
      </p>
      <Splits service={service} />
      {service.way &&
        (service.way.acts.length > 0 || service.way.added.length > 0 || service.way.parentSn || service.way.ban) && (
          <WayBox service={service} way={service.way} now={now} />
        )}
      {openDialog === 'progress' && <ProgressDialog service={service} onClose={close} />}
      {openDialog === 'cancel' && <CancelDialog service={service} onClose={close} />}
      {(openDialog === 'refuse' || openDialog === 'decline' || openDialog === 'giveUp') && (
        <ReasonDialog service={service} what={openDialog} seq={submitted?.seq ?? 0} onClose={close} />
      )}
    </section>
  );
}
