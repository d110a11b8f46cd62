/** The server without its pages, as a process of its own: starts in a fraction of the time, for tests that kill it often. */
import pino from 'pino';
import { createApp } from '#server/app.ts';
import { loadConfig } from '#server/config.ts';
import { createContext } from '#server/context.ts';
import { giveBackMemory } from '#server/kernel/memory.ts';

const config = loadConfig(process.env);
if (config.databaseUrl === undefined) throw new Error('DATABASE_URL is missing');
const ctx = await createContext(config, config.databaseUrl, { log: pino({ level: config.logLevel }) });
const app = await createApp(ctx);
giveBackMemory();
await app.http.listen({ port: config.port, host: config.host });
