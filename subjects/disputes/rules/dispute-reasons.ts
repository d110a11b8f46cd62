/** Reasons for disputes: the orders to which each applies, and the form that the parties fill in. */
import { isInProgress, OrderStatus, orderStatusName } from '#subjects/orders/rules/order-status.ts';
import { BOOSTING } from '#subjects/orders/rules/order-types.ts';

/** Types of orders that can be disputed. */
export const disputedTypes = [1, 2, 8, 22, 27, 50, 51, 52, 53, 60, 61] as const;
/** The name of a state for orders of every type, including services. */
const nameOfAll = (status: number): string => `${orderStatusName(status, null)}、${orderStatusName(status, BOOSTING)}`;

/** States of an order in which a dispute can be opened. */
export const disputedStates: readonly (readonly [status: number, name: string])[] = [
  [OrderStatus.Paid, nameOfAll(OrderStatus.Paid)],
  [OrderStatus.Shipped, nameOfAll(OrderStatus.Shipped)],
  [OrderStatus.Completed, '已完成（保护期内）'],
];
/** The state of a reason for reports of content outside orders: a listing, a question, an answer. */
export const REPORT_STATE = 0;
/** Where a reason may be offered. */
export const reasonPlaces: readonly (readonly [state: number, name: string])[] = [
  ...disputedStates,
  [REPORT_STATE, '举报商品与问答'],
];
export const REASON_FIELDS_MAX = 8;

export const reasonFieldKinds = {
  text: '文字',
  choice: '选项',
  yes_no: '是或否',
  amount: '金额',
  time: '时间',
} as const;
export type ReasonFieldKind = keyof typeof reasonFieldKinds;
export const reasonFieldSides = { buyer: '买家', seller: '卖家', both: '双方' } as const;
export type ReasonFieldSide = keyof typeof reasonFieldSides;

/** The orders and states that a reason applies to; null types = every type. */
interface Scope {
  types: readonly number[] | null;
  states: readonly number[];
}

/**
 * The first combination of type and state without a reason; null when every order, and every listing that can be reported, has one.
 */
export function withoutReason(reasons: readonly Scope[]): { typeId: number; state: string } | null {
  for (const typeId of disputedTypes)
    for (const [state, name] of reasonPlaces)
      if (!reasons.some(({ types, states }) => (types === null || types.includes(typeId)) && states.includes(state)))
        return { typeId, state: isInProgress(state) ? orderStatusName(state, typeId) : name };
  return null;
}
