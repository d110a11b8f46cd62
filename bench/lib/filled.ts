/** The market of a data folder that `npm run seed` has filled. */
import pg from 'pg';
import pino from 'pino';
import { loadConfig } from '#server/config/config.ts';
import { type Context, createContext } from '#server/context.ts';
import { startEmbedded } from '#server/db/embedded.ts';

const quiet = { info: () => undefined, warn: console.warn, error: console.error };

export interface FilledMarket {
  ctx: Context;
  client: pg.Client;
  /** Environment of a server process for this market. */
  env: Record<string, string>;
  /** Of the database's first process; 0 where DATABASE_URL names another one. */
  databasePid: number;
  close(): Promise<void>;
}

/** Opens the market of DATA_DIR, or of DATABASE_URL; `settings` are further ones of its server. Must be closed. */
export async function filledMarket(settings: Record<string, string> = {}): Promise<FilledMarket> {
  const config = loadConfig(process.env);
  const embedded =
    config.databaseUrl === undefined ? await startEmbedded({ dataDir: config.dataDir, log: quiet }) : undefined;
  const url = config.databaseUrl ?? embedded?.url ?? '';
  const env = {
    DATABASE_URL: url,
    DATA_DIR: config.dataDir,
    DEMO: '0',
    NODE_ENV: 'test',
    SECRET: `base64:${config.secret.toString('base64')}`,
    LOG_LEVEL: 'error',
    IP_LIMIT_FACTOR: '10000',
    ...settings,
  };
  const ctx = await createContext(loadConfig({ ...process.env, ...env }), url, { log: pino({ level: 'silent' }) });
  const client = new pg.Client({ connectionString: url, options: '-c jit=off' });
  await client.connect();
  return {
    ctx,
    client,
    env,
    databasePid: embedded?.pid ?? 0,
    async close() {
      await client.end();
      await ctx.close();
      await embedded?.stop();
    },
  };
}
