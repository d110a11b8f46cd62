import {
  endStaffSession,
  resetStaff,
  saveStaff,
  setStaffStatus,
  staffOptions,
  staffPeople,
  type StaffPerson,
  type StaffState,
} from '#subjects/back-office/contract/staff.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { type Answer, type Command, type Office, table } from './program.ts';

const STATES: Readonly<Record<StaffState, string>> = { active: '在用', invited: '待设置', disabled: '已停用' };

/** Returns all members of staff, page by page. */
async function everybody(office: Office): Promise<StaffPerson[]> {
  const all: StaffPerson[] = [];
  let cursor: string | undefined;
  do {
    const page = await office.run(staffPeople, { pageSize: 50, ...(cursor !== undefined && { cursor }) });
    all.push(...page.list);
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
  return all;
}

/** A member of staff by login name. Throws NOT_FOUND. */
async function personBy(office: Office, login: string): Promise<StaffPerson> {
  const person = (await everybody(office)).find((one) => one.login === login.toLowerCase());
  if (!person) throw errorOf('NOT_FOUND', 'staffLogin');
  return person;
}

/** The site of an option: a brand's code or number; undefined for the platform. Throws BAD_INPUT. */
function siteOf({ ctx }: Office, typed: string | undefined): number | undefined {
  if (typed === undefined || typed === '' || typed === 'platform') return undefined;
  const dist = ctx.dir.all().find(({ id, code }) => code === typed || String(id) === typed);
  if (!dist) throw new AppError('BAD_INPUT', { text: '没有这个品牌，用 brands list 查看代码' });
  return dist.id;
}

/** The code of a role by code or name. Throws BAD_INPUT. */
async function roleBy(office: Office, typed: string): Promise<string> {
  const { roles } = await office.run(staffOptions, {});
  const role = roles.find(({ code, name }) => code === typed || name === typed);
  if (!role) throw new AppError('BAD_INPUT', { text: '没有这个角色，用 staff roles 查看' });
  return role.code;
}

const permissionList = (typed: string | undefined): string[] =>
  (typed ?? '').split(',').flatMap((code) => (code.trim() === '' ? [] : [code.trim()]));

type Invite = { address: string | null; mailedTo: string | null; expires: string };

const inviteLines = ({ address, mailedTo, expires }: Invite): string[] => [
  address === null ? `一次性地址已寄到 ${mailedTo ?? ''}` : `一次性地址（只显示这一次）：\n  ${address}`,
  `有效期到 ${expires}`,
];

async function reset(
  office: Office,
  login: string,
  what: 'password' | 'factor' | 'both',
  reason: string,
): Promise<Answer> {
  const { staffId } = await personBy(office, login);
  const invite = await office.run(resetStaff, { staffId, what, reason });
  return { data: { staffId, ...invite }, lines: ['已重置，原来的登录已全部退出。', ...inviteLines(invite)] };
}

async function setState(office: Office, login: string, state: 'active' | 'disabled', reason: string): Promise<Answer> {
  const { staffId } = await personBy(office, login);
  await office.run(setStaffStatus, { staffId, state, reason });
  return { data: { staffId, state }, lines: [state === 'active' ? '已启用' : '已停用，并退出所有登录'] };
}

export const staffCommands: readonly Command[] = [
  {
    name: 'staff list',
    usage: '',
    help: '员工、角色和状态',
    async run(office) {
      const list = await everybody(office);
      const rows = list.map((one) => [one.login, one.name, one.roleName, one.distName ?? '平台', STATES[one.state]]);
      return { data: { list }, lines: table(['登录名', '姓名', '角色', '站点', '状态'], rows) };
    },
  },
  {
    name: 'staff roles',
    usage: '',
    help: '角色和各自的权限',
    async run(office) {
      const { roles, permissions } = await office.run(staffOptions, {});
      const names = new Map(permissions.map(({ code, name }) => [code, name]));
      const rows = roles.map((role) => [
        role.code,
        role.name,
        String(role.members),
        role.permissions.map((code) => names.get(code) ?? code).join('、'),
      ]);
      return { data: { roles, permissions }, lines: table(['代码', '角色', '人数', '权限'], rows) };
    },
  },
  {
    name: 'staff create',
    usage: '登录名 --name 姓名 --role 角色 [--site 品牌代码] [--permissions 代码,代码] [--email 邮箱]',
    help: '新建员工，给出设置密码和二次验证的一次性地址',
    options: ['name', 'role', 'site', 'permissions', 'email'],
    async run(office, args) {
      const login = args.word(0, '登录名');
      const distId = siteOf(office, args.option('site'));
      const { staffId, invite } = await office.run(saveStaff, {
        login,
        name: args.required('name'),
        role: await roleBy(office, args.required('role')),
        permissions: permissionList(args.option('permissions')),
        email: args.option('email') ?? '',
        ...(distId !== undefined && { distId }),
      });
      return {
        data: { staffId, login, invite },
        lines: [`已新建员工 ${login}`, ...(invite ? inviteLines(invite) : [])],
      };
    },
  },
  {
    name: 'staff set-role',
    usage: '登录名 --role 角色 [--site 品牌代码] [--permissions 代码,代码]',
    help: '更换角色、站点和单项权限',
    options: ['role', 'site', 'permissions'],
    async run(office, args) {
      const person = await personBy(office, args.word(0, '登录名'));
      const role = await roleBy(office, args.required('role'));
      const distId =
        args.option('site') === undefined ? (person.distId ?? undefined) : siteOf(office, args.option('site'));
      const permissions = args.option('permissions');
      await office.run(saveStaff, {
        staffId: person.staffId,
        name: person.name,
        email: person.email,
        role,
        permissions: permissions === undefined ? person.permissions : permissionList(permissions),
        ...(distId !== undefined && { distId }),
      });
      return { data: { staffId: person.staffId, role }, lines: ['已更换角色，从下一次请求起生效'] };
    },
  },
  {
    name: 'staff disable',
    usage: '登录名 --reason 原因',
    help: '停用，立即退出所有登录',
    options: ['reason'],
    run: async (office, args) => await setState(office, args.word(0, '登录名'), 'disabled', args.required('reason')),
  },
  {
    name: 'staff enable',
    usage: '登录名 --reason 原因',
    help: '启用',
    options: ['reason'],
    run: async (office, args) => await setState(office, args.word(0, '登录名'), 'active', args.required('reason')),
  },
  {
    name: 'staff reset-second-factor',
    usage: '登录名 --reason 原因',
    help: '重置二次验证（手机丢失），给出一次性地址',
    options: ['reason'],
    run: async (office, args) => await reset(office, args.word(0, '登录名'), 'factor', args.required('reason')),
  },
  {
    name: 'staff reset-password',
    usage: '登录名 --reason 原因 [--both]',
    help: '重置密码，--both 连同二次验证，给出一次性地址',
    options: ['reason'],
    flags: ['both'],
    run: async (office, args) =>
      await reset(office, args.word(0, '登录名'), args.has('both') ? 'both' : 'password', args.required('reason')),
  },
  {
    name: 'staff sign-out',
    usage: '登录名',
    help: '退出这位员工的所有登录',
    async run(office, args) {
      const { staffId } = await personBy(office, args.word(0, '登录名'));
      const { ended } = await office.run(endStaffSession, { staffId });
      return { data: { ended }, lines: [`已退出 ${ended} 处登录`] };
    },
  },
];
