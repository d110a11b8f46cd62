import { z } from 'zod';
import { endpoint, staffRead, staffWrite } from '#contract/endpoint.ts';
import { isStaffPermission } from '../rules/staff.ts';
import { staffPasswordProblem } from '#subjects/accounts/rules/secret.ts';
import {
  flag,
  int,
  json,
  listTail,
  nothing,
  optionalInt,
  optionalText,
  paging,
  text,
  time,
  sixDigits,
  typed,
} from '#contract/wire.ts';
import { typedMail } from '#contract/rules/texts/typed.ts';

/** The state of a member of staff: `invited` = the one-time address has not been used yet. */
export const staffStates = ['active', 'invited', 'disabled'] as const;
export type StaffState = (typeof staffStates)[number];

const permissions = json(
  z.array(z.string().refine(isStaffPermission, '没有这项权限'), { error: '权限格式不正确' }).max(200),
  '权限',
);
const staffId = int({ min: 1, label: '员工' });
const reason = text(200, { min: 2, label: '原因' });
/** The token of a one-time address. */
export const oneTimeToken = z.string({ error: '地址不完整' }).regex(/^[\w-]{43}$/, '地址不完整，请从原消息重新复制');
/** A password set by staff. */
export const newStaffPassword = z
  .string()
  .max(128, '密码不能超过 128 个字符')
  .superRefine((value, ctx) => {
    const problem = staffPasswordProblem(value);
    if (problem !== null) ctx.addIssue({ code: 'custom', message: problem });
  });
/** A code of the second factor. */
export const staffFactorCode = sixDigits('请输入动态码', '请输入 6 位动态码');
/** A log-in name in its stored form. */
export const staffLoginName = z
  .string({ error: '请输入登录名' })
  .transform((value) => value.trim().toLowerCase())
  .refine((value) => /^[a-z][a-z0-9._-]{2,39}$/.test(value), '登录名用 3-40 个小写字母、数字、点或横线，以字母开头');

const person = z.object({
  staffId: z.number().int(),
  login: z.string(),
  name: z.string(),
  role: z.string(),
  roleName: z.string(),
  /** Granted individually, in addition to those of the role. */
  permissions: z.array(z.string()),
  /** Null for staff of the platform. */
  distId: z.number().int().nullable(),
  distName: z.string().nullable(),
  email: z.string(),
  state: z.enum(staffStates),
  hasPassword: z.boolean(),
  hasFactor: z.boolean(),
  passkeys: z.number().int(),
  /** The author of an open request to remove the passkeys; null without a request. */
  recoveryBy: z.string().nullable(),
  /** When the open one-time address expires; null without one. */
  inviteEnds: time.nullable(),
  sessions: z.number().int(),
  lastSeenTime: time.nullable(),
  createTime: time,
  isSelf: z.boolean(),
  /**
   * The caller may change this person: someone else, of the caller's own site, without a permission that the caller
   * lacks.
   */
  canManage: z.boolean(),
});
export type StaffPerson = z.output<typeof person>;

/** Members of staff of the own site, by login name. */
export const staffPeople = staffRead('/api/backstage/staff/list', '员工', {
  input: z.object({
    ...paging,
    state: z.enum(staffStates, { error: '状态不正确' }).optional(),
    keyWord: optionalText(40, '关键词'),
    distId: optionalInt({ min: 0, max: 2_147_483_647, label: '站点' }),
  }),
  data: z.object({ list: z.array(person), ...listTail }),
  limit: 'search',
});

const role = z.object({
  code: z.string(),
  name: z.string(),
  permissions: z.array(z.string()),
  isSystem: z.boolean(),
  /** A shipped role whose permissions staff have changed. */
  isEdited: z.boolean(),
  siteOnly: z.boolean(),
  distId: z.number().int().nullable(),
  members: z.number().int(),
  /** Whether the caller may assign this role, and whether they may change it. */
  canGive: z.boolean(),
  canEdit: z.boolean(),
});
export type StaffRoleItem = z.output<typeof role>;

/** Roles, permissions and sites for the forms. */
export const staffOptions = staffRead('/api/backstage/staff/options', '角色与权限', {
  input: z.object({}),
  data: z.object({
    roles: z.array(role),
    permissions: z.array(z.object({ code: z.string(), name: z.string(), group: z.string(), canGive: z.boolean() })),
    sites: z.array(z.object({ distId: z.number().int(), name: z.string() })),
    canManage: z.boolean(),
    /** The caller belongs to the platform, so platform staff can be created. */
    isPlatform: z.boolean(),
  }),
});

/** The one-time address: null when it was mailed. It is shown once; only its hash is stored. */
const invite = { address: z.string().nullable(), mailedTo: z.string().nullable(), expires: time };

