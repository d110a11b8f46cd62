import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { proofs, serviceModes } from '#subjects/providers/contract/provider.ts';
import { cancelReasons, milestoneStates, serviceStates } from '../rules/service.ts';
import { serviceDueKinds } from '../rules/service-due.ts';
import { amount, int, money, optionalChinaTime, optionalInt, optionalText, sn, text, time } from '#contract/wire.ts';

/** Orders of boosting and companion play (domain.md 6): the data in addition to the order itself. */

const provider = z.object({
  name: z.string(),
  avatar: z.string(),
  intro: z.string(),
  online: z.boolean(),
  doneNum: z.number().int(),
  /** Counted by the platform; null below ten orders. */
  onTimeRate: z.number().nullable(),
  goodRate: z.number().nullable(),
  openOrders: z.number().int(),
  maxOpenOrders: z.number().int(),
  skills: z.array(z.object({ gameName: z.string(), rank: z.string(), note: z.string() })),
});

/** The fields of companion play in addition to the common part of an offer. */
const companionOffer = z.object({
  voice: z.object({ key: z.string(), url: z.string(), seconds: z.number().int() }).nullable(),
  pictures: z.array(z.object({ url: z.string(), thumb: z.string() })),
  gender: z.enum(['female', 'male', 'secret']),
  city: z.string(),
  tags: z.array(z.string()),
  /** Hours as text; '' for always. */
  hours: z.string(),
  noShows: z.number().int(),
  /** Minutes in which the viewer's first order may end free of charge; 0 for none. */
  trialMinutes: z.number().int(),
  /** Why it cannot begin now, in a sentence; its hours can still be booked. */
  closedNow: z.string().nullable(),
  readyMinutes: z.number().int(),
  /** The longest time to accept a booking; at most until it begins. */
  bookAcceptMinutes: z.number().int(),
  noShowMinutes: z.number().int(),
  endMinutes: z.number().int(),
});

const offeredMilestone = z.object({ title: z.string(), sharePercent: z.number(), amount: money });

/** A package as shown on its listing's page and at the checkout, with the price of `num` units. */
export const serviceOffer = endpoint({
  method: 'GET',
  path: '/api/service/offer',
  auth: 'public',
  summary: '代练、陪玩套餐',
  input: z.object({ goodsSn: sn, num: int({ min: 1, max: 10_000, label: '数量' }).default(1) }),
  data: z.object({
    goodsSn: z.string(),
    typeId: z.number().int(),
    title: z.string(),
    scope: z.string(),
    unit: z.string(),
    minNum: z.number().int(),
    maxNum: z.number().int(),
    mode: z.enum(serviceModes),
    modeName: z.string(),
    hours: z.number(),
    price: money,
    total: money,
    fees: z.array(z.object({ label: z.string(), amount: money, rule: z.string() })),
    safetyDeposit: money,
    efficiencyDeposit: money,
    acceptMinutes: z.number().int(),
    milestones: z.array(offeredMilestone),
    gameId: z.number().int(),
    /** Version of the listing, for the order. */
    goodsVersion: z.number().int(),
    /** Boosting from rank to rank: the values of both, and the route as text; null for other work. */
    route: z.object({ from: z.number().int(), to: z.number().int(), text: z.string() }).nullable(),
    provider,
    companion: companionOffer.nullable(),
    /** Why it cannot be ordered now, in a sentence; null when it can. */
    closed: z.string().nullable(),
  }),
  limit: 'read',
});

export const placeServiceOrder = endpoint({
  method: 'POST',
  path: '/api/service/placeOrder',
  auth: 'login',
  summary: '下代练、陪玩订单',
  input: z.object({
    goodsSn: sn,
    num: int({ min: 1, max: 10_000, label: '数量' }),
    goodsVersion: optionalInt({ min: 1, max: 1_000_000, label: '版本' }),
    /** The total shown to the buyer. */
    shownPrice: amount({ label: '应付金额' }).optional(),
    area: text(40, { min: 1, label: '区服' }),
    note: optionalText(300, '补充说明'),
    /** Companion play: the hour it begins; absent for immediately. */
    startTime: optionalChinaTime('开始时间'),
    /** Companion play: the order that this one prolongs. */
    prolongs: optionalInt({ min: 1, max: Number.MAX_SAFE_INTEGER, label: '加钟的订单' }),
  }),
  data: z.object({
    orderId: z.number().int(),
    orderSn: z.string(),
    status: z.number().int(),
    totalPrice: money,
    createTime: time,
  }),
  idempotent: true,
  limit: 'order',
});

const splitView = z.object({
  reason: z.enum(cancelReasons),
  reasonName: z.string(),
  buyer: money,
  /** The provider's total, of which `paid` was paid for confirmed stages and is not returned. */
  provider: money,
  paid: money,
  fee: money,
  efficiency: money,
  efficiencyToBuyer: z.boolean(),
});

