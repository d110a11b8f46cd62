import { z } from 'zod';
import { staffRead } from '#contract/endpoint.ts';
import { time } from '#contract/wire.ts';

const permanent = z.object({
  table: z.string(),
  /** The rows and the period for which they are kept, in Chinese. */
  rule: z.string(),
  /** Number of rows as the database estimates it. */
  rows: z.number().int(),
  bytes: z.number().int(),
  oldestTime: time.nullable(),
});
const deleted = permanent.extend({
  days: z.number().int(),
  runTime: time.nullable(),
  lastDeleted: z.number().int(),
  lastDeletedTime: time.nullable(),
  totalDeleted: z.number().int(),
  /** Why the last run failed, and the original error for technicians; null after a success. */
  reason: z.string().nullable(),
  error: z.string().nullable(),
});
export type DeletedTable = z.output<typeof deleted>;
export type KeptTable = z.output<typeof permanent>;

/** The retention rules: for each table which rows are deleted and when, and which tables are kept permanently. */
export const retentionList = staffRead('/api/backstage/retention/list', '数据保留', {
  input: z.object({}),
  data: z.object({ deleted: z.array(deleted), kept: z.array(permanent) }),
  limit: 'search',
});
