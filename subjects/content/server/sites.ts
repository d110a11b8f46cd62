import type { SessionStaff } from '#server/access/session.ts';
import type { Context } from '#server/context.ts';
import { AppError } from '#server/kernel/errors.ts';

type Writer = Pick<SessionStaff, 'distId'>;

/** The sites for which a member of staff may write. */
export function sitesOf(ctx: Pick<Context, 'dir'>, staff: Writer): { distId: number; name: string }[] {
  return ctx.dir
    .all()
    .filter((d) => staff.distId === null || d.id === staff.distId)
    .map((d) => ({ distId: d.id, name: d.name }));
}

/** The site of a row: the distributor's own for its staff, otherwise the selected one, or null for every site. Throws BAD_INPUT. */
export function siteFor(ctx: Pick<Context, 'dir'>, staff: Writer, chosen: number | undefined): number | null {
  if (staff.distId !== null) return staff.distId;
  if (chosen !== undefined && !ctx.dir.byId(chosen))
    throw new AppError('BAD_INPUT', { text: '站点不存在', field: 'distId' });
  return chosen ?? null;
}

/** The name of a row's site. */
export const siteName = (ctx: Pick<Context, 'dir'>, distId: number | null): string =>
  distId === null ? '全部站点' : (ctx.dir.byId(distId)?.name ?? '');
