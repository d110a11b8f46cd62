import { isInProgress } from '#contract/rules/order-status.ts';
import type { HandoverStep } from './handover-step.ts';

/** The due step, unless a dispute or a cancellation request takes precedence. */
export function dueStep(order: {
  status: number;
  disputed: boolean;
  cancelAsked: boolean;
  handover: readonly HandoverStep[];
}): HandoverStep | undefined {
  const runs = isInProgress(order.status);
  if (!runs || order.disputed || order.cancelAsked) return undefined;
  return order.handover.find(({ state }) => state === 'current');
}
