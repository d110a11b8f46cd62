import { isNetworkFailure, ApiFailure } from '#web/lib/api-failure.ts';

/** Numbers of contract/codes.ts that the screens of a trade answer with more than their sentence; a test keeps them equal. */
export const TRADE_ERRORS = {
  REAL_NAME_REQUIRED: 1201,
  REAL_NAME_MINOR: 1203,
  GOODS_NOT_ON_SALE: 2002,
  GOODS_CHANGED: 2008,
  GOODS_STOCK: 2009,
  GOODS_PASSWORD_DUE: 2012,
  ORDER_STATE: 3002,
  ORDER_TOO_MANY_UNPAID: 3004,
  ORDER_RATED: 3008,
  REVIEW_ANSWERED: 3032,
  REVIEW_REPORTED: 3034,
  COUPON_UNUSABLE: 3403,
  BALANCE_LOW: 3101,
  PAY_PASSWORD_REQUIRED: 3102,
  PAY_PASSWORD_UNSET: 3160,
  PAY_PASSWORD_WRONG: 3103,
  PAY_PASSWORD_LOCKED: 3104,
  PAY_AMOUNT: 3105,
  PAY_CLOSED: 3108,
  BAD_INPUT: 4000,
  PAYEE_REQUIRED: 3201,
  PAYEE_NAME: 3202,
  SMS_CODE_WRONG: 1102,
  STEP_UP_REQUIRED: 1160,
  PAYOUT_WAIT: 3161,
  SMS_REQUIRED: 3206,
} as const;

export type TradeErrorName = keyof typeof TRADE_ERRORS;

/** Whether a failure is the named refusal. */
export function isTradeError(failure: { code: number } | null | undefined, ...names: TradeErrorName[]): boolean {
  return failure !== null && failure !== undefined && names.some((name) => TRADE_ERRORS[name] === failure.code);
}

/** A failure in words for the place beside the button. */
export function failureMessage(failure: { status: number; msg: string }): string {
  if (isNetworkFailure(failure)) return '网络超时，结果还不确定；请重试，不会重复提交';
  return failure.msg;
}

/** A failure to read in words: nothing was sent that could have happened. */
export function readFailureMessage(failure: { status: number; msg: string }): string {
  return isNetworkFailure(failure) ? '网络超时，没有读到更多' : failureMessage(failure);
}

/** Any thrown value as a failure; what is not one of ours counts as no answer. */
export function asFailure(error: unknown): ApiFailure {
  return error instanceof ApiFailure ? error : new ApiFailure(-1, '网络超时', 0);
}
