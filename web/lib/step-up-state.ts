import type { Data } from '#contract/endpoint.ts';
import { type stepUpPurposes, stepUpState } from '#subjects/accounts/contract/step-up.ts';
import { call } from '#web/lib/api.ts';

/**
 * What a step-up for a purpose requires, and whether one was done within the last five minutes. Throws an ApiFailure.
 */
export async function loadStepUpState(purpose: (typeof stepUpPurposes)[number]): Promise<Data<typeof stepUpState>> {
  return await call(stepUpState, { purpose }, { quiet: true });
}
