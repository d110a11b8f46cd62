import { flushCompileCache } from 'node:module';
import { createApp, pageCall } from './app.ts';
import { ignoredSettings } from './config/config-environment.ts';
import { loadConfig } from './config/config.ts';
import { runsEffects, servesPages } from './config/config-nodes.ts';
import { createContext } from './context.ts';
import { storeDemoVoices } from './demo/voices.ts';
import { startEmbedded } from './db/embedded.ts';
import { prepareDatabase } from './db/prepare.ts';
import { drainOf } from './kernel/drain.ts';
import { openLog } from './log.ts';
import { forceGc } from './kernel/memory.ts';
import { startPages } from './ssr/pages.ts';
import { startEffects } from './jobs/run.ts';
import { demoSeed } from './seed.ts';
import { holdTrialMark } from '#subjects/back-office/server/service.ts';
import { refuseBadStart } from './config/start-checks.ts';
import { announce, announceSetup } from './announce.ts';

const STOP_LIMIT_MS = 20_000;
/** Length of the accept queue; a client that finds it full waits at least a second. */
const BACKLOG = 4_096;

/** env → config → database → context → app → listen → graceful stop. */
async function main(): Promise<void> {
  const print = (text: string): void => console.log(`  ${text}`);
  for (const text of ignoredSettings(process.env)) print(text);
  const config = loadConfig(process.env);
  await refuseBadStart(config);
  const log = openLog(config.logLevel);
  const started = Date.now();
  const embedded = config.databaseUrl === undefined ? await startEmbedded({ dataDir: config.dataDir, log }) : undefined;
  print(`数据库就绪（${((Date.now() - started) / 1000).toFixed(1)} 秒）`);
  const { url, ownerUrl } = await prepareDatabase({ config, embedded, log, print });
  if (config.demo && ownerUrl !== undefined) await demoSeed({ config, databaseUrl: ownerUrl, print });

  const ctx = await createContext(config, url, { log });
  await holdTrialMark(ctx);
  const app = await createApp(ctx);
  if (config.demo) await storeDemoVoices(ctx);
  const { role } = config.nodes;
  if (servesPages(role)) await startPages(app, ctx, pageCall);
  const effects = runsEffects(role) ? startEffects(ctx, app.effects) : undefined;
  forceGc();
  const drain = drainOf(app.http.server);
  await app.http.listen({ port: config.port, host: config.host, backlog: BACKLOG });
  announce(ctx, print);
  await announceSetup(ctx, print);
  // A killed server leaves its compile cache to the next start as well.
  flushCompileCache();

  let stopping = false;
  const stop = async (signal: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    print(`正在停止（${signal}）…`);
    const limit = setTimeout(() => process.exit(1), STOP_LIMIT_MS);
    await drain();
    await app.http.close();
    await effects?.stop();
    await ctx.close();
    await embedded?.stop();
    clearTimeout(limit);
    print('已停止');
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop(signal));
}

/** Messages for a data folder that cannot be used, by error code. */
const FOLDER_FAULTS: Readonly<Record<string, string>> = {
  EACCES: '没有写入权限',
  EROFS: '所在的磁盘只读',
  ENOTDIR: '路径里有一段不是文件夹',
  ENOSPC: '磁盘已满',
};

/** The reason why the server did not start, as text for the operator. */
function startFault(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code = '', path = '' } = error as NodeJS.ErrnoException;
  const fault = FOLDER_FAULTS[code];
  return fault === undefined
    ? error.message
    : `数据文件夹不能使用（${fault}）：${path}\n请用 DATA_DIR 另选目录，或运行 npm run doctor 检查。`;
}

main().catch((error: unknown) => {
  console.error(startFault(error));
  if (process.env.LOG_LEVEL === 'debug') console.error(error);
  process.exit(1);
});
