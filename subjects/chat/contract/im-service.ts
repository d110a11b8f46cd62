import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { money, sn, time } from '#contract/wire.ts';

/** The conversation of one user with customer service, without an order (product.md 7, groupType 2). */

/**
 * Opens the caller's conversation, or returns the open one. `goodsSn` names the listing that the caller asks about, which customer service
 * sees. While no member of staff is free the conversation is queued.
 */
export const openService = endpoint({
  method: 'POST',
  path: '/api/im/openService',
  auth: 'login',
  summary: '联系客服',
  input: z.object({ goodsSn: sn.optional() }),
  data: z.object({ groupId: z.string() }),
  limit: 'write',
});

/** The caller's conversations with customer service, newest first, and the state of the open one. */
export const serviceState = endpoint({
  method: 'GET',
  path: '/api/im/serviceState',
  auth: 'login',
  summary: '客服会话状态',
  input: z.object({}),
  data: z.object({
    /** The open conversation; null when there is none. */
    open: z
      .object({
        groupId: z.string(),
        staffName: z.string().nullable(),
        /** Conversations before this one in the queue; null when it is served. */
        ahead: z.number().int().nullable(),
        goods: z
          .object({ goodsSn: z.string(), title: z.string(), pageUrl: z.string(), price: money, statusName: z.string() })
          .nullable(),
      })
      .nullable(),
    /** Members of customer service at work now. */
    onDuty: z.number().int(),
    /** The start of the next shift, while no staff are on duty; null when none is planned. */
    nextShift: time.nullable(),
    list: z.array(
      z.object({
        groupId: z.string(),
        closed: z.boolean(),
        title: z.string(),
        lastText: z.string(),
        lastTime: time,
        unread: z.number().int(),
      }),
    ),
  }),
  limit: 'im',
});
