/**
 * An upgrade from an earlier release under trade and chat: its nodes run while the database is migrated, then one after the other is asked to end
 * and this release takes its place. Nobody gets an error that asking again under the same key does not settle, and nothing is lost or doubled.
 * `UPGRADE_FROM=COMMIT` names the earlier release, `CLUSTER_TABLE=FILE` writes down what users saw.
 */
import { execFile } from 'node:child_process';
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '#server/config/config.ts';
import { createContext } from '#server/context.ts';
import { type Embedded, startEmbedded } from '#server/db/embedded.ts';
import { migrate } from '#server/db/migrate.ts';
import { deliveredEffects } from '#tests/support/orders/delivered-effects.ts';
import { Sender, type Walker } from '#tests/support/servers/killable.ts';
import { type ServerProcess, serverProcess } from '#tests/support/servers/server-process.ts';
import { expectNothingLost, groupOf } from './books.ts';
import { Load, type Window } from './load.ts';
import { missingReason, nginx, ownPort, type Part, redis, sharedFolder } from './parts.ts';
import { earlierRelease, placeIn, unpack, writePeople } from './release.ts';

const PORTS = {
  nginx: await ownPort(),
  redis: await ownPort(),
  web: [await ownPort(), await ownPort()],
  chat: [await ownPort(), await ownPort()],
  worker: await ownPort(),
};
const TRADERS = 6;
const TALKERS = 3;
const TALK_MS = 700;
const LISTINGS = 30_000;
const FEN = 90_000_000;
const SETTLE_MS = 2_000;
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
const run = promisify(execFile);

interface Node {
  name: string;
  port: number;
  role: string;
}
const NODES: readonly Node[] = [
  ...PORTS.web.map((port, i) => ({ name: `web ${i + 1}`, port, role: 'web' })),
  ...PORTS.chat.map((port, i) => ({ name: `chat ${i + 1}`, port, role: 'chat' })),
  { name: 'worker', port: PORTS.worker, role: 'worker' },
];

const release = earlierRelease();
const commit = 'commit' in release ? release.commit : undefined;
const missing = missingReason() ?? ('reason' in release ? release.reason : undefined);
if (missing !== undefined) console.log(`skipped: ${missing}`);
let folder: string;
let earlier: string;
let database: Embedded | undefined;
let env: Record<string, string>;
let people: { seller: Walker; buyers: Walker[]; forSale: string[] };
let sender: Sender | undefined;
const programs: Part[] = [];
const servers = new Map<string, ServerProcess>();

const serverOf = ({ port, role }: Node, cwd: string): ServerProcess =>
  serverProcess(
    port,
    { ...env, ROLE: role, WITH_EFFECTS: role === 'worker' ? '1' : '0' },
    placeIn(cwd, 'tests/support', 'api-main.ts'),
    cwd,
  );

