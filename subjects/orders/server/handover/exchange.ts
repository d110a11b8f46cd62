/**
 * The values that the parties exchange to bind an account to its buyer (decision 530): the buyer's number and one-time
 * codes, encrypted with the order's data key, readable only by the other party while their step is the current one.
 */
import { type RawBuilder, sql } from 'kysely';
import {
  allowedActions,
  CODE_READ_SECONDS,
  CODE_SECONDS,
  type ExchangeAction,
  type ExchangeKind,
  exchangeActor,
  exchangeKinds,
  type ExchangeState,
  isCode,
  MORE_SECONDS,
  nextMove,
  targetHint,
} from '../../rules/exchange.ts';
import { isMail } from '#contract/rules/contacts/mail.ts';
import { isPhone } from '#contract/rules/contacts/phone.ts';
import { typedCode, typedMail, typedPhone } from '#contract/rules/texts/typed.ts';
import type { UserCall } from '#server/access/call.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { emit } from '#server/jobs/effect-writer.ts';
import { encryptWith } from '#server/kernel/secrets/crypto.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { loadPhone } from '#subjects/accounts/server/service.ts';
import { addProcess } from '../process.ts';
import { type OpenStep, termsForParty } from '../queries.ts';
import type { OrderTerms } from '../rules.ts';
import { dataKey } from './credentials.ts';
import { currentStep, ensureHandover, type HandoverRow, handoverRows, openOf } from './handover.ts';

/** A step's exchange as stored. */
export interface ExchangeRow {
  step: number;
  target: Buffer | null;
  hint: string | null;
  targetVersion: number;
  targetAt: Date | null;
  targetOpenedAt: Date | null;
  targetOpenings: number;
  refusedAt: Date | null;
  startedAt: Date | null;
  code: Buffer | null;
  codeVersion: number;
  codeAt: Date | null;
  codeOpenedAt: Date | null;
  missingAt: Date | null;
  moreAt: Date | null;
  moves: number;
  /** The age of the code, and the time since its first opening, by the database's clock. */
  codeSeconds: number;
  readSeconds: number;
}

/** A step that exchanges values; its actor is never staff. */
export type ExchangeStep = HandoverRow & { exchange: ExchangeKind; actor: 'buyer' | 'seller' };

export const isExchange = (row: HandoverRow | undefined): row is ExchangeStep =>
  row !== undefined && row.exchange !== null && row.actor !== 'staff';

/** Maximum number of actions in one step by both parties. */
const MAX_MOVES = 60;

const NOTHING: ExchangeRow = {
  step: 0,
  target: null,
  hint: null,
  targetVersion: 0,
  targetAt: null,
  targetOpenedAt: null,
  targetOpenings: 0,
  refusedAt: null,
  startedAt: null,
  code: null,
  codeVersion: 0,
  codeAt: null,
  codeOpenedAt: null,
  missingAt: null,
  moreAt: null,
  moves: 0,
  codeSeconds: 0,
  readSeconds: 0,
};

/** The exchanges of an order's steps. */
export async function exchangeRows(db: Trx, orderId: number): Promise<Map<number, ExchangeRow>> {
  const { rows } = await sql<ExchangeRow>`
    select step, target_enc as target, target_hint as hint, target_version as "targetVersion", target_at as "targetAt", target_opened_at as "targetOpenedAt",
      target_openings as "targetOpenings", target_refused_at as "refusedAt", started_at as "startedAt", code_enc as code, code_version as "codeVersion",
      code_at as "codeAt", code_opened_at as "codeOpenedAt", missing_at as "missingAt", more_at as "moreAt", moves,
      coalesce(extract(epoch from now() - code_at), 0)::float8 as "codeSeconds", coalesce(extract(epoch from now() - code_opened_at), 0)::float8 as "readSeconds"
    from order_exchange where order_id = ${orderId}`.execute(db);
  return new Map(rows.map((r) => [r.step, r]));
}