/** Creates a member of staff (no `staffId`) or changes one. */
export const saveStaff = staffWrite('/api/backstage/staff/save', '新建或修改员工', {
  input: z.object({
    staffId: optionalInt({ min: 1, label: '员工' }),
    login: staffLoginName.optional(),
    name: text(20, { min: 1, label: '姓名' }),
    email: typed(typedMail, z.union([z.literal(''), z.email('邮箱格式不正确').max(120)])).optional(),
    role: z.string({ error: '请选择角色' }).min(1, '请选择角色').max(32, '请选择角色'),
    permissions: permissions.default([]),
    distId: optionalInt({ min: 1, label: '站点' }),
  }),
  data: z.object({ staffId: z.number().int(), invite: z.object(invite).nullable() }),
});

/** Disables a member of staff, whose sessions end immediately, or enables one again. */
export const setStaffStatus = staffWrite('/api/backstage/staff/setStatus', '停用或启用员工', {
  input: z.object({ staffId, state: z.enum(['active', 'disabled'], { error: '状态不正确' }), reason }),
  data: nothing,
});

/** Resets password, second factor or both; they are set again through a one-time URL. */
export const resetStaff = staffWrite('/api/backstage/staff/reset', '重置员工的密码或二次验证', {
  input: z.object({ staffId, what: z.enum(['password', 'factor', 'both'], { error: '请选择重置的内容' }), reason }),
  data: z.object(invite),
});

/** The sessions of a member of staff, and the browsers used before. */
export const staffSessionList = staffRead('/api/backstage/staff/sessions', '员工的登录设备', {
  input: z.object({ staffId }),
  data: z.object({
    list: z.array(
      z.object({
        sessionId: z.string(),
        device: z.string(),
        network: z.string(),
        isCurrent: z.boolean(),
        createTime: time,
        lastSeenTime: time,
      }),
    ),
    browsers: z.number().int(),
  }),
});

/** Ends one session of a member of staff, or all; never the caller's own session. */
export const endStaffSession = staffWrite('/api/backstage/staff/endSession', '让员工退出登录', {
  input: z.object({
    staffId,
    sessionId: z
      .string()
      .regex(/^[\w-]{22}$/, '设备编号不正确')
      .optional(),
  }),
  data: z.object({ ended: z.number().int() }),
});

/** Creates a role (no `code`), changes one, or resets a shipped role to its shipped permissions. */
export const saveStaffRole = staffWrite('/api/backstage/staff/saveRole', '新建或修改角色', {
  input: z.object({
    code: optionalText(32, '角色'),
    name: text(20, { min: 1, label: '角色名称' }),
    permissions: permissions.default([]),
    siteOnly: flag.default(false),
    asShipped: flag.default(false),
  }),
  data: z.object({ code: z.string() }),
});

/** Removes a custom role that is not assigned. */
export const removeStaffRole = staffWrite('/api/backstage/staff/removeRole', '删除角色', {
  input: z.object({ code: text(32, { min: 1, label: '角色' }) }),
  data: nothing,
});

/** The second factor again, for decisions on money and on people in the next minutes. A code is valid once. */
export const staffStepUp = staffWrite('/api/backstage/stepUp', '再次验证动态码', {
  input: z.object({ code: staffFactorCode }),
  data: z.object({ validUntil: time }),
  limit: 'login',
});

/** The inputs required by a one-time URL. Only on the back office's own host. */
export const staffJoinInfo = endpoint({
  method: 'POST',
  path: '/api/backstage/join/info',
  auth: 'public',
  summary: '一次性地址',
  input: z.object({ token: oneTimeToken }),
  data: z.object({
    login: z.string(),
    name: z.string(),
    siteName: z.string(),
    setsPassword: z.boolean(),
    setsFactor: z.boolean(),
    /** For the authenticator: the key as text and as a QR code (SVG). Null when the second factor is kept. */
    secret: z.string().nullable(),
    qr: z.string().nullable(),
    expires: time,
  }),
  limit: 'login',
});

/** Uses a one-time URL: sets the password, the second factor or both, and logs in. A kept one must be proved. */
export const staffJoin = endpoint({
  method: 'POST',
  path: '/api/backstage/join',
  auth: 'public',
  summary: '使用一次性地址',
  input: z.object({
    token: oneTimeToken,
    newPassword: newStaffPassword.optional(),
    password: z.string().max(128).optional(),
    code: staffFactorCode,
  }),
  data: z.object({ token: z.string(), csrfToken: z.string(), staffId: z.number().int(), name: z.string() }),
  limit: 'login',
});
