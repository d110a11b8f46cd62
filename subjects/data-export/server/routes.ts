import { chinaDay } from '#contract/rules/time/china-time.ts';
import { sharedHit } from '#server/access/limits.ts';
import { pageCaller } from '#server/access/session.ts';
import { insteadOfFile } from '#server/access/file-in-wechat.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import * as c from '#subjects/data-export/contract/data-export.ts';
import type { Binding } from '#server/binding.ts';
import { requestExport, listExports, MAKE, makeExport, readExport, REMOVE, removeExport } from './service.ts';

const DOWNLOADS_AN_HOUR = 20;

/** Export of a user's own data: requested by the user, built by a timer, downloaded by a link in the owner's session. */
export function bindDataExport({ ctx, server, effects, http }: Binding): void {
  server.serve(c.dataExportList, listExports);
  server.serve(c.requestDataExport, async (call, input) => {
    await requestExport(call, input);
    return {};
  });
  effects.timer(MAKE, (_ctx, ref) => makeExport(ctx, ref));
  effects.timer(REMOVE, (_ctx, ref) => removeExport(ctx, ref));
  http.get(c.DATA_EXPORT_PATH, async (request, reply) => {
    const { user } = await pageCaller(ctx, request, false);
    if (!user) throw new AppError('LOGIN_REQUIRED');
    const { exportId } = request.query as { exportId?: unknown };
    const isNumber = typeof exportId === 'string' && /^\d{1,15}$/.test(exportId);
    const file = isNumber ? await readExport(ctx, user.id, Number(exportId)) : undefined;
    if (!file) throw errorOf('NOT_FOUND', 'dataExport');
    const instead = insteadOfFile(request, reply, '/center/myself/accountSecurity');
    if (instead !== undefined) return await reply.send(instead);
    if (!(await sharedHit(ctx.db, `dataExport:${user.id}`, DOWNLOADS_AN_HOUR, 3600)))
      throw new AppError('RATE_LIMITED', { retryAfterSeconds: 3600 });
    return await reply
      .header('content-type', 'application/json; charset=utf-8')
      .header('content-disposition', `attachment; filename="youshi-data-${chinaDay(file.at)}.json"`)
      .header('cache-control', 'no-store')
      .send(file.text);
  });
}
