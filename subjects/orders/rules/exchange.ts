/**
 * How a step binds an account to its buyer: the values that the two parties exchange, their order, and the next move.
 */

/** The identity that is bound to the buyer. */
export const exchangeKinds = {
  phone: { target: '新手机号', code: '验证码', old: '旧手机', fresh: '新手机', game: '更换手机' },
  mail: { target: '新邮箱', code: '验证码', old: '旧邮箱', fresh: '新邮箱', game: '更换邮箱' },
} as const satisfies Record<string, ExchangeTexts>;

interface ExchangeTexts {
  target: string;
  code: string;
  old: string;
  fresh: string;
  /** The game's menu item. */
  game: string;
}

export type ExchangeKind = keyof typeof exchangeKinds;

/** How long a sealed code can be opened, in seconds. */
export const CODE_SECONDS = 600;

/** How long a code stays readable after its first opening, in seconds: a lost page can be reloaded. */
export const CODE_READ_SECONDS = 60;

/** By how much a party can extend the deadline of the step, once, in seconds. */
export const MORE_SECONDS = 1800;

type Party = 'buyer' | 'seller';

export const exchangeMoves = ['target', 'start', 'code', 'finish'] as const;
/**
 * `target`: the buyer seals the number; `start`: the operator begins in the game; `code`: the other party seals the
 * code; `finish`: the operator is done.
 */
export type ExchangeMove = (typeof exchangeMoves)[number];

/** The state of a step on which the moves depend. */
export interface ExchangeState {
  /**
   * The party that operates the game, which is the step's actor. Mode A, the seller: the code of the buyer's new phone goes from buyer to
   * seller. Mode B, the buyer: the code of the old phone goes from seller to buyer.
   */
  operator: Party;
  hasTarget: boolean;
  /** The seller has reported that the game does not accept the number. */
  isTargetRefused: boolean;
  isStarted: boolean;
  code: 'none' | 'sealed' | 'read' | 'expired';
}

/**
 * The moves of a step with their parties, in order. A buyer who operates enters their own number in the game, so no one
 * else needs it.
 */
export function movesOf(operator: Party): { move: ExchangeMove; actor: Party }[] {
  const other = operator === 'seller' ? 'buyer' : 'seller';
  return [
    ...(operator === 'seller' ? [{ move: 'target' as const, actor: 'buyer' as const }] : []),
    { move: 'start', actor: operator },
    { move: 'code', actor: other },
    { move: 'finish', actor: operator },
  ];
}

/** The next move. An expired code needs a new request in the game. */
export function nextMove(state: ExchangeState): ExchangeMove {
  if (state.operator === 'seller' && (!state.hasTarget || state.isTargetRefused)) return 'target';
  if (!state.isStarted || state.code === 'expired') return 'start';
  return state.code === 'none' ? 'code' : 'finish';
}

/** The party of the next move. */
export function exchangeActor(state: ExchangeState): Party {
  const move = nextMove(state);
  return movesOf(state.operator).find((m) => m.move === move)?.actor ?? state.operator;
}

/** The current actor of a step: within an exchange the party of the next move, otherwise the step's own actor. */
export const stepActor = <A extends string>(step: {
  actor: A;
  exchange?: ExchangeState | null | undefined;
}): A | Party => (step.exchange ? exchangeActor(step.exchange) : step.actor);

export const exchangeActions = ['target', 'refuse', 'start', 'undo', 'code', 'missing', 'again', 'more'] as const;
/**
 * A party's actions other than finishing the step: seal the number (`target`), report that the game rejects it
 * (`refuse`), begin in the game (`start`) and undo that (`undo`), seal the code (`code`), report that none arrived
 * (`missing`), request another one (`again`), and extend the deadline (`more`).
 */
export type ExchangeAction = (typeof exchangeActions)[number];

/** The actions available to a party. `isExtended`: the deadline was extended before, which can be done once. */
export function allowedActions(state: ExchangeState, party: Party, isExtended: boolean): ExchangeAction[] {
  const isOperator = party === state.operator;
  const move = nextMove(state);
  const hasUsableTarget = state.operator === 'buyer' || (state.hasTarget && !state.isTargetRefused);
  const actions: [ExchangeAction, boolean][] = [
    ['target', state.operator === 'seller' && party === 'buyer'],
    ['refuse', state.operator === 'seller' && isOperator && hasUsableTarget],
    ['start', isOperator && move === 'start'],
    ['undo', isOperator && move === 'code'],
    ['code', !isOperator && state.isStarted && hasUsableTarget],
    ['missing', !isOperator && move === 'code'],
    ['again', isOperator && state.isStarted && (state.code === 'sealed' || state.code === 'read')],
    ['more', !isExtended],
  ];
  return actions.filter(([, isOpen]) => isOpen).map(([action]) => action);
}

/** The format of a step's code: 4 to 8 digits or letters, as sent by games. */
export const isCode = (text: string): boolean => /^[0-9A-Za-z]{4,8}$/.test(text);

/** A number or address with its middle hidden: 138 •••• 2046, ab•••@qq.com. */
export function targetHint(kind: ExchangeKind, text: string): string {
  if (kind === 'phone') return `${text.slice(0, 3)} •••• ${text.slice(-4)}`;
  const [name = '', domain = ''] = text.split('@');
  return `${name.slice(0, 2)}•••@${domain}`;
}
