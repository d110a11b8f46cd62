import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { exchangeActions, exchangeMoves } from '../rules/exchange.ts';
import { type SealedFieldKey, sealedFields } from '../rules/sealed-fields.ts';
import { int, json, nothing, optionalText, time } from '#contract/wire.ts';

const sealedStep = z.object({
  /** The form's fields; for one-time codes also the number of seconds during which they are readable. */
  fields: z.array(
    z.object({
      key: z.string(),
      label: z.string(),
      required: z.boolean(),
      max: z.number().int(),
      hidden: z.boolean(),
      seconds: z.number().int().nullable(),
    }),
  ),
  sent: z.boolean(),
  /** The newest version; 0 = none. */
  version: z.number().int(),
  sentTime: time.nullable(),
  opened: z.boolean(),
  canSend: z.boolean(),
  canOpen: z.boolean(),
  /** Why the viewer, who is entitled to the form, cannot open it yet. */
  openReason: z.string().nullable(),
  erased: z.boolean(),
  /**
   * Boosting: the booster may report that the log-in fails, or has reported it and waits for another version; `none`
   * for others.
   */
  logIn: z.enum(['none', 'may', 'told']),
});

/** One opening of a sealed form: the person, the version, the purpose and the time. */
export const opening = z.object({
  step: z.number().int(),
  version: z.number().int(),
  name: z.string(),
  purpose: z.string(),
  time,
  mine: z.boolean(),
});

/**
 * The values that the parties exchange in a step: the buyer's number (or mail address) and one-time codes. Never
 * contains the values; a number is shown with its middle hidden.
 */
const exchange = z.object({
  kind: z.enum(['phone', 'mail']),
  /** The party that operates the game. */
  operator: z.enum(['buyer', 'seller']),
  moves: z.array(
    z.object({
      move: z.enum(exchangeMoves),
      actor: z.enum(['buyer', 'seller']),
      mine: z.boolean(),
      state: z.enum(['done', 'current', 'waiting']),
      time: time.nullable(),
    }),
  ),
  /** The viewer's available actions, apart from finishing the step. */
  acts: z.array(z.enum(exchangeActions)),
  /** The buyer's registered number, masked; null for everyone else, and for a mail address. */
  ownHint: z.string().nullable(),
  targetHint: z.string().nullable(),
  targetOpenedTime: time.nullable(),
  isTargetRefused: z.boolean(),
  canOpenTarget: z.boolean(),
  code: z.enum(['none', 'sealed', 'read', 'expired']),
  /** The time until which the code can be opened. */
  codeUntil: time.nullable(),
  canOpenCode: z.boolean(),
  /** The other party has reported that no code arrived. */
  isCodeMissing: z.boolean(),
  isExtended: z.boolean(),
});

export const handoverStep = z.object({
  step: z.number().int(),
  key: z.string(),
  title: z.string(),
  actor: z.string(),
  actorName: z.string(),
  /** How long it takes; 0 for services, which have their own deadlines. */
  minutes: z.number().int(),
  required: z.boolean(),
  beforeShip: z.boolean(),
  needsEvidence: z.boolean(),
  secret: z.boolean(),
  explain: z.string(),
  state: z.enum(['done', 'current', 'waiting']),
  mine: z.boolean(),
  /** The buyer's last step, which is completed by confirming the receipt. */
  isReceipt: z.boolean(),
  /** Deadline of the current actor; null for other steps, and while a dispute has stopped the clock. */
  dueTime: time.nullable(),
  doneTime: time.nullable(),
  doneBy: z.string().nullable(),
  pictures: z.array(z.object({ url: z.string(), thumb: z.string() })),
  /** The buyer has skipped it. */
  skipped: z.boolean(),
  /** The viewer can skip it now. */
  canSkip: z.boolean(),
  sealed: sealedStep.nullable(),
  exchange: exchange.nullable(),
});

