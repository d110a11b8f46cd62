import { z } from 'zod';
import { type Data, endpoint } from '#contract/endpoint.ts';
import { flag, int, json, optionalInt, optionalText, sn, text, time } from '#contract/wire.ts';

const groupId = z.string({ error: '群编号不能为空' }).regex(/^\d{1,15}$/, '群编号不正确');

export const getRCloudToken = endpoint({
  method: 'GET',
  path: '/api/im/getRCloudToken',
  auth: 'login',
  summary: '聊天令牌',
  input: z.object({ expand: optionalText(400) }),
  data: z.object({
    imToken: z.string(),
    authToken: z.string(),
    transport: z.enum(['native', 'rongcloud']),
    imUid: z.string(),
  }),
  limit: 'im',
});

/**
 * A one-time ticket for the socket, valid for 60 s. With orderSn the response names that order's group (product.md 7,
 * order chat token).
 */
export const getImCenterToken = endpoint({
  method: 'GET',
  path: '/api/im/getImCenterToken',
  auth: 'login',
  summary: '聊天连接令牌（一次性）',
  input: z.object({ orderSn: sn.optional() }),
  data: z.object({ token: z.string(), nonce: z.string(), groupId: z.string().nullable(), imUid: z.string() }),
  limit: 'im',
});

/** Keyed by orderSn; orders of other users are absent. */
export const getImGroupIdMap = endpoint({
  method: 'POST',
  path: '/api/im/getImGroupIdMap',
  auth: 'login',
  summary: '订单对应的群',
  input: z.object({ orderSnList: z.string({ error: '订单编号不能为空' }).max(2000, '一次最多查询 50 个订单') }),
  data: z.record(z.string(), z.array(z.object({ groupId: z.string(), groupType: z.number().int() }))),
  limit: 'im',
});

export const groupInfo = endpoint({
  method: 'GET',
  path: '/api/im/groupInfo',
  auth: 'login',
  summary: '群成员',
  input: z.object({ groupId }),
  data: z.object({
    groupId: z.string(),
    groupType: z.number().int(),
    orderSn: z.string().nullable(),
    closed: z.boolean(),
    lastSeq: z.number().int(),
    readSeq: z.number().int(),
    /** The viewer has muted this group: no sound, badge or reminder. */
    muted: z.boolean(),
    /** The viewer's score for customer service, 1 to 5; null when there is none yet. */
    rated: z.number().int().nullable(),
    members: z.array(
      z.object({
        imUid: z.string(),
        nickName: z.string(),
        avatar: z.string(),
        role: z.string(),
        isCurrent: z.boolean(),
        isStaff: z.boolean(),
        online: z.boolean(),
        readSeq: z.number().int(),
      }),
    ),
  }),
  idField: 'groupId',
  limit: 'im',
});

/**
 * A chat message (product.md 3) with its number within the group. `senderUserId` is a user id, a staff member's imUid,
 * or 'system'.
 */
export const chatMessage = z.object({
  groupId: z.string(),
  targetId: z.string(),
  seq: z.number().int(),
  messageUId: z.string(),
  clientMsgId: z.string(),
  senderUserId: z.string(),
  messageType: z.enum(['text', 'image', 'recall', 'card']),
  /** 1 sent by the viewer, 2 received. */
  messageDirection: z.number().int(),
  sentTime: z.number().int(),
  content: z.object({
    content: z.string().optional(),
    imageUri: z.string().optional(),
    width: z.number().optional(),
    height: z.number().optional(),
    /** Contact details or a credential in the text were masked. */
    masked: z.boolean().optional(),
    /**
     * The kind of card: order.paid, order.shipped, order.completed, order.cancelled, form, dispute.opened, claim.paid,
     * staff, warn, closed, link.
     */
    card: z.string().optional(),
    title: z.string().optional(),
    /** Number of the record that the card refers to: a dispute, or a hand-over step. */
    ref: z.string().optional(),
    /**
     * For a form: the requested items by hand-over step. An item is complete when the card of its step (order.handover)
     * has arrived.
     */
    items: z.array(z.object({ step: z.number().int(), title: z.string(), needs: z.array(z.string()) })).optional(),
    /** For a recall: the message that it withdraws. */
    recallUId: z.string().optional(),
    recallSeq: z.number().int().optional(),
    extra: z.object({ contentType: z.string().optional(), status: z.string().optional() }).optional(),
  }),
  expansion: z
    .object({ type: z.enum(['transfer_order', 'send_goods', 'confirm_goods']), orderSn: z.string() })
    .nullable(),
  recalled: z.boolean(),
});
export type ChatMessage = z.output<typeof chatMessage>;
/** A member of a group as returned by groupInfo. */
export type ChatMember = Data<typeof groupInfo>['members'][number];

/**
 * The newest 20 messages; with `before` the 20 preceding that number; with `after` the following ones, up to 100.
 * Oldest first.
 */
