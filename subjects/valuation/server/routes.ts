import { evaluation, evaluationForm, evaluationInfo } from '#subjects/valuation/contract/evaluation.ts';
import { staffValuations } from '#subjects/valuation/contract/staff-valuations.ts';
import type { Binding } from '#server/binding.ts';
import { evaluate, evaluationFields, readEvaluation } from './evaluate.ts';
import { modelFigures } from './figures.ts';
import { nextNight, refitModels } from './nightly.ts';

/** Valuations of accounts (POST /api/evaluation) and the nightly fit of their models. */
export function bindValuation({ server, effects }: Binding): void {
  server.serve(evaluation, evaluate);
  server.serve(evaluationForm, evaluationFields);
  server.serve(evaluationInfo, readEvaluation);
  server.serve(staffValuations, modelFigures);
  effects.every('valuation.nightly', async (ctx) => {
    await refitModels(ctx);
    return nextNight(new Date());
  });
}
