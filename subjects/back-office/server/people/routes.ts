import * as c from '#subjects/verification/contract/staff-trust.ts';
import type { Binding } from '#server/binding.ts';
import * as g from '#subjects/questions/contract/staff-reports.ts';
import * as r from '#subjects/reviews/contract/staff-reviews.ts';
import * as reviews from './reviews.ts';
import * as trust from './trust.ts';

/** Reports of bad accounts and of fake customer service, appeals, and our official contact numbers. */
export function bindTrust({ server }: Binding): void {
  server.serve(c.staffBlackList, trust.listReports);
  server.serve(c.decideBlack, trust.decideReport);
  server.serve(c.addBlack, trust.addEntry);
  server.serve(c.staffAppealList, trust.listAppeals);
  server.serve(c.decideAppeal, trust.settleAppeal);
  server.serve(c.staffFakeList, trust.listFakes);
  server.serve(c.decideFake, trust.decideFake);
  server.serve(c.staffNumberList, trust.listNumbers);
  server.serve(c.addNumber, trust.addNumber);
  server.serve(c.endNumber, trust.endNumber);
  server.serve(r.staffReviewReports, reviews.listReviewReports);
  server.serve(r.decideReviewReport, reviews.decideReview);
  server.serve(g.staffGoodsReports, reviews.listGoodsReports);
  server.serve(g.decideGoodsReport, reviews.decideReportOfGoods);
}
