import { z } from 'zod';
import { fieldSchema } from '#subjects/games/contract/games.ts';
import { endpoint, staffRead, staffWrite } from '#contract/endpoint.ts';
import { openedForm, sealedValues } from '#subjects/orders/contract/handover.ts';
import {
  flag,
  int,
  json,
  listTail,
  money,
  nothing,
  optionalInt,
  optionalText,
  paging,
  sn,
  text,
  time,
} from '#contract/wire.ts';

const taskId = int({ min: 1, label: '验号单' });
const claimId = int({ min: 1, label: '验号理赔' });
const pictures = json(z.array(z.string().max(80)).max(9), '凭证');
const picture = z.object({ url: z.string(), thumb: z.string() });
/** One field: the seller's value, the reading, and whether they differ. */
const reading = z.object({
  key: z.string(),
  label: z.string(),
  said: z.string(),
  found: z.string(),
  differs: z.boolean(),
});
const task = {
  taskId: z.number().int(),
  goodsSn: z.string(),
  title: z.string(),
  gameName: z.string(),
  /** first or again: asked by a buyer for a fee. */
  kind: z.string(),
  askedBy: z.string(),
  status: z.string(),
  statusName: z.string(),
  fee: money,
  differs: z.number().int(),
  /** End of the running clock. */
  dueTime: time.nullable(),
  doneTime: time.nullable(),
  closedReason: z.string().nullable(),
  createTime: time,
};

/** The public information on a listing's inspections, and the actions that the caller may take. */
export const inspectionOf = endpoint({
  method: 'GET',
  path: '/api/inspection/ofGoods',
  auth: 'public',
  summary: '商品的验号记录',
  input: z.object({ goodsSn: sn }),
  data: z.object({
    /** The newest valid inspection. */
    record: z
      .object({
        reader: z.string(),
        doneTime: time,
        untilTime: time.nullable(),
        differs: z.number().int(),
        readings: z.array(reading),
        pictures: z.array(picture),
      })
      .nullable(),
    isOpen: z.boolean(),
    isMine: z.boolean(),
    canAsk: z.boolean(),
    /** The caller may request a re-inspection for the fee. */
    canAgain: z.boolean(),
    /** The reason why not, if it is useful to show. */
    againReason: z.string(),
    fee: money,
    againDays: z.number().int(),
  }),
  idField: 'goodsSn',
  limit: 'read',
});

/** The seller has a listing inspected: the credentials come with the request, sealed. */
export const inspectionAsk = endpoint({
  method: 'POST',
  path: '/api/inspection/ask',
  auth: 'login',
  summary: '申请验号',
  input: z.object({ goodsSn: sn, fields: sealedValues }),
  data: z.object({ taskId: z.number().int(), dueTime: time }),
  idempotent: true,
  limit: 'write',
});

/** The seller submits the credentials for an inspection requested by staff or a buyer. */
export const inspectionSeal = endpoint({
  method: 'POST',
  path: '/api/inspection/seal',
  auth: 'login',
  summary: '密封提交验号账号',
  input: z.object({ taskId, fields: sealedValues }),
  data: nothing,
  limit: 'write',
});

/** A buyer requests a re-inspection; the fee is held in escrow until it is done. */
export const inspectionAgain = endpoint({
  method: 'POST',
  path: '/api/inspection/again',
  auth: 'login',
  summary: '申请复验',
  input: z.object({ goodsSn: sn, payPassword: optionalText(20, '支付密码') }),
  data: z.object({ taskId: z.number().int(), fee: money, dueTime: time }),
  idempotent: true,
  limit: 'order',
});

/** Withdraws a request before staff take it. */
export const inspectionWithdraw = endpoint({
  method: 'POST',
  path: '/api/inspection/withdraw',
  auth: 'login',
  summary: '撤回验号',
  input: z.object({ taskId }),
  data: nothing,
  limit: 'write',
});

/** The seller applies the readings to the listing. */
export const inspectionCorrect = endpoint({
  method: 'POST',
  path: '/api/inspection/correct',
  auth: 'login',
  summary: '按验号结果更正商品',
  input: z.object({ taskId }),
  data: nothing,
  limit: 'write',
});

/** The caller's inspections, as seller or as requesting buyer, and orders on whose readings the caller may still claim. */
export const inspectionList = endpoint({
  method: 'GET',
  path: '/api/inspection/list',
  auth: 'login',
  summary: '我的验号',
  input: z.object({ ...paging }),
  data: z.object({
    list: z.array(
      z.object({
        ...task,
        isSeller: z.boolean(),
        canSeal: z.boolean(),
        canWithdraw: z.boolean(),
        canCorrect: z.boolean(),
        openedNum: z.number().int(),
        readings: z.array(reading),
        pictures: z.array(picture),
      }),
    ),
    claims: z.array(
      z.object({
        claimId: z.number().int(),
        orderSn: z.string(),
        title: z.string(),
        label: z.string(),
        reading: z.string(),
        found: z.string(),
        amount: money,
        status: z.string(),
        statusName: z.string(),
        note: z.string(),
        createTime: time,
      }),
    ),
    /** Orders of inspected accounts whose readings can still be contested. */
    orders: z.array(
      z.object({
        orderId: z.number().int(),
        orderSn: z.string(),
        title: z.string(),
        amount: money,
        untilTime: time.nullable(),
        readings: z.array(reading),
      }),
    ),
    ...listTail,
  }),
  limit: 'read',
});

