import { staffRead, staffWrite } from '#contract/endpoint.ts';
import { auditRows } from './list-audit.ts';
import { z } from 'zod';
import { time } from '#contract/wire.ts';

/** Actions of staff, newest first. */
export const auditList = staffRead('/api/backstage/audit/list', '操作记录', {
  mayLag: true,
  input: auditRows.input,
  data: auditRows.data,
  limit: 'search',
});

const auditBreak = z.object({
  seq: z.number().int().nullable(),
  row: z.number().int().nullable(),
  day: z.string(),
  text: z.string(),
});

/** The hash chain of the audit log: its current head, and the result of each nightly verification. */
export const auditChain = staffRead('/api/backstage/audit/chain', '操作记录的校验链', {
  input: z.object({}),
  data: z.object({
    seq: z.number().int(),
    head: z.string(),
    /** Where each day's head is mailed: nowhere, to the local mail adapter, or to the configured recipient. */
    mail: z.enum(['none', 'local', 'sent']),
    nights: z.array(
      z.object({
        day: z.string(),
        startTime: time,
        endTime: time.nullable(),
        seq: z.number().int().nullable(),
        head: z.string().nullable(),
        heads: z.number().int().nullable(),
        breaks: z.array(auditBreak),
        mailed: z.boolean(),
      }),
    ),
  }),
  limit: 'search',
});

/** Verifies the whole chain now and returns the first broken entry, if any. */
export const verifyChain = staffWrite('/api/backstage/audit/verify', '校验操作记录', {
  input: z.object({}),
  data: z.object({
    seq: z.number().int(),
    head: z.string(),
    heads: z.number().int(),
    breaks: z.array(auditBreak),
    tookMs: z.number().int(),
    time,
  }),
  limit: 'withdraw',
});
