import type { SettingValue } from '#subjects/settings/contract/setting-values.ts';
import { type DisputeStatus, disputeStatusNames } from '../rules/case-states.ts';
import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { OrderType } from '#subjects/orders/rules/order-types.ts';
import type { DisputeField } from '#subjects/disputes/contract/dispute.ts';
import { parseYuan } from '#contract/wire.ts';
import type { DepositRole } from '#subjects/deposits/server/rules.ts';
import { AppError } from '#server/kernel/errors.ts';

export type Party = 'buyer' | 'seller';
export type { DisputeStatus };
export type Want = 'refund' | 'part_refund' | 'continue' | 'redo' | 'release' | 'other';

export type DisputeSetting = SettingValue<'disputes'>;

const COIN_TYPES = new Set<number>([OrderType.Coin, OrderType.Ingots, OrderType.Items, OrderType.QuickCoin]);

/** How long the other party has to respond (domain.md 2: 24 h, coins 2 h). */
export const answerSeconds = (setting: DisputeSetting, typeId: number): number =>
  COIN_TYPES.has(typeId) ? setting.answerCoinSeconds : setting.answerSeconds;

const SELLER_ROLES: Readonly<Record<number, DepositRole>> = {
  [OrderType.QuickCoin]: 'shop',
  [OrderType.Boosting]: 'booster',
  [OrderType.Companion]: 'companion',
  [OrderType.Account]: 'seller',
  [OrderType.Consigned]: 'seller',
  [OrderType.FirstTopup]: 'seller',
  [OrderType.Coin]: 'seller',
  [OrderType.Ingots]: 'seller',
  [OrderType.Items]: 'seller',
  [OrderType.Middleman]: 'seller',
  [OrderType.Recycling]: 'seller',
} satisfies Record<OrderType, DepositRole>;

/** The deposit role in which a party trades on an order (rule 8.3); undefined when that party needs no deposit. */
export const depositRoleOf = (typeId: number, party: Party): DepositRole | undefined =>
  party === 'seller' ? (SELLER_ROLES[typeId] ?? 'seller') : typeId === OrderType.Recycling ? 'recycler' : undefined;

export const partyNames: Readonly<Record<Party, string>> = { buyer: '买家', seller: '卖家' };

const wants: Readonly<
  Record<Want, { name: string; explain: string; parties: readonly Party[]; takesAmount: boolean }>
> = {
  refund: { name: '全额退款', explain: '货款全部退回，商品或账号归还卖家', parties: ['buyer'], takesAmount: false },
  part_refund: { name: '部分退款', explain: '商品留下，退回一部分商品价', parties: ['buyer'], takesAmount: true },
  redo: { name: '重新交付', explain: '由卖家补发、重做或重新换绑', parties: ['buyer'], takesAmount: false },
  continue: {
    name: '继续交易',
    explain: '请平台介入，解决后交易继续',
    parties: ['buyer', 'seller'],
    takesAmount: false,
  },
  release: { name: '放款给卖家', explain: '已按约定交付，请平台确认交易成立', parties: ['seller'], takesAmount: false },
  other: { name: '其他', explain: '在说明里写清楚希望怎么处理', parties: ['buyer', 'seller'], takesAmount: false },
};

/** The label of the requested remedy. */
export const wantName = (want: Want): string => wants[want].name;

/** The remedies that a party may request. */
export function wantsOf(party: Party): { key: string; name: string; explain: string; takesAmount: boolean }[] {
  return Object.entries(wants)
    .filter(([, w]) => w.parties.includes(party))
    .map(([key, { name, explain, takesAmount }]) => ({ key, name, explain, takesAmount }));
}

/** The requested refund, in fen of the goods' price; 0 when none is requested. Throws BAD_INPUT. */
export function wantedFen(party: Party, want: Want, amountFen: number | undefined, goodsFen: number): number {
  if (!wants[want].parties.includes(party)) throw new AppError('BAD_INPUT', { text: '请重新选择诉求', field: 'want' });
  if (want === 'refund') return goodsFen;
  if (want !== 'part_refund') return 0;
  if (amountFen === undefined) throw new AppError('BAD_INPUT', { text: '请填写希望退回的金额', field: 'wantAmount' });
  if (amountFen >= goodsFen)
    throw new AppError('BAD_INPUT', { text: '部分退款须低于商品价，全部退款请选全额退款', field: 'wantAmount' });
  return amountFen;
}

