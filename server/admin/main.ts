/** `npm run admin`: the back office for the machine's operator, with the same calls and audit records. */
import { userInfo } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { shippedPermissions } from '#subjects/back-office/rules/staff.ts';
import type { StaffCall } from '#server/access/call.ts';
import { createApp } from '#server/app.ts';
import { loadConfig } from '#server/config/config.ts';
import { type Context, createContext } from '#server/context.ts';
import { startEmbedded } from '#server/db/embedded.ts';
import { pendingMigrations } from '#server/db/migrate.ts';
import { asAppError } from '#server/kernel/errors.ts';
import { ROOT } from '#server/root.ts';
import { brandCommands } from './brands.ts';
import { gameCommands } from './games.ts';
import { type Answer, type Command, type Office, readArguments, refusalText, UsageError } from './program.ts';
import { settingCommands } from './settings.ts';
import { staffCommands } from './staff.ts';
import { systemCommands } from './system.ts';

const COMMANDS: readonly Command[] = [
  ...staffCommands,
  ...brandCommands,
  ...gameCommands,
  ...settingCommands,
  ...systemCommands,
];

/** The row of `staff` that represents this command (db/migrations/0001_baseline.sql). */
const COMMAND_STAFF = 0;
const [DONE, REFUSED, USAGE] = [0, 1, 2];

function helpText(): string {
  const width = Math.max(...COMMANDS.map(({ name }) => name.length)) + 2;
  const lines = COMMANDS.flatMap(({ name, usage, help }) => [
    `  ${name.padEnd(width)}${help}`,
    ...(usage === '' ? [] : [`  ${' '.repeat(width)}${usage}`]),
  ]);
  return [
    '用法：npm run admin -- 命令 [参数] [--json]',
    '',
    ...lines,
    '',
    '  --json  以 JSON 输出；出错时为 {"error","field"}',
    '退出码：0 成功，1 被拒绝或失败，2 用法不对。每次操作都记入操作记录，署名为管理命令和系统用户名。',
  ].join('\n');
}

/** Returns the operating-system user, which the audit log shows instead of an IP address. */
function operator(): string {
  try {
    return `命令行 ${userInfo().username}`;
  } catch {
    return `命令行 ${process.getuid?.() ?? ''}`.trim();
  }
}

/** An administrator's call just after the second factor: anyone who may run this command can read the secret anyway. */
const commandCall = (ctx: Context): StaffCall => {
  const staff = {
    id: COMMAND_STAFF,
    name: '管理命令',
    role: 'admin',
    roleName: '管理员',
    permissions: shippedPermissions('admin'),
    distId: null,
    imUid: `s${COMMAND_STAFF}`,
    sessionHash: Buffer.alloc(32),
    factorVerifiedAt: new Date(),
  };
  return {
    ctx,
    dist: ctx.dir.platform(),
    caller: { user: null, staff, sid: undefined },
    ip: operator(),
    isOwn: true,
    agent: 'npm run admin',
    origin: ctx.config.siteUrl,
    idem: undefined,
    http: undefined,
    staff,
  };
};

/** Opens the market's database, runs the work with the back office in process, and closes everything again. */
async function withOffice<T>(env: NodeJS.ProcessEnv, work: (office: Office) => Promise<T>): Promise<T> {
  const config = loadConfig(env);
  const log = pino({ level: env.LOG_LEVEL ?? 'warn' }, pino.destination(2));
  const embedded = config.databaseUrl === undefined ? await startEmbedded({ dataDir: config.dataDir, log }) : undefined;
  try {
    const url = embedded?.url ?? config.databaseUrl ?? '';
    const missing = await pendingMigrations({ database: url, dir: join(ROOT, 'db/migrations') });
    if (missing.length > 0) throw new Error(`数据库结构还差 ${missing.length} 项，请先运行 npm run migrate`);
    const ctx = await createContext(config, url, { log });
    try {
      const app = await createApp(ctx);
      try {
        const call = commandCall(ctx);
        return await work({ ctx, call, run: (endpoint, input) => app.server.run(endpoint, input, call) });
      } finally {
        await app.http.close();
      }
    } finally {
      await ctx.close();
    }
  } finally {
    await embedded?.stop();
  }
}

/** The command named by the arguments, longest name first. Throws UsageError. */
function commandOf(words: readonly string[]): { command: Command; rest: readonly string[] } {
  for (const length of [2, 1]) {
    const command = COMMANDS.find(({ name }) => name === words.slice(0, length).join(' '));
    if (command) return { command, rest: words.slice(length) };
  }
  const near = COMMANDS.filter(({ name }) => name.startsWith(`${words[0]} `)).map(({ name }) => `  ${name}`);
  throw new UsageError(
    near.length > 0
      ? `没有这个命令，${words[0]} 有：\n${near.join('\n')}`
      : '没有这个命令，npm run admin -- help 查看全部',
  );
}

interface Output {
  readonly print: (text: string) => void;
  readonly complain: (text: string) => void;
}

function show({ data, lines, failed = false }: Answer, isJson: boolean, { print, complain }: Output): number {
  if (isJson) print(JSON.stringify(data, null, 2));
  else for (const line of lines) (failed ? complain : print)(line);
  return failed ? REFUSED : DONE;
}

function failure(error: unknown, isJson: boolean, { print, complain }: Output): number {
  const known = asAppError(error);
  const text = known ? refusalText(known) : error instanceof Error ? error.message : String(error);
  if (isJson)
    print(JSON.stringify({ error: known?.text ?? text, ...(known?.field !== undefined && { field: known.field }) }));
  else complain(text);
  return error instanceof UsageError ? USAGE : REFUSED;
}

/** Runs one command line and returns its exit code: 0 done, 1 rejected or failed, 2 invalid usage. Never throws. */
export async function runAdmin(argv: readonly string[], env: NodeJS.ProcessEnv, output: Output): Promise<number> {
  const isJson = argv.includes('--json');
  const words = argv.filter((word) => word !== '--json');
  if (words.length === 0 || words[0] === 'help' || words.includes('--help')) {
    output.print(helpText());
    return words.length === 0 ? USAGE : DONE;
  }
  try {
    const { command, rest } = commandOf(words);
    const args = readArguments(command, rest);
    return show(await withOffice(env, (office) => command.run(office, args)), isJson, output);
  } catch (error) {
    return failure(error, isJson, output);
  }
}
