import { z } from 'zod';
import { staffRead, staffWrite } from '#contract/endpoint.ts';
import { due } from './im-staff.ts';
import { searchGroup } from './im.ts';
import { flag, int, json, money, nothing, optionalInt, optionalText, text, time } from '#contract/wire.ts';

/**
 * The workbench of customer service (domain.md 5): duty, canned replies, solved cases, assignment rules and statistics.
 */

/** Maximum of the database's integer type. */
const MAX_INT = 2_147_483_647;

const groupId = z.string({ error: '群编号不能为空' }).regex(/^\d{1,15}$/, '群编号不正确');

/**
 * Times are medians in seconds; null without a case. score: 1 to 5. quality: 0 to 100
 * (subjects/chat/rules/service-quality.ts).
 */
const figures = {
  groups: z.number().int(),
  firstReplySeconds: z.number().int().nullable(),
  solveSeconds: z.number().int().nullable(),
  solved: z.number().int(),
  ratings: z.number().int(),
  score: z.number().nullable(),
  quality: z.number().int().nullable(),
};

/** The caller's own state and the queue. `today` starts at midnight, China time. */
export const staffWorkbench = staffRead('/api/backstage/im/desk', '客服工作台状态', {
  input: z.object({}),
  data: z.object({
    staffId: z.number().int(),
    imUid: z.string(),
    onDuty: z.boolean(),
    load: z.number().int(),
    maxChats: z.number().int(),
    waiting: z.number().int(),
    waitingSince: time.nullable(),
    shift: z.object({ startsAt: time, endsAt: time }).nullable(),
    today: z.object(figures),
  }),
  limit: 'im',
});

/** Going off duty with `release` hands the caller's open groups over to colleagues, or back into the queue. */
export const staffDuty = staffWrite('/api/backstage/im/duty', '上班或下班', {
  input: z.object({ onDuty: flag, release: flag.optional() }),
  data: z.object({ handed: z.number().int() }),
});

/** For the member of staff who has the group: marks the matter as solved, or reopens it. */
export const staffSolve = staffWrite('/api/backstage/im/solve', '标记已解决', {
  input: z.object({ groupId, solved: flag }),
  data: nothing,
});

export const staffImSearch = staffRead('/api/backstage/im/search', '搜索聊天记录（客服）', {
  input: searchGroup.input,
  data: searchGroup.data,
  limit: 'search',
});

/** Details of the order and its parties next to the conversation, limited to the needs of customer service. */
export const staffImSidebar = staffRead('/api/backstage/im/side', '会话旁的订单和用户', {
  input: z.object({ groupId }),
  data: z.object({
    groupId: z.string(),
    closed: z.boolean(),
    staffId: z.number().int().nullable(),
    solved: z.boolean(),
    assignedAt: time.nullable(),
    firstReplySeconds: z.number().int().nullable(),
    rating: z.object({ score: z.number().int(), content: z.string() }).nullable(),
    order: z
      .object({
        orderSn: z.string(),
        typeId: z.number().int(),
        typeName: z.string(),
        title: z.string(),
        gameName: z.string(),
        status: z.number().int(),
        statusName: z.string(),
        totalPrice: money,
        goodsSn: z.string().nullable(),
        payTime: time.nullable(),
        deadline: time.nullable(),
        disputed: z.boolean(),
        due: due.nullable(),
      })
      .nullable(),
    /** The listing asked about, in a conversation without an order. */
    topic: z.object({ goodsSn: z.string(), title: z.string(), pageUrl: z.string(), price: money }).nullable(),
    people: z.array(
      z.object({
        userId: z.string(),
        /** 'owner': the user, in a conversation without an order. */
        side: z.enum(['buyer', 'seller', 'owner']),
        nickName: z.string(),
        verified: z.boolean(),
        since: time,
        bought: z.number().int(),
        sold: z.number().int(),
        disputes: z.number().int(),
      }),
    ),
    before: z.array(z.object({ name: z.string(), from: time, to: time.nullable(), reason: z.string() })),
    /** The items that both parties still have to submit, and when they can be requested again; null: now. */
    form: z.object({
      items: z.array(
        z.object({
          step: z.number().int(),
          title: z.string(),
          actor: z.enum(['seller', 'buyer']),
          needs: z.array(z.string()),
        }),
      ),
      againAt: time.nullable(),
    }),
  }),
  idField: 'groupId',
  limit: 'im',
});

/**
 * Requests the missing parts of the hand-over steps from both parties in the conversation; at most once in ten minutes
 * per group.
 */
export const staffRequestForm = staffWrite('/api/backstage/im/askForm', '请求填写交付资料', {
  input: z.object({
    groupId,
    steps: json(z.array(z.number().int()).min(1, '请选择要填写的资料').max(30), '资料'),
  }),
  data: nothing,
});

const canned = z.object({
  id: z.number().int(),
  grp: z.string(),
  title: z.string(),
  text: z.string(),
  shortcut: z.string().nullable(),
  mine: z.boolean(),
  uses: z.number().int(),
});
export type CannedReply = z.output<typeof canned>;

