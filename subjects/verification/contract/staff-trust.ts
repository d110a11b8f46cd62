import { z } from 'zod';
import { staffRead, staffWrite } from '#contract/endpoint.ts';
import { blackReasonNames, blackStatusNames, fakeKindNames, LISTED_DAYS } from '../rules/black.ts';
import { blackAccounts } from './verification.ts';
import {
  flag,
  int,
  listTail,
  money,
  nothing,
  optionalInt,
  optionalText,
  paging,
  sn,
  text,
  time,
} from '#contract/wire.ts';

const names = <T extends Record<string, string>>(of: T) => Object.keys(of) as [keyof T & string];
const picture = z.object({ url: z.string(), thumb: z.string() });
const note = optionalText(200, '说明');
const publicText = optionalText(1000, '公示内容');

const staffBlack = z.object({
  blackSn: z.string(),
  title: z.string(),
  reasonName: z.string(),
  gameName: z.string(),
  amount: money.nullable(),
  accounts: z.array(z.object({ kindName: z.string(), mask: z.string() })),
  content: z.string(),
  publicText: z.string(),
  pictures: z.array(picture),
  status: z.enum(names(blackStatusNames)),
  statusName: z.string(),
  reporter: z.string(),
  orderSn: z.string().nullable(),
  reviewer: z.string().nullable(),
  note: z.string().nullable(),
  expireTime: time.nullable(),
  createTime: time,
});
export type StaffBlack = z.output<typeof staffBlack>;

/** Reports of fraudulent accounts and published entries; pending ones oldest first. */
export const staffBlackList = staffRead('/api/backstage/trust/blackList', '黑号举报与名单', {
  input: z.object({
    ...paging,
    status: z.enum(names(blackStatusNames), { error: '状态不正确' }).default('reviewing'),
    keyWord: optionalText(40, '关键词'),
  }),
  data: z.object({ list: z.array(staffBlack), counts: z.record(z.string(), z.number().int()), ...listTail }),
  limit: 'search',
});

/** Publishes a report with a text and an expiry date, rejects it, or removes a published entry. */
export const decideBlack = staffWrite('/api/backstage/trust/decideBlack', '审核黑号举报', {
  input: z.object({
    blackSn: sn,
    act: z.enum(['list', 'reject', 'remove'], { error: '操作不正确' }),
    publicText,
    days: optionalInt({ min: 1, max: LISTED_DAYS[0], label: '公示天数' }),
    note,
  }),
  data: nothing,
});

/** Publishes an entry without a report: found by staff themselves, by another market, or by the police. Its grounds stay internal. */
export const addBlack = staffWrite('/api/backstage/trust/addBlack', '登记黑号', {
  input: z.object({
    reason: z.enum(names(blackReasonNames), { error: '请选择原因' }),
    title: text(60, { min: 4, label: '标题' }),
    accounts: blackAccounts,
    publicText: text(1000, { min: 4, label: '公示内容' }),
    grounds: text(2000, { min: 10, label: '依据' }),
    days: int({ min: 1, max: LISTED_DAYS[0], label: '公示天数' }).default(LISTED_DAYS[0]),
  }),
  data: z.object({ blackSn: z.string() }),
  idempotent: true,
});

const staffAppeal = z.object({
  appealId: z.number().int(),
  blackSn: z.string(),
  title: z.string(),
  publicText: z.string(),
  appellant: z.string(),
  content: z.string(),
  pictures: z.array(picture),
  /** The caller published the entry, so another member of staff must decide the appeal. */
  isMine: z.boolean(),
  answerByTime: time,
  createTime: time,
});
export type StaffAppeal = z.output<typeof staffAppeal>;

/** Pending appeals, nearest deadline first. */
export const staffAppealList = staffRead('/api/backstage/trust/appealList', '黑号申诉', {
  input: z.object({ ...paging }),
  data: z.object({ list: z.array(staffAppeal), ...listTail }),
  limit: 'search',
});

export const decideAppeal = staffWrite('/api/backstage/trust/decideAppeal', '处理黑号申诉', {
  input: z.object({
    appealId: int({ min: 1, label: '申诉编号' }),
    act: z.enum(['grant', 'refuse'], { error: '操作不正确' }),
    answer: text(500, { min: 2, label: '答复' }),
  }),
  data: nothing,
});

const staffFake = z.object({
  reportId: z.number().int(),
  kind: z.enum(names(fakeKindNames)),
  kindName: z.string(),
  value: z.string(),
  content: z.string(),
  contact: z.string().nullable(),
  reporter: z.string().nullable(),
  pictures: z.array(picture),
  /** How often the same number was reported, including this report. */
  sameCount: z.number().int(),
  createTime: time,
});
export type StaffFake = z.output<typeof staffFake>;

/** Pending reports of false customer service, oldest first. */
export const staffFakeList = staffRead('/api/backstage/trust/fakeList', '假客服举报', {
  input: z.object({ ...paging }),
  data: z.object({ list: z.array(staffFake), ...listTail }),
  limit: 'search',
});

/** Puts the number on the blacklist, or files the report; other reports of the same number get the same decision. */
export const decideFake = staffWrite('/api/backstage/trust/decideFake', '处理假客服举报', {
  input: z.object({
    reportId: int({ min: 1, label: '举报编号' }),
    act: z.enum(['list', 'reject'], { error: '操作不正确' }),
    publicText,
    note,
  }),
  data: nothing,
});

const staffNumber = z.object({
  numberId: z.number().int(),
  kind: z.enum(names(fakeKindNames)),
  kindName: z.string(),
  value: z.string(),
  name: z.string(),
  duty: z.string(),
  shown: z.boolean(),
  siteName: z.string(),
  createTime: time,
});
export type StaffNumber = z.output<typeof staffNumber>;

/** The official service numbers, which the verification page confirms. */
export const staffNumberList = staffRead('/api/backstage/trust/numberList', '官方号码', {
  input: z.object({ ...paging }),
  data: z.object({ list: z.array(staffNumber), ...listTail }),
  limit: 'search',
});

export const addNumber = staffWrite('/api/backstage/trust/addNumber', '登记官方号码', {
  input: z.object({
    kind: z.enum(names(fakeKindNames), { error: '类型不正确' }),
    value: text(120, { min: 4, label: '号码' }),
    name: text(40, { min: 1, label: '使用人' }),
    duty: text(40, { label: '职责' }).default(''),
    /** Also listed on the site's own pages, besides being confirmed on request. */
    shown: flag.default(false),
  }),
  data: z.object({ numberId: z.number().int() }),
});

/** The number stops being an official one. */
export const endNumber = staffWrite('/api/backstage/trust/endNumber', '停用官方号码', {
  input: z.object({ numberId: int({ min: 1, label: '号码编号' }) }),
  data: nothing,
});