beforeAll(async () => {
  if (commit === undefined || missing !== undefined) return;
  folder = sharedFolder();
  earlier = unpack(folder, commit);
  chmodSync(folder, 0o711);
  const db = await startEmbedded({ dataDir: folder, log: quiet });
  database = db;
  await migrate({ database: db.ownerUrl, dir: join(earlier, 'db/migrations'), log: quiet });
  env = {
    NODE_ENV: 'test',
    DEMO: '0',
    LOG_LEVEL: 'fatal',
    DATABASE_URL: db.url,
    DATA_DIR: folder,
    SECRET: 'a secret of tests, long enough to be taken',
    BUS_URL: `redis://127.0.0.1:${PORTS.redis}`,
    TRUST_PROXY: '1',
    IP_LIMIT_FACTOR: '10000',
    LIMIT_FACTOR: '1000',
  };
  const { stdout } = await run(
    process.execPath,
    [writePeople(earlier), String(TRADERS), String(FEN), String(LISTINGS)],
    { cwd: earlier, env: { ...process.env, ...env }, maxBuffer: 1 << 26 },
  );
  people = JSON.parse(stdout) as typeof people;
  const bus = redis(PORTS.redis);
  await bus.start();
  programs.push(bus);
  for (const node of NODES) servers.set(node.name, serverOf(node, earlier));
  await Promise.all([...servers.values()].map(async (server) => await server.start()));
  const proxy = nginx(folder, PORTS.nginx, PORTS);
  await proxy.start();
  programs.push(proxy);
  sender = new Sender(PORTS.nginx);
}, 300_000);
afterAll(async () => {
  if (missing !== undefined) return;
  for (const server of servers.values()) await server.kill();
  for (const program of programs) await program.kill();
  sender?.close();
  await database?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test.skipIf(missing !== undefined)('an earlier release is replaced under load', { timeout: 900_000 }, async () => {
  if (!database || !sender) throw new Error('no market');
  const { ownerUrl, url } = database;
  const { seller, buyers, forSale } = people;
  const load = new Load(sender, forSale);
  load.start(buyers.map((buyer) => load.trade(buyer)));
  const lines: string[] = [];
  const loads = [load];
  const step = async (name: string, work: () => Promise<unknown>): Promise<void> => {
    for (const one of loads) one.restart();
    const before = load.paid.size;
    const began = performance.now();
    await work();
    await sleep(SETTLE_MS);
    const lasted = ((performance.now() - began) / 1000).toFixed(1);
    const seen = loads.map((one) => one.restart());
    const sum = (of: (one: Window) => number): number => seen.reduce((total, one) => total + of(one), 0);
    const [calls, lost, putOff] = [sum((one) => one.calls), sum((one) => one.lost), sum((one) => one.putOff)];
    const longestMs = Math.max(...seen.map((one) => one.longestMs));
    expect(load.paid.size, `orders paid during ${name}`).toBeGreaterThan(before);
    lines.push(`| ${name} | ${lasted} | ${calls} | ${lost} | ${putOff} | ${(longestMs / 1000).toFixed(1)} |`);
  };
  await step('the earlier release alone', async () => await sleep(SETTLE_MS));
  await step('migrations', async () => await migrate({ database: ownerUrl, dir: 'db/migrations', log: quiet }));
  const ctx = await createContext(loadConfig(env), url, { log: pino({ level: 'silent' }) });
  const talkers = buyers.slice(0, TALKERS);
  const groups = await Promise.all(
    talkers.map(async ({ id }) => {
      const first = [...load.placed].find(([key]) => key.startsWith(`${id}-`))?.[1] ?? '';
      return await groupOf(ctx.db, first);
    }),
  );
  const talk = new Load(sender, []);
  loads.push(talk);
  talk.start(
    talkers.flatMap((buyer, i) => [
      talk.talk(buyer, groups[i] ?? '', TALK_MS),
      talk.talk(seller, groups[i] ?? '', TALK_MS * TALKERS),
    ]),
  );
  for (const node of NODES)
    await step(node.name, async () => {
      await servers.get(node.name)?.stop();
      const server = serverOf(node, process.cwd());
      servers.set(node.name, server);
      await server.start();
    });
  const failures = [await talk.end(), await load.end()];
  const head = `| replaced, from ${commit?.slice(0, 8)} | seconds | calls | lost | put off | longest wait (s) |`;
  const table = [head, '| --- | --: | --: | --: | --: | --: |', ...lines].join('\n');
  console.log(table);
  if (process.env.CLUSTER_TABLE) writeFileSync(process.env.CLUSTER_TABLE, `${table}\n`, { flag: 'a' });
  expect(failures).toEqual([undefined, undefined]);
  for (const [groupId, sent] of talk.sent) load.sent.set(groupId, sent);
  await expectNothingLost(ctx.db, load, buyers);
  // An event that one release delivered or the other one left has its effects.
  const effects = await deliveredEffects(ctx.db);
  expect(effects.n).toBeGreaterThan(0);
  expect(effects.missing).toBe(0);
  await ctx.close();
});
