import * as c from '#subjects/back-office/contract/lists.ts';
import { pageCaller } from '#server/access/session.ts';
import type { Binding } from '#server/binding.ts';
import { AppError } from '#server/kernel/errors.ts';
import { countViews, loadKeys } from './choice.ts';
import { exportState, sendExport, startExport } from './export.ts';
import { removeView, saveColumns, saveView, loadSetup } from './views.ts';

/** Calls shared by all lists of the back office apart from the rows: views, chosen columns, exports. */
export function bindLists({ ctx, server, http }: Binding): void {
  server.serve(c.listSetup, loadSetup);
  server.serve(c.saveListView, saveView);
  server.serve(c.removeListView, removeView);
  server.serve(c.saveListColumns, saveColumns);
  server.serve(c.listCounts, countViews);
  server.serve(c.listKeys, loadKeys);
  server.serve(c.startListExport, startExport);
  server.serve(c.listExportState, exportState);
  http.get(c.LIST_EXPORT_PATH, async (request, reply) => {
    const { staff } = await pageCaller(ctx, request, true);
    if (!staff) throw new AppError('LOGIN_REQUIRED');
    const { exportId } = request.query as { exportId?: unknown };
    const id = typeof exportId === 'string' && /^\d{1,15}$/.test(exportId) ? Number(exportId) : 0;
    return await sendExport({ ctx, staff, ip: request.ip }, id, reply);
  });
}
