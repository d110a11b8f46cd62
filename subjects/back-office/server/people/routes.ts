import type { Binding } from '#server/binding.ts';
import * as g from '#subjects/questions/contract/staff-reports.ts';
import * as r from '#subjects/reviews/contract/staff-reviews.ts';
import * as reviews from './reviews.ts';

/** Reports of bad accounts and of fake customer service, appeals, and our official contact numbers. */
export function bindTrust({ server }: Binding): void {
  server.serve(r.staffReviewReports, reviews.listReviewReports);
  server.serve(r.decideReviewReport, reviews.decideReview);
  server.serve(g.staffGoodsReports, reviews.listGoodsReports);
  server.serve(g.decideGoodsReport, reviews.decideReportOfGoods);
}
