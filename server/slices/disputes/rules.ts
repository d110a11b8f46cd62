import { OrderStatus } from '#contract/rules/order-status.ts';
import type { DisputeField } from '#contract/dispute.ts';
import { parseYuan } from '#contract/wire.ts';
import type { DepositRole } from '#server/slices/deposits/rules.ts';
import { AppError } from '#server/kernel/errors.ts';

export type Side = 'buyer' | 'seller';
export type DisputeStatus = 'open' | 'answering' | 'evidence' | 'ruled' | 'appealed' | 'closed';
export type Want = 'refund' | 'part_refund' | 'continue' | 'redo' | 'release' | 'other';

/** Setting 'disputes' (db/migrations/0051): clocks in seconds, and how many one person may open a day. */
export interface DisputeSetting {
  lookSeconds: number;
  answerSeconds: number;
  answerCoinSeconds: number;
  ruleSeconds: number;
  appealSeconds: number;
  perDay: number;
}

const COIN_TYPES = new Set([2, 22, 27, 53]);

/** How long the other side has to answer (domain.md 2: 24 h, coins 2 h). */
export const answerSeconds = (setting: DisputeSetting, typeId: number): number =>
  COIN_TYPES.has(typeId) ? setting.answerCoinSeconds : setting.answerSeconds;

const SELLER_ROLES: Readonly<Record<number, DepositRole>> = { 53: 'shop', 60: 'booster', 61: 'companion' };
const RECYCLING = 52;

/** In which role a side trades on an order, for whose deposit rule 8.3 is; undefined where none is asked for. */
export const depositRoleOf = (typeId: number, side: Side): DepositRole | undefined =>
  side === 'seller' ? (SELLER_ROLES[typeId] ?? 'seller') : typeId === RECYCLING ? 'recycler' : undefined;

export const sideNames: Readonly<Record<Side, string>> = { buyer: '买家', seller: '卖家' };

const wants: Readonly<Record<Want, { name: string; explain: string; sides: readonly Side[]; takesAmount: boolean }>> = {
  refund: { name: '全额退款', explain: '货款全部退回，商品或账号归还卖家', sides: ['buyer'], takesAmount: false },
  part_refund: { name: '部分退款', explain: '商品留下，退回一部分商品价', sides: ['buyer'], takesAmount: true },
  redo: { name: '重新交付', explain: '由卖家补发、重做或重新换绑', sides: ['buyer'], takesAmount: false },
  continue: { name: '继续交易', explain: '请平台介入，解决后交易继续', sides: ['buyer', 'seller'], takesAmount: false },
  release: { name: '放款给卖家', explain: '已按约定交付，请平台确认交易成立', sides: ['seller'], takesAmount: false },
  other: { name: '其他', explain: '在说明里写清楚希望怎么处理', sides: ['buyer', 'seller'], takesAmount: false },
};

/** What is asked for, in words. */
export const wantName = (want: Want): string => wants[want].name;

/** What a side may ask for. */
export function wantsOf(side: Side): { key: string; name: string; explain: string; takesAmount: boolean }[] {
  return Object.entries(wants)
    .filter(([, w]) => w.sides.includes(side))
    .map(([key, { name, explain, takesAmount }]) => ({ key, name, explain, takesAmount }));
}

/** What was asked for, in fen of the goods' price; null where it is no amount. Throws BAD_INPUT. */
export function wantedFen(side: Side, want: Want, asked: number | undefined, goodsFen: number): number {
  if (!wants[want].sides.includes(side)) throw new AppError('BAD_INPUT', { text: '请重新选择诉求' });
  if (want === 'refund') return goodsFen;
  if (want !== 'part_refund') return 0;
  if (asked === undefined) throw new AppError('BAD_INPUT', { text: '请填写希望退回的金额' });
  if (asked >= goodsFen) throw new AppError('BAD_INPUT', { text: '部分退款须低于商品价，全部退款请选全额退款' });
  return asked;
}