/** The shared replies and the caller's own, most used first within a group. */
export const cannedList = staffRead('/api/backstage/im/cannedList', '快捷回复', {
  input: z.object({}),
  data: z.object({ list: z.array(canned) }),
  limit: 'im',
});

/** Shared replies are edited by administrators, personal ones by their owner. */
export const saveCanned = staffWrite('/api/backstage/im/saveCanned', '保存快捷回复', {
  input: z.object({
    id: optionalInt({ min: 1, label: '快捷回复' }),
    mine: flag,
    grp: text(12, { min: 1, label: '分组' }),
    title: text(30, { min: 1, label: '标题' }),
    text: text(2000, { min: 1, label: '内容' }),
    shortcut: optionalText(12, '快捷码'),
  }),
  data: z.object({ id: z.number().int() }),
});

export const removeCanned = staffWrite('/api/backstage/im/removeCanned', '删除快捷回复', {
  input: z.object({ id: int({ min: 1, label: '快捷回复' }) }),
  data: nothing,
});

export const usedCanned = staffWrite('/api/backstage/im/usedCanned', '快捷回复被使用', {
  input: z.object({ id: int({ min: 1, label: '快捷回复' }) }),
  data: nothing,
});

/**
 * Figures per member of customer service over the given number of days, for administrators, with the newest ratings.
 */
export const serviceStats = staffRead('/api/backstage/im/stats', '客服质检', {
  input: z.object({ days: int({ min: 1, max: 90, label: '天数' }).default(7) }),
  data: z.object({
    list: z.array(
      z.object({
        staffId: z.number().int(),
        name: z.string(),
        onDuty: z.boolean(),
        online: z.boolean(),
        load: z.number().int(),
        maxChats: z.number().int(),
        ...figures,
      }),
    ),
    ratings: z.array(
      z.object({
        orderSn: z.string().nullable(),
        groupId: z.string(),
        staffName: z.string(),
        score: z.number().int(),
        solved: z.boolean().nullable(),
        tags: z.array(z.string()),
        content: z.string(),
        time,
      }),
    ),
  }),
  limit: 'search',
});

const rule = z.object({
  id: z.number().int(),
  name: z.string(),
  gameId: z.number().int().nullable(),
  orderTypes: z.array(z.number().int()),
  minPrice: money,
  maxPrice: money.nullable(),
  staffIds: z.array(z.number().int()),
  keepSame: z.boolean(),
  sort: z.number().int(),
});
export type AssignmentRule = z.output<typeof rule>;

const shift = z.object({ id: z.number().int(), staffId: z.number().int(), startsAt: time, endsAt: time });

/** How a new group is assigned: skill rules (the first match wins) and shifts. */
export const serviceSetup = staffRead('/api/backstage/im/setup', '客服分配规则和班次', {
  input: z.object({}),
  data: z.object({
    staff: z.array(
      z.object({ staffId: z.number().int(), name: z.string(), maxChats: z.number().int(), onDuty: z.boolean() }),
    ),
    rules: z.array(rule),
    shifts: z.array(shift),
    games: z.array(z.object({ id: z.number().int(), name: z.string() })),
  }),
  limit: 'im',
});

/** `status` 2 deletes the rule. */
export const saveRule = staffWrite('/api/backstage/im/saveRule', '保存分配规则', {
  input: z.object({
    id: optionalInt({ min: 1, max: MAX_INT, label: '规则' }),
    name: text(30, { min: 1, label: '名称' }),
    gameId: optionalInt({ min: 1, max: MAX_INT, label: '游戏' }),
    orderTypes: json(z.array(z.number().int().min(1).max(99)).max(20), '订单类型').default([]),
    minYuan: optionalInt({ max: 10_000_000, label: '最低金额' }),
    maxYuan: optionalInt({ min: 1, max: 10_000_000, label: '最高金额' }),
    staffIds: json(z.array(z.number().int().min(1)).max(100), '客服').default([]),
    keepSame: flag.optional(),
    sort: int({ min: 0, max: 999, label: '顺序' }).default(0),
    status: int({ min: 1, max: 2, label: '状态' }).default(1),
  }),
  data: z.object({ id: z.number().int() }),
});

/** A shift of one person; without both times the shift is deleted. */
export const saveShift = staffWrite('/api/backstage/im/saveShift', '保存班次', {
  input: z.object({
    id: optionalInt({ min: 1, label: '班次' }),
    staffId: int({ min: 1, label: '客服' }),
    startsAt: z.iso.datetime({ offset: true, error: '开始时间不正确' }).optional(),
    endsAt: z.iso.datetime({ offset: true, error: '结束时间不正确' }).optional(),
  }),
  data: z.object({ id: z.number().int() }),
});

export const saveMaxChats = staffWrite('/api/backstage/im/saveMaxChats', '同时接待上限', {
  input: z.object({
    staffId: int({ min: 1, label: '客服' }),
    maxChats: int({ min: 1, max: 1000, label: '同时接待上限' }),
  }),
  data: nothing,
});
