import { isNetworkFailure, ApiFailure } from '#web/lib/api-failure.ts';

/** Whether a failure is one of the named errors: `isError(failure, codes.GOODS_CHANGED, codes.GOODS_STOCK)`. */
export function isError(
  failure: { code: number } | null | undefined,
  ...errors: readonly (readonly [code: number, ...rest: unknown[]])[]
): boolean {
  return failure !== null && failure !== undefined && errors.some(([code]) => code === failure.code);
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
