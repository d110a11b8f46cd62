import { isNetworkFailure, ApiFailure } from '#web/lib/api/api-failure.ts';

/** Whether a failure is one of the named errors: `isError(failure, codes.GOODS_CHANGED, codes.GOODS_STOCK)`. */
export function isError(
  failure: { code: number } | null | undefined,
  ...errors: readonly (readonly [code: number, ...rest: unknown[]])[]
): boolean {
  return failure !== null && failure !== undefined && errors.some(([code]) => code === failure.code);
}

/** The message of a failure, for the place next to the button. */
export function failureMessage(failure: { status: number; msg: string }): string {
  if (isNetworkFailure(failure)) return '网络超时，结果还不确定；请重试，不会重复提交';
  return failure.msg;
}

/** The message of a failed read, which cannot have changed anything. */
export function readFailureMessage(failure: { status: number; msg: string }): string {
  return isNetworkFailure(failure) ? '网络超时，没有读到内容' : failureMessage(failure);
}

/** Converts any thrown value into a failure; an unknown error counts as no response. */
export function asFailure(error: unknown): ApiFailure {
  return error instanceof ApiFailure ? error : new ApiFailure(-1, '网络超时', 0);
}
