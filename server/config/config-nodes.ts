import { z } from 'zod';

const canDecode = (text: string): boolean => {
  try {
    return decodeURIComponent(text) !== '';
  } catch {
    return text === '';
  }
};

/** Returns the problem of SEARCH_URL, if any. The URL may contain a password, so the message does not repeat it. */
function searchUrlProblem(address: string): string | undefined {
  const [, kind, rest = ''] = /^(groonga|opensearch)\+(https?:\/\/[^/].*)$/.exec(address) ?? [];
  if (kind === undefined || !URL.canParse(rest))
    return '应为 groonga+http://主机:端口，或 opensearch+https://用户名:密码@主机:端口/别名';
  const { username, password, pathname, search, hash } = new URL(rest);
  if (kind === 'groonga')
    return username + password + pathname.slice(1) + search + hash === ''
      ? undefined
      : '中 Groonga 的地址只能有主机和端口：Groonga 没有用户名和密码，请只让各节点连得到它';
  if (!canDecode(username) || !canDecode(password)) return '中的用户名和密码须按网址规则转义，% 写作 %25';
  return /^\/?$|^\/[a-z0-9][a-z0-9_.-]*\/?$/.test(pathname) && search + hash === ''
    ? undefined
    : '的主机后面只能是一个别名，由小写字母、数字和 _ . - 组成';
}

/** Settings of a market on several machines; part of server/config/config.ts. */
export const nodesEnv = {
  ROLE: z.enum(['all', 'web', 'chat', 'worker']).default('all'),
  DATABASE_DIRECT_URL: z.string().startsWith('postgres').optional(),
  DATABASE_NAMED_STATEMENTS: z.enum(['0', '1']).optional(),
  DATABASE_READ_URL: z.string().startsWith('postgres').optional(),
  DATABASE_READ_LAG_MS: z.coerce.number().int().min(100).max(60_000).default(2_000),
  BUS_URL: z
    .string()
    .regex(/^rediss?:\/\//)
    .optional(),
  SEARCH_URL: z
    .string()
    .superRefine((address, check) => {
      const message = searchUrlProblem(address);
      if (message !== undefined) check.addIssue({ code: 'custom', message });
    })
    .optional(),
  SEARCH_LAG_MS: z.coerce.number().int().min(1_000).max(600_000).default(10_000),
};

const shape = z.object(nodesEnv);

/** The tasks of a process: everything, pages and calls, chat, or effects and timers. */
export type Role = z.output<typeof shape>['ROLE'];

export interface NodesConfig {
  readonly role: Role;
  /**
   * A connection to PostgreSQL itself, for LISTEN and locks of a session. If it is set, DATABASE_URL uses a pooler that assigns
   * connections by transaction; undefined if DATABASE_URL is itself direct.
   */
  readonly directUrl: string | undefined;
  /** Whether hot statements are named; a transaction pooler may mix up names between connections. */
  readonly isNamingStatements: boolean;
  /** A standby for lists and statistics that may be slightly stale; undefined = everything is read from the primary. */
  readonly readUrl: string | undefined;
  /** Maximum lag of the standby in ms; beyond it the primary is read. */
  readonly readLagMs: number;
  /** Redis, for messages between processes; undefined = LISTEN and NOTIFY. */
  readonly busUrl: string | undefined;
  /** A search engine in addition to PostgreSQL, `groonga+http://…` or `opensearch+https://…`; undefined = only PostgreSQL. */
  readonly searchUrl: string | undefined;
  /** Maximum lag of the engine in ms; beyond it PostgreSQL answers. */
  readonly searchLagMs: number;
}

/** The settings in the form the server uses. Throws an Error with a Chinese message for a direct or read connection without DATABASE_URL. */
export function nodesConfig(env: z.output<typeof shape>, databaseUrl: string | undefined): NodesConfig {
  const needs = (['DATABASE_DIRECT_URL', 'DATABASE_READ_URL'] as const).filter((name) => env[name] !== undefined);
  if (databaseUrl === undefined && needs.length > 0)
    throw new Error(`设置有误：${needs.join('、')} 只能和 DATABASE_URL 一起使用`);
  if (databaseUrl === undefined && env.ROLE !== 'all')
    throw new Error(`设置有误：ROLE=${env.ROLE} 需要外部数据库（DATABASE_URL），内置数据库只服务一个进程`);
  const directUrl = env.DATABASE_DIRECT_URL;
  return {
    role: env.ROLE,
    directUrl,
    isNamingStatements: (env.DATABASE_NAMED_STATEMENTS ?? (directUrl === undefined ? '1' : '0')) === '1',
    readUrl: env.DATABASE_READ_URL,
    readLagMs: env.DATABASE_READ_LAG_MS,
    busUrl: env.BUS_URL,
    searchUrl: env.SEARCH_URL,
    searchLagMs: env.SEARCH_LAG_MS,
  };
}

/** Whether a process of this role runs effects and timers. */
export const runsEffects = (role: Role): boolean => role === 'all' || role === 'worker';

/** Whether it renders pages. */
export const servesPages = (role: Role): boolean => role === 'all' || role === 'web';

/** Whether it handles the sockets of conversations. */
export const servesSockets = (role: Role): boolean => role === 'all' || role === 'chat';
