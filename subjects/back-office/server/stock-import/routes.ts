import * as c from '#subjects/back-office/contract/import.ts';
import type { Binding } from '#server/binding.ts';
import { listJobs, listRows, progress, rejectedFile, start, saveUpload } from './import.ts';
import { continueImport, loadEmptyRows, IMPORT_TIMER } from './import-job.ts';

/** Sellers' stock lists: upload, run, report. */
export function bindImport({ server, effects }: Binding): void {
  server.serve(c.uploadStockList, saveUpload);
  server.serve(c.startImport, start);
  server.serve(c.importJob, progress);
  server.serve(c.importJobs, listJobs);
  server.serve(c.importRows, listRows);
  server.serve(c.rejectedRows, rejectedFile);
  effects.on('account.closed', async (ctx, { userId }) => await loadEmptyRows(ctx, userId));
  effects.timer(IMPORT_TIMER, async (ctx, ref) => await continueImport(ctx, ref));
}
