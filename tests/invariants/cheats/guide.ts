/** Guidance for the choice of an action: how often an action was tried and carried out in a state, and the theme of the world. */
import type { Action } from './actions/actions-trade.ts';
import type { World } from './worlds/world.ts';

export const THEME_BOOST = 5;

/** Statistics of all worlds so far. */
export type Memory = Map<string, { times: number; done: number }>;

/** A state of one thing in few words, so that what was learnt of one order holds for others like it. */
export function stateOf(w: World, action: Action, at: readonly (string | number)[]): string {
  const n = Number(at[0]);
  if (action.theme === 'recycling')
    return `${action.name}(${at.slice(1).join(',')}):${w.services.requests[n]?.status ?? ''}:${w.services.requests[n]?.isPlatform ?? ''}`;
  if (action.theme === 'reading')
    return `${action.name}(${at.slice(1).join(',')}):${w.services.tasks[n]?.status ?? ''}`;
  const job = action.theme === 'boosting' ? w.services.jobs.find((j) => j.orderId === w.order(n)?.id) : undefined;
  if (job)
    return `${action.name}(${at.slice(1).join(',')}):${job.state}:${job.milestones.map((m) => m.state.charAt(0)).join('')}:${job.cancel?.requestedBy ?? ''}:${w.order(n)?.disputed ?? ''}`;
  const o =
    action.name === 'answer' || action.name === 'withdrawDispute' || action.name === 'badRuling'
      ? w.state.orders.find((x) => x.id === w.dispute(n)?.orderId)
      : action.name === 'badClaim'
        ? w.state.orders.find((x) => x.id === w.claim(n)?.orderId)
        : action.name === 'claim'
          ? w.state.orders.find((x) => x.id === w.cover(n)?.orderId)
          : [
                'buy',
                'honestBuys',
                'thief',
                'changePassword',
                'recover',
                'publish',
                'push',
                'deal',
                'coupon',
                'withdraw',
                'close',
                'depositRelease',
                'wrongPassword',
              ].includes(action.name)
            ? undefined
            : w.order(n);
  const rest = at.slice(1).join(',');
  if (!o) return `${action.name}(${rest})`;
  const done = o.steps.map((s) => (s.done ? 1 : 0)).join('');
  const flags = [o.disputed, o.late, o.touched, o.buyerOpened, o.covered, o.held].map(Number).join('');
  return `${action.name}(${rest}):${o.status}:${flags}:${done}:${w.amongThemselves(o) ? 'us' : 'them'}`;
}

/** How likely an action is chosen: by its weight and the theme, more often where it is new, seldom where it was always refused. */
export function weightOf(
  w: World,
  action: Action,
  at: readonly (string | number)[],
  theme: string,
  memory: Memory,
): number {
  const met = memory.get(stateOf(w, action, at));
  const boost = action.theme === theme || action.also?.includes(theme) === true ? THEME_BOOST : 1;
  if (!met) return action.weight * boost * 2;
  const rejectedWeight = met.done === 0 ? 1 / (1 + met.times) : 1;
  return (action.weight * boost * rejectedWeight) / Math.sqrt(1 + met.done / 50);
}