/** The data of a service order in addition to the order: its milestones, clocks, deposits, and the split of a cancellation. */
export const serviceOrder = endpoint({
  method: 'GET',
  path: '/api/service/order',
  auth: 'login',
  summary: '服务进度',
  input: z.object({ orderSn: sn }),
  data: z.object({
    orderId: z.number().int(),
    orderSn: z.string(),
    /** The package's listing. */
    goodsSn: z.string().nullable(),
    typeId: z.number().int(),
    viewer: z.enum(['buyer', 'seller']),
    state: z.enum(serviceStates),
    stateName: z.string(),
    /** The next step: its kind, current actor and headline for the viewer. */
    due: z.object({
      title: z.string(),
      turn: z.enum(['buyer', 'seller', 'staff']).nullable(),
      kind: z.enum(serviceDueKinds),
    }),
    mode: z.enum(serviceModes),
    modeName: z.string(),
    area: z.string(),
    note: z.string(),
    providerName: z.string(),
    disputed: z.boolean(),
    /** The viewer has blocked the other party. */
    isBlocked: z.boolean(),
    /** The buyer has submitted the account's sealed form; null when none is needed. */
    accountReady: z.boolean().nullable(),
    acceptBy: time.nullable(),
    /** The ordered service: price, proceeds (for the provider only), time limit or duration, and the chosen hour. */
    offer: z.object({ price: money, net: money.nullable(), minutes: z.number().int(), startTime: time.nullable() }),
    /** Boosting: the buyer's account is missing, the promised time has not begun. */
    waits: z
      .object({
        /** The order is then refunded automatically. */
        by: time,
        /** From then on giving up costs the booster nothing. */
        freeTime: time.nullable(),
        isFree: z.boolean(),
      })
      .nullable(),
    /** Boosting in which both play: who has reported being present, and from when a booster who waits in vain can leave free of charge. */
    presence: z
      .object({
        buyerStarted: z.boolean(),
        sellerStarted: z.boolean(),
        freeTime: time.nullable(),
        isFree: z.boolean(),
        /** How long a booster who is present waits for the buyer, as text. */
        waitText: z.string(),
      })
      .nullable(),
    dueTime: time.nullable(),
    isLate: z.boolean(),
    /**
     * The order is late and no answer is pending: the time at which it ends automatically, or (`isJudged`) goes to customer service
     * with what was shown, unless a party acts.
     */
    late: z.object({ by: time, isJudged: z.boolean() }).nullable(),
    pausedTime: time.nullable(),
    safetyDeposit: money,
    efficiencyDeposit: money,
    /** What the buyer received of both; the rest returned to the booster. Null until the order has ended. */
    depositPaid: money.nullable(),
    /** The amount paid to the provider; the amount in escrow; the amount of the finished service frozen until its protection ends. */
    paid: money,
    held: money,
    frozen: money,
    milestones: z.array(
      z.object({
        seq: z.number().int(),
        title: z.string(),
        amount: money,
        state: z.enum(milestoneStates),
        progressPercent: z.number().int(),
        note: z.string(),
        pictures: z.array(z.object({ url: z.string(), thumb: z.string() })),
        refuseReason: z.string().nullable(),
        submitTime: time.nullable(),
        /** When it is confirmed automatically. */
        confirmTime: time.nullable(),
        paid: money.nullable(),
        /** Confirmed automatically, after an earlier one was paid automatically: its money is kept until the buyer acts or the order ends. */
        keeps: z.boolean(),
        /** The viewer may have its money paid now. */
        mayPay: z.boolean(),
        /** Whether an automatic confirmation would pay it, or keep its money in escrow. */
        silencePays: z.boolean(),
      }),
    ),
    /** Companion play: which parties are present, and the time played; null for boosting, and before acceptance. */
    play: z
      .object({
        orderedMinutes: z.number().int(),
        startTime: time.nullable(),
        /** The hour that the buyer chose. */
        bookedTime: time.nullable(),
        /** Giving it back is free for the buyer until then; null when it is not accepted or has begun. */
        freeUntil: time.nullable(),
        /** The order that this one prolongs, and the one that prolongs it. */
        prolongsSn: z.string().nullable(),
        prolongedSn: z.string().nullable(),
        tipped: money,
        tipLeft: money,
        /** The deadline after which a party that has not reported being present counts as absent. */
        noShowTime: time.nullable(),
        /** How long one party waits for the other, and the price of a late cancellation by the buyer. */
        noShowMinutes: z.number().int(),
        buyerStarted: z.boolean(),
        sellerStarted: z.boolean(),
        startedTime: time.nullable(),
        endBy: z.enum(['buyer', 'seller']).nullable(),
        /** When the requested end becomes final automatically. */
        finalTime: time.nullable(),
        /** Minutes that count: of the requested end, or if it ended now. */
        playedMinutes: z.number().int().nullable(),
        trialMinutes: z.number().int(),
        /** The amounts that follow from the minutes played: refunded to the buyer, and paid to the companion, the only one who sees it. */
        back: money,
        seller: money.nullable(),
      })
      .nullable(),
    /** Data of boosting only: the next picture, more money or time, a reported ban; null for companion play. */
    way: z
      .object({
        /** Number of the order to which this one adds. */
        parentSn: z.string().nullable(),
        proofDue: time.nullable(),
        ban: z.object({ by: z.enum(['buyer', 'seller']), time }).nullable(),
        addition: z
          .object({
            askedBy: z.enum(['buyer', 'seller']),
            price: money,
            minutes: z.number().int(),
            reason: z.string(),
            status: z.enum(['asked', 'agreed']),
          })
          .nullable(),
        /** Orders of additions that were paid. */
        added: z.array(z.object({ orderSn: z.string(), price: money, reason: z.string() })),
        acts: z.array(z.enum(['ask', 'agree', 'decline', 'withdraw', 'pay', 'reportBan'])),
        /** The progress reported by the booster, compared with the agreement; null before the first report. */
        course: z
          .object({
            startTime: time,
            dueTime: time,
            /** `percent` of the whole order, by the stages' shares of its price; `seq` is the stage that a report has finished. */
            reports: z.array(z.object({ time, percent: z.number(), seq: z.number().int().nullable() })),
            /** The cumulative percentage at the end of each stage. */
            stages: z.array(z.number()),
          })
          .nullable(),
      })
      .nullable(),
    cancel: z
      .object({ askedBy: z.enum(['buyer', 'seller']), reason: z.string(), answerBy: time.nullable(), split: splitView })
      .nullable(),
    /** The split of a cancellation now, by reason. */
    splits: z.array(splitView),
    acts: z.array(
      z.enum([
        'accept',
        'decline',
        'pause',
        'resume',
        'progress',
        'submit',
        'confirm',
        'refuse',
        'giveUp',
        'askCancel',
        'answerCancel',
        'start',
        'end',
        'agreeEnd',
        'stop',
        'prolong',
        'tip',
      ]),
    ),
  }),
  limit: 'read',
});

