/**
 * The server without its pages, as a separate process: starts in a fraction of the time, for tests that kill it often. With
 * `WITH_EFFECTS=1` it runs events and timers as the whole server does.
 */
import pino from 'pino';
import { createApp } from '#server/app.ts';
import { loadConfig } from '#server/config/config.ts';
import { createContext } from '#server/context.ts';
import { startEffects } from '#server/jobs/run.ts';
import { drainOf } from '#server/kernel/drain.ts';
import { forceGc } from '#server/kernel/memory.ts';

const config = loadConfig(process.env);
if (config.databaseUrl === undefined) throw new Error('DATABASE_URL is missing');
const ctx = await createContext(config, config.databaseUrl, { log: pino({ level: config.logLevel }) });
const app = await createApp(ctx);
const effects = process.env.WITH_EFFECTS === '1' ? startEffects(ctx, app.effects) : undefined;
const drain = drainOf(app.http.server);
// Ends like the whole server (server/main.ts).
process.once('SIGTERM', () => {
  void (async () => {
    await drain();
    await app.http.close();
    await effects?.stop();
    await ctx.close();
    process.exit(0);
  })();
});
forceGc();
await app.http.listen({ port: config.port, host: config.host, backlog: 4_096 });
