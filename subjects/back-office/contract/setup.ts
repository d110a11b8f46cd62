import { z } from 'zod';
import { newStaffPassword, oneTimeToken, staffFactorCode, staffLoginName } from './staff.ts';
import { endpoint, staffRead, staffWrite } from '#contract/endpoint.ts';
import { json, nothing, optionalText, text, time } from '#contract/wire.ts';

/** The steps of the first start after creating the administrator, in order. */
export const setupSteps = ['name', 'hosts', 'games', 'vendors'] as const;
export type SetupStep = (typeof setupSteps)[number];

/** The data for the printed URL: the second factor to bind. Only on the back office's own host. */
export const setupOpen = endpoint({
  method: 'POST',
  path: '/api/backstage/setup/open',
  auth: 'public',
  summary: '首次设置的一次性地址',
  input: z.object({ token: oneTimeToken }),
  data: z.object({ siteName: z.string(), secret: z.string(), qr: z.string(), expires: time }),
  limit: 'login',
});

/** Creates the first administrator, once, and logs in. */
export const setupAdmin = endpoint({
  method: 'POST',
  path: '/api/backstage/setup/admin',
  auth: 'public',
  summary: '设置第一位管理员',
  input: z.object({
    token: oneTimeToken,
    login: staffLoginName,
    name: text(20, { min: 1, label: '姓名' }),
    newPassword: newStaffPassword,
    code: staffFactorCode,
  }),
  data: z.object({ token: z.string(), csrfToken: z.string(), staffId: z.number().int(), name: z.string() }),
  limit: 'login',
});

const item = z.object({
  key: z.string(),
  text: z.string(),
  isDone: z.boolean(),
  to: z.string(),
  /** For a vendor: whether it can be tested here. */
  canTry: z.boolean().optional(),
});
export type SetupItem = z.output<typeof item>;

/** The progress of the first start, with the data of its steps. */
export const setupInfo = staffRead('/api/backstage/setup/info', '首次设置', {
  input: z.object({}),
  data: z.object({
    /** The first step that was neither done nor skipped; null when there is none. */
    next: z.enum(setupSteps).nullable(),
    done: z.array(z.enum(setupSteps)),
    isFinished: z.boolean(),
    platform: z.object({
      distId: z.number().int(),
      name: z.string(),
      desc: z.string(),
      serviceNum: z.string(),
      icpNum: z.string(),
      hosts: z.array(z.object({ host: z.string(), isPrimary: z.boolean() })),
    }),
    /** The SITE_URL, used for links in messages. */
    siteUrl: z.string(),
    games: z.array(
      z.object({
        code: z.string(),
        name: z.string(),
        areas: z.number().int(),
        servers: z.number().int(),
        isLoaded: z.boolean(),
      }),
    ),
    checks: z.array(item),
  }),
});

/** Sets the platform's name. */
export const setupName = staffWrite('/api/backstage/setup/name', '设置平台名称', {
  input: z.object({
    name: text(20, { min: 2, label: '网站名称' }),
    desc: optionalText(160, '网站简介'),
    serviceNum: optionalText(40, '客服号码'),
    icpNum: optionalText(40, 'ICP 备案号'),
  }),
  data: nothing,
});

/** Adds a host to the platform, as its primary one when `isPrimary`. */
export const setupHost = staffWrite('/api/backstage/setup/host', '设置平台域名', {
  input: z.object({ host: z.string({ error: '请填写域名' }).trim().min(1, '请填写域名').max(300, '域名过长') }),
  data: z.object({ host: z.string() }),
});

/** Loads games of the shipped catalogue; existing games stay unchanged. */
export const setupGames = staffWrite('/api/backstage/setup/games', '从自带目录导入游戏', {
  input: z.object({
    codes: json(z.array(z.string().max(20)).min(1, '请至少选择一个游戏').max(200, '一次最多 200 个游戏'), '游戏'),
  }),
  data: z.object({ loaded: z.number().int() }),
});

/** Marks a step as done, or ends the first start (`finish`), after which its page is closed. */
export const setupGoOn = staffWrite('/api/backstage/setup/goOn', '继续首次设置', {
  input: z.object({ step: z.enum([...setupSteps, 'finish'], { error: '步骤不正确' }) }),
  data: nothing,
});
