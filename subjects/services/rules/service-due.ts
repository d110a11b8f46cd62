/** The next step and the current actor in boosting and companion play, for pages, chat, customer service and notices. */
import type { DueText, OrderParty, OrderReader } from '#subjects/orders/rules/order-party.ts';
import { COMPANION_PLAY, sellerNoun } from '#subjects/orders/rules/order-types.ts';
import type { ServiceState } from './service.ts';
import { fullTime } from '#contract/rules/time/time-label.ts';

export const serviceDueKinds = [
  'disputed',
  'cancel',
  'accept',
  'late',
  'paused',
  'check',
  'stage',
  'account',
  'booked',
  'prolongs',
  'come',
  'work',
  'play',
  'end',
  'over',
] as const;
/** Kinds of next steps: each has one headline, one current actor and one note. */
export type ServiceDueKind = (typeof serviceDueKinds)[number];

type ServiceParty = Exclude<OrderParty, 'staff'>;

/** The properties of a service that determine what is due. */
export interface ServiceDueInput {
  typeId: number;
  state: ServiceState;
  disputed: boolean;
  /** The party whose request to cancel has no answer. */
  cancelBy: ServiceParty | null;
  /** Boosting: the promised time is over and both parties were notified. */
  isLate: boolean;
  /** The stage that the buyer has to confirm. */
  submittedSeq: number | null;
  /** Both have to be present: companion play, and boosting in which the buyer plays along. */
  isTogether: boolean;
  buyerStarted: boolean;
  sellerStarted: boolean;
  /** The agreed hour of companion play. */
  startsAt: string | null;
  /** The agreed hour is near enough to report being present. */
  isNear: boolean;
  /** The order continues another one without a break. */
  prolongs: boolean;
  /** The party that ended companion play before its time. */
  endBy: ServiceParty | null;
}

/** The due step of a service. A dispute has precedence over everything, a request to cancel over the work. */
export function serviceDueKind(service: ServiceDueInput): ServiceDueKind {
  const { state, typeId, isTogether, buyerStarted, sellerStarted } = service;
  if (state === 'done' || state === 'ended') return 'over';
  if (service.disputed) return 'disputed';
  if (service.cancelBy !== null) return 'cancel';
  if (state === 'pending') return 'accept';
  if (service.isLate) return 'late';
  if (state === 'paused') return 'paused';
  if (state === 'checking') return 'check';
  if (state === 'ending') return 'end';
  if (typeId === COMPANION_PLAY) {
    if (state === 'working') return 'play';
    if (service.prolongs) return 'prolongs';
    return service.isNear || buyerStarted || sellerStarted ? 'come' : 'booked';
  }
  if (service.submittedSeq !== null) return 'stage';
  if (state === 'waiting') return 'account';
  return isTogether && !(buyerStarted && sellerStarted) ? 'come' : 'work';
}

const other = (party: ServiceParty): ServiceParty => (party === 'buyer' ? 'seller' : 'buyer');

/** The parties that can perform the next step, the expected one first; empty when no party has to act. */
function actorsOf(service: ServiceDueInput): readonly OrderParty[] {
  switch (serviceDueKind(service)) {
    case 'disputed':
      return ['staff'];
    case 'cancel':
      return service.cancelBy === null ? [] : [other(service.cancelBy)];
    case 'end':
      return service.endBy === null ? [] : [other(service.endBy)];
    case 'accept':
    case 'work':
      return ['seller'];
    case 'late':
      return ['seller', 'buyer'];
    case 'check':
    case 'stage':
    case 'account':
      return ['buyer'];
    case 'come':
      return [
        ...(service.sellerStarted ? [] : (['seller'] as const)),
        ...(service.buyerStarted ? [] : (['buyer'] as const)),
      ];
    default:
      return [];
  }
}

/** The current actor's task, as the text after 请 or 等待打手. */
function actionText(service: ServiceDueInput): string {
  const isPlay = service.typeId === COMPANION_PLAY;
  switch (serviceDueKind(service)) {
    case 'cancel':
      return '答复取消申请';
    case 'accept':
      return '接单';
    case 'check':
      return isPlay ? '确认陪玩时长' : '验收代练结果';
    case 'stage':
      return `确认第 ${service.submittedSeq} 段`;
    case 'account':
      return '提交账号资料';
    case 'end':
      return '确认结束';
    default:
      return '到场';
  }
}

/** Headlines that are the same for every reader. */
function fixedTitle(service: ServiceDueInput): string | undefined {
  const { typeId, startsAt } = service;
  switch (serviceDueKind(service)) {
    case 'disputed':
      return '申诉处理中';
    case 'late':
      return '已超过约定时间';
    case 'paused':
      return '服务已暂停';
    case 'booked':
      return startsAt === null ? '已约好时间' : `已约好 ${fullTime(Date.parse(startsAt)).slice(5)} 开始`;
    case 'prolongs':
      return '加钟已接单';
    case 'work':
      return '正在代练';
    case 'play':
      return '正在陪玩';
    case 'over':
      return typeId === COMPANION_PLAY ? '陪玩已结束' : '代练已结束';
    default:
      return undefined;
  }
}

/** The party that must report being present. */
function comeTitle({ buyerStarted, sellerStarted, typeId }: ServiceDueInput, viewer: OrderReader): string {
  const isThere = { buyer: buyerStarted, seller: sellerStarted };
  if ((viewer === 'buyer' || viewer === 'seller') && !isThere[viewer])
    return isThere[other(viewer)] ? '对方到了，请您到场' : '请上线并点「我到了」';
  if (!buyerStarted && !sellerStarted) return '等待双方到场';
  return `等待${sellerStarted ? '买家' : sellerNoun(typeId)}到场`;
}

/** Whether both came to companion play that has ended. */
export const wasPlayed = ({ typeId, state, buyerStarted, sellerStarted }: ServiceDueInput): boolean =>
  typeId === COMPANION_PLAY && (state === 'ended' || state === 'done') && buyerStarted && sellerStarted;

/** The headline and the current actor of a service for a reader; a reader who can act is the actor. */
export function serviceHeadline(service: ServiceDueInput, viewer: OrderReader): DueText {
  const actors = actorsOf(service);
  const turn = actors.find((party) => party === viewer) ?? actors[0] ?? null;
  const fixed = fixedTitle(service);
  if (fixed !== undefined) return { title: fixed, turn };
  if (serviceDueKind(service) === 'come') return { title: comeTitle(service, viewer), turn };
  const action = actionText(service);
  if (turn === viewer) return { title: `请${action}`, turn };
  return { title: `等待${turn === 'buyer' ? '买家' : sellerNoun(service.typeId)}${action}`, turn };
}

/** The provider's reminder when the headline only names a state; null when the headline names the task. */
export function serviceReminder(service: ServiceDueInput): string | null {
  const kind = serviceDueKind(service);
  if (kind === 'work') return '请继续代练并提交进度';
  return kind === 'late' ? '已超过约定时间，请尽快完成' : null;
}
