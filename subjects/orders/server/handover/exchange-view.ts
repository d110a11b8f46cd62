import type { HandlerResult } from '#contract/endpoint.ts';
import type { orderDetail } from '#subjects/orders/contract/order.ts';
import { allowedActions, CODE_SECONDS, type ExchangeMove, movesOf, nextMove } from '../../rules/exchange.ts';
import { exchangeAccessOf } from './access.ts';
import type { Viewer } from './credential-view.ts';
import { type ExchangeRow, type ExchangeStep, exchangeState, isCodeReadable } from './exchange.ts';

type View = NonNullable<HandlerResult<typeof orderDetail>['handover'][number]['exchange']>;

const TIMES: Readonly<Record<ExchangeMove, (row: ExchangeRow) => Date | null>> = {
  target: ({ targetAt }) => targetAt,
  start: ({ startedAt }) => startedAt,
  code: ({ codeAt }) => codeAt,
  finish: () => null,
};

/** The exchange of a step as a viewer sees it, without its values. `state`: that of the step. */
export function exchangeView(
  step: ExchangeStep,
  row: ExchangeRow,
  viewer: Viewer,
  at: { state: 'done' | 'current' | 'waiting'; disputed: boolean; ownHint: string },
): View {
  const state = exchangeState(step, row);
  const isOpen = at.state === 'current' && !at.disputed;
  const moves = movesOf(step.actor);
  const next = moves.findIndex(({ move }) => move === nextMove(state));
  const stateAt = (i: number): View['moves'][number]['state'] => {
    if (at.state !== 'current') return at.state;
    return i < next ? 'done' : i === next ? 'current' : 'waiting';
  };
  const mayOpen = (from: 'buyer' | 'seller'): boolean =>
    'purpose' in exchangeAccessOf({ disputed: at.disputed, isCurrent: at.state === 'current' }, viewer.role, from);
  return {
    kind: step.exchange,
    operator: step.actor,
    moves: moves.map(({ move, actor }, i) => ({
      move,
      actor,
      mine: actor === viewer.role,
      state: stateAt(i),
      time: stateAt(i) === 'done' && at.state === 'current' ? TIMES[move](row) : null,
    })),
    acts: isOpen && viewer.role !== 'staff' ? allowedActions(state, viewer.role, row.moreAt !== null) : [],
    ownHint: viewer.role === 'buyer' && step.exchange === 'phone' && at.ownHint !== '' ? at.ownHint : null,
    targetHint: row.hint,
    targetOpenedTime: row.targetOpenedAt,
    isTargetRefused: state.isTargetRefused,
    canOpenTarget: row.target !== null && mayOpen('buyer'),
    code: state.code,
    codeUntil: state.code === 'sealed' && row.codeAt ? new Date(row.codeAt.getTime() + CODE_SECONDS * 1000) : null,
    canOpenCode: isCodeReadable(row) && mayOpen(step.actor === 'seller' ? 'buyer' : 'seller'),
    isCodeMissing: row.missingAt !== null && !state.isStarted,
    isExtended: row.moreAt !== null,
  };
}