/** The exchange of one step; empty before the first action. */
export const exchangeOf = (rows: ReadonlyMap<number, ExchangeRow>, step: number): ExchangeRow =>
  rows.get(step) ?? { ...NOTHING, step };

/** The state of the code: once read it never expires, so that its reader can finish. */
function codeState(row: ExchangeRow): ExchangeState['code'] {
  if (row.codeOpenedAt) return 'read';
  if (!row.codeAt) return 'none';
  return row.codeSeconds > CODE_SECONDS ? 'expired' : 'sealed';
}

/** The state on which the moves of a step depend. */
export const exchangeState = (step: ExchangeStep, row: ExchangeRow): ExchangeState => ({
  operator: step.actor,
  hasTarget: row.targetAt !== null,
  isTargetRefused: row.refusedAt !== null,
  isStarted: row.startedAt !== null,
  code: codeState(row),
});

/** The open required steps of an order in progress, with the states of their exchanges. */
export const openStepsOf = (
  rows: readonly HandoverRow[],
  status: number,
  exchanges: ReadonlyMap<number, ExchangeRow>,
): OpenStep[] =>
  openOf(rows, status).map((row) => ({
    ...row,
    exchange: isExchange(row) ? exchangeState(row, exchangeOf(exchanges, row.step)) : null,
  }));

/** Whether a sealed code can be opened now: within its time, or again shortly after its first opening. */
export const isCodeReadable = (row: ExchangeRow): boolean =>
  row.code !== null &&
  row.codeSeconds <= CODE_SECONDS &&
  (row.codeOpenedAt === null || row.readSeconds <= CODE_READ_SECONDS);

/** Additional authenticated data of a value: bound to its order, step, part and version. */
export const valueAad = (orderId: number, step: number, part: 'target' | 'code', version: number): string =>
  `order_exchange.${part}_enc:${orderId}:${step}:${version}`;

/** A step's exchange for one of the order's parties. */
interface LockedExchange {
  order: OrderTerms;
  role: 'buyer' | 'seller';
  step: ExchangeStep;
  row: ExchangeRow;
  isCurrent: boolean;
}

/** Loads a step's exchange under the order's lock. Throws ORDER_NOT_FOUND, and ORDER_STATE for a step that exchanges nothing. */
export async function lockedExchange(
  ctx: Context,
  trx: Trx,
  by: { orderId: number; userId: number; step: number },
): Promise<LockedExchange> {
  await sql`select from orders where id = ${by.orderId} and ${by.userId} in (buyer_id, seller_id) for update`.execute(
    trx,
  );
  const order = await termsForParty(trx, { id: by.orderId }, by.userId);
  if (!order) throw new AppError('ORDER_NOT_FOUND');
  await ensureHandover(ctx, trx, order.id);
  const steps = await handoverRows(trx, order.id);
  const step = steps.find((s) => s.step === by.step);
  if (!isExchange(step)) throw errorOf('ORDER_STATE', 'stepWithoutExchange');
  return {
    order,
    role: order.buyerId === by.userId ? 'buyer' : 'seller',
    step,
    row: exchangeOf(await exchangeRows(trx, order.id), step.step),
    isCurrent: currentStep(steps, order.status)?.step === step.step,
  };
}

/** Validates the format of a number, address or code to be sealed. Throws BAD_INPUT. */
function checkedValue(kind: ExchangeKind, part: 'target' | 'code', value: string): string {
  const { target } = exchangeKinds[kind];
  const text = (part === 'code' ? typedCode : kind === 'phone' ? typedPhone : typedMail)(value);
  const isGood = part === 'code' ? isCode(text) : kind === 'phone' ? isPhone(text) : isMail(text);
  if (isGood) return text;
  const problem = part === 'code' ? '验证码是 4 到 8 位数字或字母，请照短信或邮件原样填写' : `请填写完整的${target}`;
  throw new AppError('BAD_INPUT', { text: problem, field: 'value' });
}

