import { codes } from '#contract/codes.ts';
import type { Data } from '#contract/endpoint.ts';
import { stepUpState } from '#subjects/accounts/contract/step-up.ts';
import { ApiFailure } from '../api/api-failure.ts';
import { asFailure, isError } from '../api/call-errors.ts';
import { call } from '../api/api.ts';
import { type StepUpPurpose, stepUpPrompt } from './prompt.ts';

/** Message of the error when the dialog was closed: nothing was sent. */
const CANCELLED = '没有完成身份验证，操作未提交';

/** What a step-up for a purpose requires, and whether one was done within the last five minutes. Throws an ApiFailure. */
export const loadStepUpState = (purpose: StepUpPurpose): Promise<Data<typeof stepUpState>> =>
  call(stepUpState, { purpose }, { quiet: true });

/**
 * Whether the session is already stepped up for a purpose; also true when that cannot be determined, so that the call
 * itself returns the error.
 */
async function isProved(purpose: StepUpPurpose): Promise<boolean> {
  try {
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
  if (isNeeded && !(await isProved(purpose)) && !(await stepUpPrompt.ask(purpose)))
    throw new ApiFailure(codes.STEP_UP_REQUIRED[0], CANCELLED, 403);
  try {
    return await send();
  } catch (thrown) {
    const failure = asFailure(thrown);
    if (!isError(failure, codes.STEP_UP_REQUIRED, codes.PAY_PASSWORD_REQUIRED, codes.PAY_PASSWORD_UNSET)) throw thrown;
    if (!(await stepUpPrompt.ask(purpose))) throw new ApiFailure(failure.code, CANCELLED, 403);
    return await send();
  }
}
