import { z } from 'zod';
import { staffRead, staffWrite } from '#contract/endpoint.ts';
import { chatMessage, groupInfo, history, readGroup, sendMessage } from './im.ts';
import { typedKeyword } from '#contract/rules/texts/typed.ts';
import { int, nothing, optionalText, paging, time, optionalTyped } from '#contract/wire.ts';

const groupId = z.string({ error: '群编号不能为空' }).regex(/^\d{1,15}$/, '群编号不正确');

/** A one-time ticket for staff to the same socket, from the back office's own host. */
export const staffImToken = staffRead('/api/backstage/im/token', '客服聊天连接令牌（一次性）', {
  input: z.object({}),
  data: z.object({ token: z.string(), nonce: z.string(), path: z.string(), imUid: z.string() }),
  limit: 'im',
});

/**
 * The next step of the group's order, its current actor, and the progress of the hand-over
 * (subjects/orders/rules/order-text.ts).
 */
export const due = z.object({
  title: z.string(),
  turn: z.enum(['buyer', 'seller', 'staff']).nullable(),
  step: z.number().int().nullable(),
  steps: z.number().int(),
});

/**
 * mine: groups assigned to the caller; waiting: open groups without customer service; all: for administrators. The
 * nearest deadline comes first, ended groups last; the queue is in serving order.
 */
export const staffImGroups = staffRead('/api/backstage/im/groups', '客服会话列表', {
  input: z.object({
    scope: z.enum(['mine', 'waiting', 'all'], { error: '范围不正确' }).default('mine'),
    keyWord: optionalTyped(typedKeyword, 40, '订单编号'),
    cursor: paging.cursor,
  }),
  data: z.object({
    list: z.array(
      z.object({
        groupId: z.string(),
        orderSn: z.string().nullable(),
        orderStatus: z.number().int().nullable(),
        due: due.nullable(),
        /** Names the actor of the due step for the caller, such as 轮到打手; null when nobody has to act. */
        turnText: z.string().nullable(),
        title: z.string(),
        buyerName: z.string(),
        sellerName: z.string(),
        staffName: z.string().nullable(),
        closed: z.boolean(),
        unread: z.number().int(),
        lastSeq: z.number().int(),
        lastText: z.string(),
        lastTime: time.nullable(),
        gameName: z.string(),
        gameIcon: z.string().nullable(),
        /** Deadline for a reply to the last message of a party; null when customer service wrote last. */
        replyTime: time.nullable(),
        /** Deadline of the order's step, and its full time limit in seconds. */
        stepTime: time.nullable(),
        stepLimit: z.number().int(),
      }),
    ),
    next: z.string().nullable(),
  }),
  limit: 'im',
});

export const staffImGroupInfo = staffRead('/api/backstage/im/groupInfo', '群成员（客服）', {
  input: z.object({ groupId }),
  data: groupInfo.data,
  limit: 'im',
});

export const staffImHistory = staffRead('/api/backstage/im/history', '历史消息（客服）', {
  input: history.input,
  data: z.object({ list: z.array(chatMessage), more: z.boolean() }),
  limit: 'im',
});

export const staffImSend = staffWrite('/api/backstage/im/send', '发送消息（客服）', {
  input: sendMessage.input,
  data: sendMessage.data,
  limit: 'im',
});

export const staffImRead = staffWrite('/api/backstage/im/read', '标记已读（客服）', {
  input: readGroup.input,
  data: readGroup.data,
  limit: 'im',
});

/** Assigns the order to another member of customer service, or takes an unassigned one. */
export const staffImTransfer = staffWrite('/api/backstage/im/transfer', '转接会话', {
  input: z.object({
    groupId,
    staffId: int({ min: 1, label: '客服' }),
    note: optionalText(100, '备注'),
  }),
  data: nothing,
});

/** Staff to whom a group can be transferred, least loaded first. */
export const staffImColleagues = staffRead('/api/backstage/im/colleagues', '可转接的客服', {
  input: z.object({}),
  data: z.object({
    list: z.array(
      z.object({
        staffId: z.number().int(),
        name: z.string(),
        imUid: z.string(),
        load: z.number().int(),
        maxChats: z.number().int(),
        online: z.boolean(),
      }),
    ),
  }),
  limit: 'im',
});
