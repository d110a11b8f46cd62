import * as c from '#subjects/questions/contract/question.ts';
import type { Binding } from '#server/binding.ts';
import { answer, ask, merge } from './ask.ts';
import { questionsOfGoods, questionsReceived } from './queries.ts';
import { report, reportReasons } from './report.ts';
import { bindGoodsReports } from './staff/routes.ts';

/** Calls of public questions under listings, and of reports of listings, questions and answers. */
export function bindQuestions(binding: Binding): void {
  const { server } = binding;
  bindGoodsReports(binding);
  server.serve(c.goodsQuestions, questionsOfGoods);
  server.serve(c.askSeller, ask);
  server.serve(c.answerQuestion, async (call, input) => {
    await answer(call, input);
    return {};
  });
  server.serve(c.mergeAnswer, merge);
  server.serve(c.receivedQuestions, questionsReceived);
  server.serve(c.goodsReportReasons, reportReasons);
  server.serve(c.reportGoods, async (call, input) => {
    await report(call, input);
    return {};
  });
}
