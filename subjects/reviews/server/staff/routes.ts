import * as c from '#subjects/reviews/contract/staff-reviews.ts';
import type { Binding } from '#server/binding.ts';
import { decideReview, listReviewReports } from './reports.ts';

/** Reports of reviews and of replies to them. */
export function bindReviewReports({ server }: Binding): void {
  server.serve(c.staffReviewReports, listReviewReports);
  server.serve(c.decideReviewReport, decideReview);
}