export const history = endpoint({
  method: 'GET',
  path: '/api/im/history',
  auth: 'login',
  summary: '历史消息',
  input: z.object({
    groupId,
    before: optionalInt({ label: '消息序号' }),
    after: optionalInt({ label: '消息序号' }),
    pageSize: optionalInt({ min: 1, max: 100 }),
  }),
  data: z.object({ list: z.array(chatMessage), more: z.boolean() }),
  idField: 'groupId',
  limit: 'im',
});

/** The newest message of each of up to 50 groups, for lists; groups of which the caller is not a member are absent. */
export const lastMessages = endpoint({
  method: 'GET',
  path: '/api/im/lastMessages',
  auth: 'login',
  summary: '各群最后一条消息',
  input: z.object({ groups: json(z.array(groupId).max(50), '群') }),
  data: z.object({ list: z.array(chatMessage) }),
  limit: 'im',
});

/**
 * Searches a group's text messages, newest first; `before` continues from the last number. Recalled messages are not
 * found.
 */
export const searchGroup = endpoint({
  method: 'GET',
  path: '/api/im/search',
  auth: 'login',
  summary: '搜索聊天记录',
  input: z.object({
    groupId,
    keyWord: text(40, { min: 1, label: '关键词' }),
    before: optionalInt({ label: '消息序号' }),
  }),
  data: z.object({ list: z.array(chatMessage), more: z.boolean() }),
  limit: 'search',
});

/** A muted group causes neither sounds nor reminders; its messages are still counted as unread in its row. */
export const muteGroup = endpoint({
  method: 'POST',
  path: '/api/im/muteGroup',
  auth: 'login',
  summary: '消息免打扰',
  input: z.object({ groupId, muted: flag }),
  data: z.object({ muted: z.boolean() }),
  limit: 'write',
});

export const isOfflineRemind = endpoint({
  method: 'POST',
  path: '/api/im/isOfflineRemind',
  auth: 'login',
  summary: '离线提醒状态',
  input: z.object({ groupId }),
  data: z.object({ sendOfflineRemind: z.boolean(), msg: z.string() }),
  limit: 'im',
});

export const readGroup = endpoint({
  method: 'POST',
  path: '/api/im/readGroup',
  auth: 'login',
  summary: '标记已读到某条消息',
  input: z.object({ groupId, seq: int({ label: '消息序号' }) }),
  data: z.object({ unread: z.number().int() }),
  limit: 'im',
});

/** Sends without a socket; the socket's `send` does the same. */
export const sendMessage = endpoint({
  method: 'POST',
  path: '/api/im/sendMessage',
  auth: 'login',
  summary: '发送消息',
  input: z.object({
    groupId,
    clientMsgId: z.string({ error: '消息编号不能为空' }).regex(/^[\w-]{1,64}$/, '消息编号不正确'),
    messageType: z.enum(['text', 'image'], { error: '消息类型不正确' }).default('text'),
    content: text(2000, { label: '消息' }).default(''),
    imageKey: z.string().max(80).optional(),
  }),
  data: z.object({ seq: z.number().int(), messageUId: z.string(), sentTime: z.number().int(), masked: z.boolean() }),
  limit: 'im',
});

/** Recalls a message, by its sender within two minutes; the socket's `recall` does the same. */
export const recallMessage = endpoint({
  method: 'POST',
  path: '/api/im/recallMessage',
  auth: 'login',
  summary: '撤回消息',
  input: z.object({ groupId, seq: int({ min: 1, label: '消息序号' }) }),
  data: z.object({ seq: z.number().int() }),
  limit: 'im',
});

/**
 * Reports that the caller is typing, when an IM provider delivers the messages; the socket's `typing` does the same.
 */
export const typingIn = endpoint({
  method: 'POST',
  path: '/api/im/typing',
  auth: 'login',
  summary: '正在输入',
  input: z.object({ groupId }),
  data: z.object({}),
  limit: 'im',
});

/** Unread messages of all groups, for the badge (displayed up to 99). */
export const unreadCount = endpoint({
  method: 'GET',
  path: '/api/im/unreadCount',
  auth: 'login',
  summary: '未读消息数',
  input: z.object({ groups: json(z.array(z.string()).max(50), '群').optional(), all: flag.optional() }),
  data: z.object({
    total: z.number().int(),
    byGroup: z.record(z.string(), z.number().int()),
    /** Groups without sound and reminder. */
    muted: z.array(z.string()),
    lastTime: time.nullable(),
  }),
  limit: 'im',
});

export const getImParams = endpoint({
  method: 'GET',
  path: '/api/user/getImParams',
  auth: 'login',
  summary: '聊天连接参数',
  input: z.object({}),
  data: z.object({
    transport: z.enum(['native', 'rongcloud']),
    path: z.string(),
    /** The IM provider's app key; '' with our own gateway. */
    appKey: z.string(),
    imUid: z.string(),
    heartbeatMs: z.number().int(),
  }),
  limit: 'im',
});