async function sealed(ctx: Context, trx: Trx, at: { orderId: number; aad: string }, text: string): Promise<Buffer> {
  const key = await dataKey(ctx, trx, at.orderId);
  if (!key) throw errorOf('ORDER_STATE', 'formErased');
  return encryptWith(key, at.aad, text);
}

/** The encrypted value of an action; empty for an action without a value. */
interface SealedValue {
  enc: Buffer | null;
  hint: string;
  version: number;
}

const NO_VALUE: SealedValue = { enc: null, hint: '', version: 0 };

/** Checks and encrypts the value of an action. Throws BAD_INPUT, ORDER_STATE. */
async function sealedValue(
  ctx: Context,
  trx: Trx,
  { order, step, row }: LockedExchange,
  input: { act: ExchangeAction; value: string | undefined; userId: number },
): Promise<SealedValue> {
  if (input.act !== 'target' && input.act !== 'code') return NO_VALUE;
  const isTarget = input.act === 'target';
  // Without input: the buyer's registered number.
  const own =
    isTarget && input.value === undefined && step.exchange === 'phone' ? await loadPhone(ctx, input.userId) : '';
  const text = checkedValue(step.exchange, input.act, input.value ?? own);
  const version = (isTarget ? row.targetVersion : row.codeVersion) + 1;
  const aad = valueAad(order.id, step.step, input.act, version);
  const enc = await sealed(ctx, trx, { orderId: order.id, aad }, text);
  return { enc, hint: isTarget ? targetHint(step.exchange, text) : '', version };
}

const NO_CODE = sql`code_enc = null, code_at = null, code_opened_at = null, missing_at = null`;

/** The columns set by an action. */
function columnsOf(action: ExchangeAction, { enc, hint, version }: SealedValue): RawBuilder<unknown> {
  switch (action) {
    case 'target':
      return sql`target_enc = ${enc}, target_hint = ${hint}, target_version = ${version}, target_at = now(),
        target_opened_at = null, target_openings = 0, target_refused_at = null, started_at = null, ${NO_CODE}`;
    case 'refuse':
      return sql`target_refused_at = now(), started_at = null, ${NO_CODE}`;
    case 'start':
    case 'again':
      return sql`started_at = now(), ${NO_CODE}`;
    case 'undo':
      return sql`started_at = null, ${NO_CODE}`;
    case 'code':
      return sql`code_enc = ${enc}, code_version = ${version}, code_at = now(), code_opened_at = null, missing_at = null`;
    case 'missing':
      return sql`started_at = null, code_enc = null, code_at = null, code_opened_at = null, missing_at = now()`;
    case 'more':
      return sql`more_at = now()`;
  }
}

/** The entry of an action in the order's record. */
function explainOf(action: ExchangeAction, { role, row, step }: LockedExchange): string {
  const kind = exchangeKinds[step.exchange];
  const name = role === 'buyer' ? '买家' : '卖家';
  switch (action) {
    case 'target':
      return row.targetAt ? `买家换了一个${kind.target}` : `买家封存了${kind.target}`;
    case 'refuse':
      return `卖家反映${kind.target}已被占用或不能使用，请买家换一个`;
    case 'start':
      return `${name}已在游戏里发起「${kind.game}」`;
    case 'undo':
      return `${name}撤回了「${kind.game}」`;
    case 'code':
      return `${name}封存了验证码`;
    case 'missing':
      return `${name}没有收到验证码，请重新获取`;
    case 'again':
      return `${name}已重新获取验证码`;
    case 'more':
      return `${name}需要更多时间，「${step.title}」延长 ${MORE_SECONDS / 60} 分钟`;
  }
}

/**
 * Performs one action of a step's exchange for a party. Throws ORDER_NOT_FOUND, ORDER_STATE, ORDER_FORBIDDEN,
 * ORDER_DISPUTED, BAD_INPUT; a rejected action changes nothing.
 */