/** The label of a dispute's state. */
export const statusName = (status: DisputeStatus): string => disputeStatusNames[status];

/** The label of a closed dispute's outcome; null while it is open. */
export function outcomeName(d: { outcome: string | null; backFen: number | null; goodsFen: number }): string | null {
  if (d.outcome === null) return null;
  if (d.outcome === 'withdrawn') return '申诉方撤回';
  const what = !d.backFen ? '不退款' : d.backFen >= d.goodsFen ? '全额退款' : '部分退款';
  return `${d.outcome === 'settled' ? '双方协商' : '平台裁决'}：${what}`;
}

/** The fields that a party fills in: its own and those for both. */
export const fieldsOf = (form: readonly DisputeField[], party: Party): DisputeField[] =>
  form.filter((f) => f.side === party || f.side === 'both');

function isValidValue(field: DisputeField, value: string): boolean {
  if (field.kind === 'yes_no') return value === 'yes' || value === 'no';
  if (field.kind === 'choice') return field.options?.includes(value) === true;
  if (field.kind === 'amount') return parseYuan(value) !== null;
  if (field.kind === 'time') return !Number.isNaN(Date.parse(value));
  return true;
}

/** The answers to the fields of a party's form; others are dropped. Throws BAD_INPUT with the message of the first invalid field. */
export function checkedResponses(
  form: readonly DisputeField[],
  party: Party,
  answers: Readonly<Record<string, string>>,
): Record<string, string> {
  const checked: Record<string, string> = {};
  for (const field of fieldsOf(form, party)) {
    const value = (answers[field.key] ?? '').trim();
    if (value === '') {
      if (field.required)
        throw new AppError('BAD_INPUT', { text: `请填写「${field.label}」`, field: `answers.${field.key}` });
      continue;
    }
    if (!isValidValue(field, value))
      throw new AppError('BAD_INPUT', { text: `「${field.label}」填写不正确`, field: `answers.${field.key}` });
    checked[field.key] = value;
  }
  return checked;
}

/** A form's answers for display: each with its label, codes as text. */
export function labelledAnswers(
  form: readonly DisputeField[],
  answers: Readonly<Record<string, string>>,
): { label: string; value: string }[] {
  return form.flatMap((f) => {
    const value = answers[f.key];
    if (value === undefined) return [];
    const text =
      f.kind === 'yes_no' ? (value === 'yes' ? '是' : '否') : f.kind === 'time' ? value.replace('T', ' ') : value;
    return [{ label: f.label, value: text }];
  });
}

/** The reason of the case that the clock of a late order opens (db/migrations/0001_baseline.sql). */
export const LATE_REASON = 'order_late';

/** The parts of a dispute's state that permissions and time limits depend on. */
export interface DisputeState {
  status: DisputeStatus;
  openerBelong: number;
  want: Want;
  orderStatus: number;
  answered: boolean;
  accepted: Readonly<Record<Party, boolean>>;
  appealed: boolean;
  appealUntil: Date | null;
}

/** The party that opened the dispute; `belong` 1 is the buyer. */
export const openerParty = (belong: number): Party => (belong === 1 ? 'buyer' : 'seller');

/** Whether the other party may end the dispute by agreeing: the request can be executed without a ruling. */
export const canAgree = (d: Pick<DisputeState, 'want' | 'orderStatus'>): boolean =>
  d.want === 'refund' || d.want === 'part_refund' || (d.want === 'release' && d.orderStatus === OrderStatus.Shipped);

/** The actions available to a party now. Both the buttons and the server's checks use this list. */
export function actionsOf(d: DisputeState, party: Party, now: Date): string[] {
  const mine = openerParty(d.openerBelong) === party;
  const running = d.status === 'open' || d.status === 'answering' || d.status === 'evidence';
  const actions: string[] = [];
  if (running && !mine && !d.answered) actions.push('answer');
  if (running && !mine && canAgree(d)) actions.push('agree');
  if (running || d.status === 'appealed') actions.push('evidence');
  if (running && mine) actions.push('withdraw');
  if (d.status === 'ruled' && d.appealUntil !== null && d.appealUntil > now) {
    if (!d.accepted[party]) actions.push('accept');
    if (!d.appealed) actions.push('appeal');
  }
  return actions;
}
