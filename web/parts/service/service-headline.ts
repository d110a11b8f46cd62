import { fullAt } from '#web/lib/times.ts';
import type { ServiceOrder } from './service-order.ts';

interface Headline {
  title: string;
  note: string;
  mine: boolean;
}

type HeadlineInput = Pick<
  ServiceOrder,
  | 'viewer'
  | 'state'
  | 'stateName'
  | 'milestones'
  | 'late'
  | 'efficiencyDeposit'
  | 'waits'
  | 'presence'
  | 'accountReady'
  | 'cancel'
  | 'disputed'
>;

/** The account is missing: what each party can do, and what happens automatically. */
function accountHeadline({ by, freeTime, isFree }: NonNullable<ServiceOrder['waits']>, seller: boolean): Headline {
  const refund = `${fullAt(by)} 前仍未提交，订单自动全额退款`;
  const free = isFree ? '现在放弃不扣保证金' : freeTime ? `${fullAt(freeTime)} 起放弃不扣保证金` : '';
  return seller
    ? { title: '等买家提交账号资料', note: `提交后开始计时。${free}；${refund}，保证金退回您。`, mine: false }
    : { title: '打手已接单，在等您的账号', note: `约定时间从您提交时算起。${refund}。`, mine: true };
}

/** The promised time is over: what each can do, and what happens where neither does anything. */
function lateHeadline(
  { by, isJudged }: NonNullable<ServiceOrder['late']>,
  seller: boolean,
  hasDeposit: boolean,
): Headline {
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

/** Not both are present yet: what each can do, and what the booster risks. */
function presenceHeadline(presence: NonNullable<ServiceOrder['presence']>, seller: boolean): Headline | undefined {
  const { buyerStarted, sellerStarted, freeTime, isFree, waitText } = presence;
  if (buyerStarted && sellerStarted) return undefined;
  if (seller ? !sellerStarted : !buyerStarted)
    return {
      title: (seller ? buyerStarted : sellerStarted) ? '对方到了，请您到场' : '请上线并点「我到了」',
      note: seller
        ? `点了以后买家 ${waitText}内没有到场，放弃不扣保证金。`
        : '约定时间从您到场算起；您一直不到场，打手不担责，订单到时退款。',
      mine: true,
    };
  if (!seller) return { title: '等打手到场', note: '约定时间已经开始。', mine: false };
  const free = isFree ? '现在放弃不扣保证金；' : freeTime ? `${fullAt(freeTime)} 起放弃不扣保证金；` : '';
  return { title: '等买家到场', note: `约定时间从买家到场算起。${free}买家不到，保证金全部退回您。`, mine: false };
}

/** A cancellation without an answer yet: who has to answer, until when, and what happens without an answer. */
function cancelHeadline(
  { askedBy, answerBy }: NonNullable<ServiceOrder['cancel']>,
  viewer: ServiceOrder['viewer'],
): Headline {
  const then = answerBy ? `${fullAt(answerBy)} 前没有答复，转客服裁决。` : '没有答复的申请由客服裁决。';
  if (askedBy === viewer) return { title: '已申请取消，等对方答复', note: `${then}在此之前可以撤回。`, mine: false };
  return {
    title: `${askedBy === 'buyer' ? '买家' : '打手'}申请取消，请答复`,
    note: `同意后按「申请中的取消方案」立即结算；${then}`,
    mine: true,
  };
}

/** The button that leads to the cancel of an order, by who has asked for one. */
export function cancelButton({ cancel, viewer }: Pick<ServiceOrder, 'cancel' | 'viewer'>): string {
  if (!cancel) return '协商取消';
  return cancel.askedBy === viewer ? '查看取消申请' : '处理取消申请';
}

/** What confirming a stage means; shown beside its button when the headline is about something else. */
export const CONFIRM_IS_FINAL = '确认后这一段的款项付给打手，付后不可追回；有问题请先退回或申诉。';

/** What is due now and who does it, in one sentence. */
export function headline(service: HeadlineInput): Headline {
  const seller = service.viewer === 'seller';
  // A case stops every action, also a cancellation that was requested before it.
  if (service.disputed) return { title: '申诉处理中，计时与操作已停', note: '', mine: false };
  if (service.cancel) return cancelHeadline(service.cancel, service.viewer);
  if (service.state === 'pending')
    return {
      title: seller ? '请接单' : '等打手接单',
      note: seller ? '接单时冻结两笔保证金，订单结束后退回。' : '超时未接单，货款自动全额退回；现在取消也免费。',
      mine: seller,
    };
  const submitted = service.milestones.find(({ state }) => state === 'submitted');
  const isAbsent = service.presence?.buyerStarted === false;
  if (service.late) return lateHeadline(service.late, seller, Number(service.efficiencyDeposit) > 0 && !isAbsent);
  if (service.state === 'paused') return { title: '服务已暂停', note: '暂停期间不计时，任意一方可继续。', mine: false };
  if (service.state === 'checking')
    return {
      title: seller ? '等买家验收' : '请验收',
      note: seller
        ? '买家确认完成后，最后一段进入保护期。'
        : '核对段位与截图，无误后确认完成；有问题请先申诉，不要确认。',
      mine: !seller,
    };
  if (submitted)
    return {
      title: seller ? `等买家确认第 ${submitted.seq} 段` : `请确认第 ${submitted.seq} 段`,
      note: seller
        ? submitted.silencePays
          ? '买家确认或到时自动确认后，这一段到您的余额。'
          : '上一段是到时自动付款的：这一段到时视为确认，款项留在托管，买家确认或订单完成时付给您。'
        : CONFIRM_IS_FINAL,
      mine: !seller,
    };
  if (service.waits) return accountHeadline(service.waits, seller);
  const presence = service.state === 'working' && service.presence && presenceHeadline(service.presence, seller);
  if (presence) return presence;
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
