import type { Data } from '#contract/endpoint.ts';
import { stepUpState } from '#contract/step-up.ts';
import { call } from '#web/lib/api.ts';
import type { StepUpPurpose } from './step-up.ts';

/** What the owner must show for a purpose, and whether it was shown within the last five minutes. Throws an ApiFailure. */
export async function loadStepUpState(purpose: StepUpPurpose): Promise<Data<typeof stepUpState>> {
  return await call(stepUpState, { purpose }, { quiet: true });
}
