import { z } from 'zod';
import './chinese.ts';

/** A moment as entered in a form: '2026-11-24T00:00', Beijing time. Empty means immediately (null). */
export const beginning = z
  .union(
    [z.literal('').transform(() => undefined), z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/, '时间格式不正确')],
    { error: '时间格式不正确' },
  )
  .optional()
  .transform((typedAt, ctx) => {
    if (typedAt === undefined) return null;
    const at = new Date(`${typedAt}:00+08:00`);
    if (!Number.isNaN(at.getTime())) return at;
    ctx.addIssue({ code: 'custom', message: '时间不正确' });
    return z.NEVER;
  });