const orderId = int({ min: 1, label: '订单内部编号' });

const stepNo = int({ min: 1, max: 50, label: '步骤' });

const valueOf = (key: SealedFieldKey) => optionalText(sealedFields[key].max, sealedFields[key].label);

/** A party's input in a sealed form, by field. */
export const sealedValues = json(
  z.object({
    account: valueOf('account'),
    password: valueOf('password'),
    mailbox: valueOf('mailbox'),
    mailboxPassword: valueOf('mailboxPassword'),
    question: valueOf('question'),
    code: valueOf('code'),
    notes: valueOf('notes'),
  } satisfies Record<SealedFieldKey, z.ZodType>),
  '密封信息',
);

/**
 * Marks a hand-over step done, with evidence pictures where the step requires them; `fields` are sealed in the same
 * transaction.
 */
export const handoverDone = endpoint({
  method: 'POST',
  path: '/api/order/handoverDone',
  auth: 'login',
  summary: '完成一个交付步骤',
  input: z.object({
    orderId,
    step: stepNo,
    pictures: json(z.array(z.string().max(80)).max(6), '凭证').default([]),
    fields: sealedValues.optional(),
  }),
  data: nothing,
  limit: 'write',
});

/** The buyer skips an optional step, which then counts as done. */
export const handoverSkip = endpoint({
  method: 'POST',
  path: '/api/order/handoverSkip',
  auth: 'login',
  summary: '买家跳过一个选做的步骤',
  input: z.object({ orderId, step: stepNo }),
  data: nothing,
  limit: 'write',
});

/**
 * Credentials go into a sealed form, never into chat: they are encrypted at rest and each opening is logged. Sealing
 * again adds a version.
 */
export const sealSecret = endpoint({
  method: 'POST',
  path: '/api/order/sealSecret',
  auth: 'login',
  summary: '提交密封信息',
  input: z.object({ orderId, step: stepNo, fields: sealedValues }),
  data: z.object({ version: z.number().int() }),
  limit: 'write',
});

/** The content of an opened form: displayed until `openUntil` at most, with the viewer's watermark. */
export const openedForm = z.object({
  step: z.number().int(),
  version: z.number().int(),
  /** The value is null when a one-time code has expired. */
  fields: z.array(z.object({ key: z.string(), label: z.string(), value: z.string().nullable() })),
  watermark: z.string(),
  purpose: z.string(),
  /** Number of times that the viewer has opened it, including this one. */
  count: z.number().int(),
  openedTime: time,
  openUntil: time,
});

/**
 * Opens the newest version of a sealed form: for the buyer after the login was checked and the order shipped, for a
 * booster during the work.
 */
export const revealSecret = endpoint({
  method: 'POST',
  path: '/api/order/revealSecret',
  auth: 'login',
  summary: '打开密封信息',
  input: z.object({ orderId, step: stepNo }),
  data: openedForm,
  limit: 'write',
});

/**
 * One action of a step's exchange. `value`: the number, address or code to be sealed; without a number, the buyer's
 * registered one is sealed.
 */
export const exchangeMove = endpoint({
  method: 'POST',
  path: '/api/order/exchangeMove',
  auth: 'login',
  summary: '换绑：封存号码或验证码，或告诉对方进展',
  input: z.object({
    orderId,
    step: stepNo,
    act: z.enum(exchangeActions, { error: '操作不正确' }),
    value: optionalText(120, '内容'),
  }),
  data: nothing,
  limit: 'write',
});

/** Opens a number or a code that the other party sealed in the current step. */
export const exchangeOpen = endpoint({
  method: 'POST',
  path: '/api/order/exchangeOpen',
  auth: 'login',
  summary: '换绑：查看对方封存的号码或验证码',
  input: z.object({ orderId, step: stepNo, part: z.enum(['target', 'code'], { error: '内容不正确' }) }),
  data: openedForm,
  limit: 'write',
});
