import { z } from 'zod';
import { staffRead, staffWrite } from '#contract/endpoint.ts';
import { deadLetterStates } from '../rules/dead-letters.ts';
import { int, listTail, nothing, paging, text, time } from '#contract/wire.ts';

const deadLetter = z.object({
  id: z.number().int(),
  /** The kind of a job, or the topic of an event. */
  what: z.enum(['job', 'event']),
  whatName: z.string(),
  name: z.string(),
  /** The task of the job or the meaning of the event, in Chinese. */
  title: z.string(),
  ref: z.string(),
  /** The content of the event: numbers and codes, no text written by a person. */
  about: z.string(),
  /** Explanation of the failure and what to do, in Chinese; `error` is the message of the program or the database. */
  reason: z.string(),
  error: z.string(),
  attempts: z.number().int(),
  firstTime: time,
  lastTime: time,
  outcome: z.string().nullable(),
  decider: z.string().nullable(),
  note: z.string().nullable(),
  decideTime: time.nullable(),
});
export type DeadLetter = z.output<typeof deadLetter>;

/** Jobs and events that failed their last attempt, newest first. */
export const deadLetterList = staffRead('/api/backstage/deadLetter/list', '失败任务', {
  input: z.object({ ...paging, status: z.enum(deadLetterStates, { error: '状态不正确' }).default('open') }),
  data: z.object({ list: z.array(deadLetter), ...listTail }),
  limit: 'search',
});

/** Runs one again from the beginning, or discards it; possible once, with a reason. */
export const decideDeadLetter = staffWrite('/api/backstage/deadLetter/decide', '处理失败任务', {
  input: z.object({
    id: int({ min: 1, label: '任务编号' }),
    act: z.enum(['again', 'discard'], { error: '操作不正确' }),
    reason: text(200, { min: 2, label: '原因' }),
  }),
  data: nothing,
});
