import { codes } from '#contract/codes.ts';
import { ApiFailure } from './api-failure.ts';
import { asFailure, isError } from './call-errors.ts';
import { proveOwner, type StepUpPurpose } from './step-up-prompt.ts';

/** Message of the error when the dialog was closed: nothing was sent. */
const CANCELLED = '没有完成身份验证，操作未提交';

/**
 * Whether the session is already stepped up for a purpose; also true when that cannot be determined, so that the call
 * itself returns the error.
 */
async function isProved(purpose: StepUpPurpose): Promise<boolean> {
  try {
    const { loadStepUpState } = await import('./step-up-state.ts');
    return (await loadStepUpState(purpose)).isFresh;
  } catch {
    return true;
  }
}

/**
 * Steps up the session if the purpose needs it, then sends a call. When the server requires a step-up anyway, the
 * dialog opens and the call is sent again. The form keeps its input. Throws what the call throws, and an ApiFailure
 * when the dialog was closed.
 *
 * @param isNeeded false when the call debits no balance, so that no step-up is done in advance
 */
export async function withStepUp<T>(purpose: StepUpPurpose, send: () => Promise<T>, isNeeded = true): Promise<T> {
  if (isNeeded && !(await isProved(purpose)) && !(await proveOwner(purpose)))
    throw new ApiFailure(codes.STEP_UP_REQUIRED[0], CANCELLED, 403);
  try {
    return await send();
  } catch (thrown) {
    const failure = asFailure(thrown);
    if (!isError(failure, codes.STEP_UP_REQUIRED, codes.PAY_PASSWORD_REQUIRED, codes.PAY_PASSWORD_UNSET)) throw thrown;
    if (!(await proveOwner(purpose))) throw new ApiFailure(failure.code, CANCELLED, 403);
    return await send();
  }
}
