import * as c from '#subjects/questions/contract/staff-reports.ts';
import type { Binding } from '#server/binding.ts';
import { decideReportOfGoods, listGoodsReports } from './reports.ts';

/** Reports of listings, questions and answers. */
export function bindGoodsReports({ server }: Binding): void {
  server.serve(c.staffGoodsReports, listGoodsReports);
  server.serve(c.decideGoodsReport, decideReportOfGoods);
}