export async function moveExchange(
  call: UserCall,
  input: { orderId: number; step: number; act: ExchangeAction; value?: string | undefined },
): Promise<void> {
  const { ctx, user } = call;
  await inTransaction(ctx.db, async (trx) => {
    const at = await lockedExchange(ctx, trx, { ...input, userId: user.id });
    if (!at.isCurrent) throw errorOf('ORDER_STATE', 'stepNotOpen');
    if (at.order.disputed) throw new AppError('ORDER_DISPUTED', { text: '订单在申诉中，结案后再继续换绑' });
    const before = exchangeState(at.step, at.row);
    if (!allowedActions(before, at.role, at.row.moreAt !== null).includes(input.act))
      throw new AppError('ORDER_STATE', { text: refusalOf(input.act, exchangeActor(before) === at.role) });
    if (at.row.moves >= MAX_MOVES) throw errorOf('ORDER_STATE', 'exchangeTooLong');
    const value = await sealedValue(ctx, trx, at, { act: input.act, value: input.value, userId: user.id });
    await sql`insert into order_exchange (order_id, step) values (${at.order.id}, ${at.step.step}) on conflict do nothing`.execute(
      trx,
    );
    await sql`update order_exchange set ${columnsOf(input.act, value)}, moves = moves + 1 where order_id = ${at.order.id} and step = ${at.step.step}`.execute(
      trx,
    );
    await addProcess(trx, at.order, explainOf(input.act, at), `user:${user.id}`);
    await notifyNext(trx, at, before);
  });
}

/** Why an action is not possible now. */
function refusalOf(action: ExchangeAction, isOwnMove: boolean): string {
  if (action === 'more') return '这一步已经延长过一次，还来不及请在交易群里联系客服';
  return isOwnMove ? '换绑状态已变化，请按页面上当前这一步操作' : '现在轮到对方操作，请稍等';
}

/** Notifies the party of the next move. */
async function notifyNext(trx: Trx, { order, step, role }: LockedExchange, before: ExchangeState): Promise<void> {
  const row = exchangeOf(await exchangeRows(trx, order.id), step.step);
  const now = exchangeState(step, row);
  const actor = exchangeActor(now);
  if (actor === role || (actor === exchangeActor(before) && nextMove(now) === nextMove(before))) return;
  const { rows } = await sql<{ title: string }>`
    select coalesce(snapshot->>'title', '') as title from orders where id = ${order.id}`.execute(trx);
  await emit(trx, 'notice', {
    kind: 'order.handover',
    userId: actor === 'buyer' ? order.buyerId : order.sellerId,
    distId: order.distId,
    ref: `order:${order.id}:exchange:${step.step}:${row.moves}`,
    values: {
      goods: rows[0]?.title ?? '',
      orderSn: order.sn,
      step: String(step.step),
      stepTitle: step.title,
      minutes: String(step.minutes),
    },
  });
}

/** Throws ORDER_STATE when the operator finishes a step whose values were not exchanged. The caller holds the order's lock. */
export async function requireExchanged(trx: Trx, orderId: number, step: ExchangeStep): Promise<void> {
  const state = exchangeState(step, exchangeOf(await exchangeRows(trx, orderId), step.step));
  const { target, fresh, old } = exchangeKinds[step.exchange];
  if (nextMove(state) === 'finish' && state.code === 'read') return;
  const missing =
    step.actor === 'seller' && (!state.hasTarget || state.isTargetRefused)
      ? `买家还没有封存${target}`
      : state.code === 'sealed'
        ? '请先查看对方封存的验证码，填进游戏后再完成这一步'
        : `对方还没有封存${step.actor === 'seller' ? fresh : old}收到的验证码`;
  throw new AppError('ORDER_STATE', { text: missing });
}

/** Erases the values of a step that has ended, or of every step of an order. The caller holds the order's lock. */
export async function eraseExchange(trx: Trx, orderId: number, step?: number): Promise<void> {
  await sql`update order_exchange set target_enc = null, code_enc = null
    where order_id = ${orderId} and ${step === undefined ? sql`true` : sql`step = ${step}`}`.execute(trx);
}