const statusNames: Readonly<Record<DisputeStatus, string>> = {
  open: '待受理',
  answering: '等待答复',
  evidence: '待裁决',
  ruled: '已裁决',
  appealed: '上诉中',
  closed: '已结案',
};
/** What the state of a dispute is called. */
export const statusName = (status: DisputeStatus): string => statusNames[status];

/** How a closed dispute ended, in words. */
export function outcomeName(d: { outcome: string | null; backFen: number | null; goodsFen: number }): string | null {
  if (d.outcome === null) return null;
  if (d.outcome === 'withdrawn') return '申诉方撤回';
  const what = !d.backFen ? '不退款' : d.backFen >= d.goodsFen ? '全额退款' : '部分退款';
  return `${d.outcome === 'settled' ? '双方协商' : '平台裁决'}：${what}`;
}

/** The fields that a side fills in: those of its own, and those of both. */
export const fieldsOf = (form: readonly DisputeField[], side: Side): DisputeField[] =>
  form.filter((f) => f.side === side || f.side === 'both');

function fits(field: DisputeField, value: string): boolean {
  if (field.kind === 'yes_no') return value === 'yes' || value === 'no';
  if (field.kind === 'choice') return field.options?.includes(value) === true;
  if (field.kind === 'amount') return parseYuan(value) !== null;
  if (field.kind === 'time') return !Number.isNaN(Date.parse(value));
  return true;
}

/** The answers that belong to a side's form. Throws BAD_INPUT with the first field's sentence. */
export function checkedResponses(
  form: readonly DisputeField[],
  side: Side,
  answers: Readonly<Record<string, string>>,
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const field of fieldsOf(form, side)) {
    const value = (answers[field.key] ?? '').trim();
    if (value === '') {
      if (field.required) throw new AppError('BAD_INPUT', { text: `请填写「${field.label}」` });
      continue;
    }
    if (!fits(field, value)) throw new AppError('BAD_INPUT', { text: `「${field.label}」填写不正确` });
    kept[field.key] = value;
  }
  return kept;
}

/** A form's answers as they are read: labels and words. */
export function readAnswers(
  form: readonly DisputeField[],
  answers: Readonly<Record<string, string>>,
): { label: string; value: string }[] {
  return form.flatMap((f) => {
    const value = answers[f.key];
    if (value === undefined) return [];
    const words =
      f.kind === 'yes_no' ? (value === 'yes' ? '是' : '否') : f.kind === 'time' ? value.replace('T', ' ') : value;
    return [{ label: f.label, value: words }];
  });
}

/** A dispute's state, as far as permission and clocks depend on it. */
export interface DisputeState {
  status: DisputeStatus;
  openerBelong: number;
  want: Want;
  orderStatus: number;
  answered: boolean;
  accepted: Readonly<Record<Side, boolean>>;
  appealed: boolean;
  appealUntil: Date | null;
}

/** Which side opened it; `belong` 1 = the buyer. */
export const openerSide = (belong: number): Side => (belong === 1 ? 'buyer' : 'seller');

/** Whether the other side may end it by agreeing: what was asked for can be carried out as it stands. */
export const canAgree = (d: Pick<DisputeState, 'want' | 'orderStatus'>): boolean =>
  d.want === 'refund' || d.want === 'part_refund' || (d.want === 'release' && d.orderStatus === OrderStatus.Shipped);

/** What a side may do now. Buttons and the server's permission are read from here. */
export function actsOf(d: DisputeState, side: Side, now: Date): string[] {
  const mine = openerSide(d.openerBelong) === side;
  const running = d.status === 'open' || d.status === 'answering' || d.status === 'evidence';
  const acts: string[] = [];
  if (running && !mine && !d.answered) acts.push('answer');
  if (running && !mine && canAgree(d)) acts.push('agree');
  if (running || d.status === 'appealed') acts.push('evidence');
  if (running && mine) acts.push('withdraw');
  if (d.status === 'ruled' && d.appealUntil !== null && d.appealUntil > now) {
    if (!d.accepted[side]) acts.push('accept');
    if (!d.appealed) acts.push('appeal');
  }
  return acts;
}