/** The buyer of an inspected account reports a wrong reading, with pictures. */
export const inspectionWrong = endpoint({
  method: 'POST',
  path: '/api/inspection/wrong',
  auth: 'login',
  summary: '验号有误申请赔付',
  input: z.object({
    orderId: int({ min: 1, label: '订单内部编号' }),
    field: text(40, { min: 1, label: '验号项' }),
    found: text(100, { min: 1, label: '您看到的' }),
    pictures: pictures.optional(),
  }),
  data: z.object({ claimId: z.number().int(), amount: money }),
  idempotent: true,
  limit: 'order',
});

const staffTask = {
  ...task,
  sellerId: z.number().int(),
  price: money,
  isSealed: z.boolean(),
  inspector: z.string().nullable(),
  isMine: z.boolean(),
};

export const staffInspectionList = staffRead('/api/backstage/inspection/list', '验号队列（后台）', {
  input: z.object({
    ...paging,
    status: optionalText(20, '状态'),
    gameId: optionalInt({ max: 1_000_000, label: '游戏' }),
  }),
  data: z.object({
    list: z.array(z.object(staffTask)),
    counts: z.record(z.string(), z.number().int()),
    games: z.array(z.object({ gameId: z.number().int(), name: z.string(), open: z.number().int() })),
    figures: z.object({
      open: z.number().int(),
      late: z.number().int(),
      /** Age of the oldest that waits for staff, in minutes. */
      oldestMinutes: z.number().int(),
      done30: z.number().int(),
      differs30: z.number().int(),
      wrong30: z.number().int(),
      wrongPaid30: money,
      inspectors: z.array(
        z.object({
          name: z.string(),
          done: z.number().int(),
          differs: z.number().int(),
          wrong: z.number().int(),
          minutes: z.number().int(),
        }),
      ),
    }),
    ...listTail,
  }),
});

export const staffInspectionInfo = staffRead('/api/backstage/inspection/info', '验号单（后台）', {
  input: z.object({ taskId }),
  data: z.object({
    ...staffTask,
    fields: z.array(fieldSchema),
    readings: z.array(reading),
    pictures: z.array(picture),
    openedNum: z.number().int(),
    canClaim: z.boolean(),
    canRecord: z.boolean(),
    why: z.string(),
    /** Above the limit, opening the credentials needs a colleague's approval. */
    needsSecond: z.boolean(),
    /** A colleague's pending request: to open the credentials, or to repay the fee. */
    draft: z.object({ act: z.string(), by: z.string(), reason: z.string(), isMine: z.boolean() }).nullable(),
    isAllowed: z.boolean(),
  }),
  idField: 'taskId',
});

/** Staff pick a listing without a request for inspection. */
export const staffInspectionPick = staffWrite('/api/backstage/inspection/pick', '抽查验号（后台）', {
  input: z.object({ goodsSn: sn }),
  data: z.object({ taskId: z.number().int() }),
});

/** Takes a task from the queue, or returns it. */
export const staffInspectionClaim = staffWrite('/api/backstage/inspection/claim', '领取或放回验号（后台）', {
  input: z.object({ taskId, back: flag.optional() }),
  data: nothing,
});

export const staffInspectionOpen = staffWrite('/api/backstage/inspection/open', '打开验号的密封信息（后台）', {
  input: z.object({ taskId, reason: optionalText(200, '原因') }),
  data: z.object({ waits: z.boolean(), form: openedForm.nullable() }),
});

/** Submits the readings, with pictures. A re-inspection with differences awaits a colleague. */
export const staffInspectionRecord = staffWrite('/api/backstage/inspection/record', '提交验号结果（后台）', {
  input: z.object({
    taskId,
    details: json(z.record(z.string().max(40), z.unknown()), '验号结果'),
    pictures: pictures.optional(),
  }),
  data: z.object({ status: z.string(), differs: z.number().int() }),
});

/** The second person on an opening or on a re-inspection that differs. */
export const staffInspectionSecond = staffWrite('/api/backstage/inspection/second', '复核验号（后台）', {
  input: z.object({
    taskId,
    act: z.enum(['open', 'repay'], { error: '请选择复核的事项' }),
    allow: flag,
    note: optionalText(200, '说明'),
  }),
  data: nothing,
});

export const staffWrongReadings = staffRead('/api/backstage/inspection/wrongList', '验号理赔（后台）', {
  input: z.object({ ...paging }),
  data: z.object({
    list: z.array(
      z.object({
        claimId: z.number().int(),
        orderSn: z.string(),
        title: z.string(),
        price: money,
        label: z.string(),
        reading: z.string(),
        said: z.string(),
        found: z.string(),
        proof: z.array(picture),
        pictures: z.array(picture),
        inspector: z.string(),
        amount: money,
        status: z.string(),
        statusName: z.string(),
        note: z.string(),
        /** The caller may decide: has not read the account. */
        mayDecide: z.boolean(),
        draft: z
          .object({ draftId: z.number().int(), by: z.string(), reason: z.string(), isMine: z.boolean() })
          .nullable(),
        createTime: time,
      }),
    ),
    ...listTail,
  }),
});

/** Rejects a claim on a reading, or proposes to pay it; a payment by the fund needs two people. */
export const staffWrongDecide = staffWrite('/api/backstage/inspection/wrong', '处理验号理赔（后台）', {
  input: z.object({ claimId, pay: flag, note: text(200, { min: 4, label: '依据' }) }),
  data: z.object({ waits: z.boolean() }),
});

export const staffWrongSecond = staffWrite('/api/backstage/inspection/wrongSecond', '复核验号理赔（后台）', {
  input: z.object({ claimId, draftId: int({ min: 1, label: '申请' }), allow: flag, note: optionalText(200, '说明') }),
  data: nothing,
});
