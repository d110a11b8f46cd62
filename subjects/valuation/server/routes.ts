import { evaluation, evaluationForm, evaluationInfo } from '#subjects/valuation/contract/evaluation.ts';
import type { Binding } from '#server/binding.ts';
import { evaluate, evaluationFields, readEvaluation } from './evaluate.ts';
import { nextNight, refitModels } from './nightly.ts';
import { bindValuationStaff } from './staff/routes.ts';

/** Valuations of accounts (POST /api/evaluation) and the nightly fit of their models. */
export function bindValuation(binding: Binding): void {
  const { server, effects } = binding;
  bindValuationStaff(binding);
  server.serve(evaluation, evaluate);
  server.serve(evaluationForm, evaluationFields);
  server.serve(evaluationInfo, readEvaluation);
  effects.every('valuation.nightly', async (ctx) => {
    await refitModels(ctx);
    return nextNight(new Date());
  });
}