const serviceResult = z.object({ orderId: z.number().int(), state: z.enum(serviceStates), stateName: z.string() });
const orderId = int({ min: 1, label: '订单' });

/**
 * Accepts or declines an order or gives it up, by the provider; pauses or resumes boosting; reports that the log-in to
 * the buyer's account fails; starts companion play, ends it, agrees to its end or stops it immediately, by either
 * party.
 */
export const serviceAct = endpoint({
  method: 'POST',
  path: '/api/service/act',
  auth: 'login',
  summary: '接单、开始、暂停、结束、放弃',
  input: z.object({
    orderId,
    act: z.enum(['accept', 'decline', 'pause', 'resume', 'cannotLogIn', 'giveUp', 'start', 'end', 'agreeEnd', 'stop'], {
      error: '操作不正确',
    }),
    reason: optionalText(100, '原因'),
  }),
  data: serviceResult,
  idempotent: true,
  limit: 'order',
});

/** Reports progress of the running milestone with pictures; 100 percent submits it for confirmation. */
export const serviceProgress = endpoint({
  method: 'POST',
  path: '/api/service/progress',
  auth: 'login',
  summary: '提交进度',
  input: z.object({
    orderId,
    seq: int({ min: 1, max: 50, label: '阶段' }),
    percent: int({ min: 1, max: 100, label: '进度' }),
    pictures: proofs.default([]),
    note: optionalText(300, '说明'),
  }),
  data: serviceResult,
  idempotent: true,
  limit: 'order',
});

/** The buyer confirms a submitted milestone, which pays it, or sends it back with a reason. */
export const answerMilestone = endpoint({
  method: 'POST',
  path: '/api/service/answerMilestone',
  auth: 'login',
  summary: '确认或退回阶段',
  input: z.object({
    orderId,
    seq: int({ min: 1, max: 50, label: '阶段' }),
    act: z.enum(['confirm', 'refuse'], { error: '操作不正确' }),
    reason: optionalText(300, '原因'),
  }),
  data: serviceResult,
  idempotent: true,
  limit: 'order',
});

/** Requests a cancellation with the computed split, answers one, or withdraws it. `shownBack` is the refund shown to the buyer. */
export const serviceCancel = endpoint({
  method: 'POST',
  path: '/api/service/cancel',
  auth: 'login',
  summary: '协商取消',
  input: z.object({
    orderId,
    act: z.enum(['ask', 'agree', 'decline', 'withdraw'], { error: '操作不正确' }),
    reason: z.enum(cancelReasons, { error: '原因不正确' }).optional(),
    shownBack: amount({ minFen: 0, label: '退款金额' }).optional(),
  }),
  data: serviceResult,
  idempotent: true,
  limit: 'order',
});

/** Blocks the other party of an order of companion play, or lifts the block: while either has blocked the other, neither can order from the other. */
export const serviceBlock = endpoint({
  method: 'POST',
  path: '/api/service/block',
  auth: 'login',
  summary: '拉黑陪玩订单的对方',
  input: z.object({ orderId, act: z.enum(['block', 'unblock'], { error: '操作不正确' }) }),
  data: z.object({ isBlocked: z.boolean() }),
  limit: 'write',
});
