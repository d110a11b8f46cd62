import { EARLY_MS } from '../../../rules/companion-slots.ts';
import { COMPANION_PLAY } from '#subjects/orders/rules/order-types.ts';
import { fullAt } from '#web/lib/format/times.ts';
import type { ServiceOrder } from './service-order.ts';

type NoteInput = Pick<
  ServiceOrder,
  | 'typeId'
  | 'viewer'
  | 'due'
  | 'milestones'
  | 'late'
  | 'efficiencyDeposit'
  | 'waits'
  | 'presence'
  | 'accountReady'
  | 'cancel'
  | 'play'
>;

/** The account is missing: each party's options, and what happens automatically. */
function accountNote({ waits }: NoteInput, seller: boolean): string {
  if (!waits) return '';
  const refund = `${fullAt(waits.by)} 前仍未提交，订单自动全额退款`;
  const free = waits.isFree
    ? '现在放弃不扣保证金；'
    : waits.freeTime
      ? `${fullAt(waits.freeTime)} 起放弃不扣保证金；`
      : '';
  return seller ? `提交后开始计时。${free}${refund}，保证金退回您。` : `约定时间从您提交时算起。${refund}。`;
}

/** What a party can do after the promised time. Where both play, nothing can be reported before both have come. */
function lateChoices(presence: NoteInput['presence'], seller: boolean): string {
  const isHere = seller ? presence?.sellerStarted : presence?.buyerStarted;
  if (isHere === false) return '请上线点「我到了」，或协商取消';
  if (!seller) return '可以按超时取消、同意加时或申诉';
  return presence?.buyerStarted === false ? '买家没有到场，可以放弃订单或协商取消' : '请提交进度，或申请加时、协商取消';
}

/** The promised time is over: each party's options, and what happens if neither acts. */
function lateNote({ late, efficiencyDeposit, presence }: NoteInput, seller: boolean): string {
  if (!late) return '';
  const whose = seller ? '买家' : '您';
  const hasDeposit = Number(efficiencyDeposit) > 0 && presence?.buyerStarted !== false;
  const then = late.isJudged
    ? '转客服核对进度后裁决'
    : `未确认的货款退回${whose}${hasDeposit ? `，效率保证金归${whose}` : ''}`;
  return `${lateChoices(presence, seller)}。双方到 ${fullAt(late.by)} 都没有操作，${then}。`;
}

/** Boosting in which both play, not both present yet: each party's options, and the booster's risk. */
function presenceNote({ presence }: NoteInput, seller: boolean): string {
  if (!presence) return '';
  const { buyerStarted, sellerStarted, freeTime, isFree, waitText } = presence;
  if (buyerStarted && sellerStarted) return '';
  const begin = '约定时间从双方到场算起。';
  if (seller && !sellerStarted)
    return buyerStarted
      ? `${begin}买家已到场，等满 ${waitText}可以按超时取消。`
      : `${begin}点了以后买家 ${waitText}内没有到场，放弃不扣保证金。`;
  if (!seller && !buyerStarted) return `${begin}您一直不到场，打手不担责，订单到时退款。`;
  const from = freeTime && !isFree ? `${fullAt(freeTime)} 起` : '现在';
  if (!seller) return `${begin}${freeTime ? `打手不到，${from}可以按超时取消。` : ''}`;
  return `${begin}${isFree || freeTime ? `${from}放弃不扣保证金；` : ''}买家不到，保证金全部退回您。`;
}

/** Companion play before it begins: what happens when one party does not come. */
function comeNote({ play }: NoteInput, seller: boolean): string {
  const isThere = seller ? play?.sellerStarted : play?.buyerStarted;
  const missed = seller ? '买家不到，按等候时间结算给您' : '对方不到，自动全额退款';
  return `双方都点了才开始计时。${isThere ? missed : '您不点会按未到场处理'}。`;
}

/** A cancellation without an answer yet: until when it is answered, and what happens without an answer. */
function cancelNote({ cancel, viewer }: NoteInput): string {
  if (!cancel) return '';
  const then = cancel.answerBy ? `${fullAt(cancel.answerBy)} 前没有答复，转客服裁决。` : '没有答复的申请由客服裁决。';
  return cancel.askedBy === viewer ? `${then}在此之前可以撤回。` : `同意后按「申请中的取消方案」立即结算；${then}`;
}

function acceptNote({ typeId }: NoteInput, seller: boolean): string {
  if (!seller) return '超时未接单，货款自动全额退回；现在取消也免费。';
  return typeId === COMPANION_PLAY ? '接单后请按时上线。' : '';
}

function stageNote({ milestones }: NoteInput, seller: boolean): string {
  if (!seller) return CONFIRM_IS_FINAL;
  return milestones.find(({ state }) => state === 'submitted')?.silencePays
    ? '买家确认或到时自动确认后，这一段到您的余额。'
    : '上一段是到时自动付款的：这一段到时视为确认，款项留在托管，买家确认或订单完成时付给您。';
}

function workNote({ accountReady }: NoteInput, seller: boolean): string {
  if (accountReady === false) return seller ? '买家还没有提交账号资料。' : '请先提交账号资料，打手才能开始。';
  if (!seller) return '';
  const where = accountReady === true ? '账号资料在「代练进度」第 1 步的「密封信息」里打开。' : '';
  return `${where}完成一段，提交一段的截图。`;
}

/** The button that leads to the cancel of an order, by who has asked for one. */
export function cancelButton({ cancel, viewer }: Pick<ServiceOrder, 'cancel' | 'viewer'>): string {
  if (!cancel) return '协商取消';
  return cancel.askedBy === viewer ? '查看取消申请' : '处理取消申请';
}

/** The effect of confirming a stage; shown next to its button when the headline is about something else. */
export const CONFIRM_IS_FINAL = '确认后这一段的款项付给打手，付后不可追回；有问题请先退回或申诉。';

/** The consequences of the due step for the viewer, in one or two sentences. */
export function serviceNote(service: NoteInput): string {
  const seller = service.viewer === 'seller';
  switch (service.due.kind) {
    case 'cancel':
      return cancelNote(service);
    case 'accept':
      return acceptNote(service, seller);
    case 'late':
      return lateNote(service, seller);
    case 'paused':
      return '暂停期间不计时，任意一方可继续。';
    case 'stage':
      return stageNote(service, seller);
    case 'account':
      return accountNote(service, seller);
    case 'booked':
      return `开始前 ${EARLY_MS / 60_000} 分钟起可以点「我到了」，双方都点了才计时。`;
    case 'prolongs':
      return '上一段结束后自动接着计时，不用再点。';
    case 'come':
      return service.presence ? presenceNote(service, seller) : comeNote(service, seller);
    case 'work':
      return workNote(service, seller);
    case 'play':
      return '提前结束按实际分钟结算；时间到了自动结束。';
    case 'end':
      return '到时自动生效；时长或服务有问题，请在此之前申诉。';
    default:
      return '';
  }
}
