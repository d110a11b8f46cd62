/**
 * `npm run bench -- overload`: what the server still gets done when FACTOR (6) times as much is asked as it can serve, and how fast the rest
 * is refused. Capacity and overload are measured in the same run, one after the other, twice, so that the figure is a ratio on any machine;
 * server, database and load share its cores. Lists are made for each asker (nothing kept), a quarter of the calls ask who is logged in, a
 * quarter for one's money. SECONDS (12) is the length of each part. `goodput` is what is served of the capacity; `perCpu` is the same for
 * each second of processor time that server and database had, which neither the load's own work nor other programs distort. A refusal's
 * time counts from when its question was due, and from when it was written (`written`).
 */
import { readdirSync, readFileSync } from 'node:fs';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { getGoodsList } from '#subjects/goods/contract/goods.ts';
import { capitalManagement, userInfo } from '#subjects/accounts/contract/user.ts';
import { serverProcess } from '#tests/support/servers/server-process.ts';
import { benchMarket } from '../lib/market.ts';
import { quantile } from '../lib/stats.ts';

const PORT = 31_884;
/** The status of a call that was never answered. */
const NO_RESPONSE = 0;
const FACTOR = Number(process.env.FACTOR ?? 6);
const SECONDS = Number(process.env.SECONDS ?? 12);
const CLOSED = 24;
const WARM_MS = 4_000;
/** A request without a response for this long is lost. */
const LOST_MS = 15_000;
const MAX_SOCKETS = 3_000;
const STEP_MS = 4;

interface Result {
  status: number;
  /** Since it was due. */
  ms: number;
  /** Since it was written. */
  writtenMs: number;
}

const TICKS_PER_SECOND = 100;

/** Processor seconds that the server and the backends of its database have had so far. */
function cpuSeconds(pid: number, dataDir: string): number {
  const postmaster = Number(readFileSync(`${dataDir}/pg/postmaster.pid`, 'utf8').split('\n')[0]);
  let ticks = 0;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      // The fields behind the program's name, which may hold spaces: state, parent, …, user and system time.
      const fields = readFileSync(`/proc/${name}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ');
      if (Number(name) === pid || Number(fields[1]) === postmaster) ticks += Number(fields[11]) + Number(fields[12]);
    } catch {
      // It has ended meanwhile.
    }
  }
  return ticks / TICKS_PER_SECOND;
}

/** Keep-alive connections, one request at a time on each; a new one is opened when all are busy. */
class Sockets {
  readonly #free: net.Socket[] = [];
  #open = 0;

  /** One request; 0 = no response. Measured from when it was due. */
  send(text: string, due: number): Promise<Result> {
    return new Promise((resolve) => {
      const socket = this.#free.pop() ?? this.#connect();
      if (!socket) {
        resolve({ status: NO_RESPONSE, ms: 0, writtenMs: 0 });
        return;
      }
      const written = performance.now();
      let head = '';
      let status = 0;
      let wanted = -1;
      let have = 0;
      const end = (isComplete: boolean): void => {
        clearTimeout(limit);
        socket.off('data', receive).off('close', lost);
        if (isComplete) this.#free.push(socket);
        else socket.destroy();
        const now = performance.now();
        resolve({ status: isComplete ? status : 0, ms: now - due, writtenMs: now - written });
      };
      const lost = (): void => end(false);
      const receive = (part: Buffer): void => {
        have += part.length;
        if (wanted < 0) {
          head += part.toString('latin1');
          const edge = head.indexOf('\r\n\r\n');
          if (edge < 0) return;
          status = Number(head.slice(9, 12));
          wanted = edge + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
        }
        if (have >= wanted) end(true);
      };
      const limit = setTimeout(lost, LOST_MS);
      socket.on('data', receive).once('close', lost);
      socket.write(text);
    });
  }

  close(): void {
    for (const socket of this.#free) socket.destroy();
  }

  #connect(): net.Socket | undefined {
    if (this.#open >= MAX_SOCKETS) return undefined;
    this.#open += 1;
    const socket = net.connect({ host: '127.0.0.1', port: PORT, noDelay: true });
    return socket.on('error', () => undefined).on('close', () => (this.#open -= 1));
  }
}

const good = (all: readonly Result[]): Result[] => all.filter(({ status }) => status === 200);
const p = (times: readonly number[], share: number): number =>
  times.length === 0 ? 0 : Math.round(quantile([...times], share));
const since = (all: readonly Result[]): number[] => all.map(({ ms }) => ms);
const sinceWritten = (all: readonly Result[]): number[] => all.map(({ writtenMs }) => writtenMs);

const market = await benchMarket({ buyers: 20 });
const server = serverProcess(
  PORT,
  { ...market.env, NODE_ENV: 'test', LIMIT_FACTOR: '100000', PUBLIC_CACHE_TTL_MS: '0' },
  'tests/support/servers/api-main.ts',
);
try {
  await market.addGoods(2_000);
  await server.start();
  let n = 0;
  const question = (): string => {
    n += 1;
    const { headers } = market.buyers[n % market.buyers.length] ?? { headers: {} };
    const lines = Object.entries<string>(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    if (n % 4 === 2) return `GET ${userInfo.path} HTTP/1.1\r\n${lines.join('')}\r\n`;
    if (n % 4 === 3) return `GET ${capitalManagement.path} HTTP/1.1\r\n${lines.join('')}\r\n`;
    return `GET ${getGoodsList.path}?gid=1&pageSize=20&minPrice=${n % 97} HTTP/1.1\r\nhost: localhost\r\n\r\n`;
  };
  const sockets = new Sockets();
  /** Capacity: throughput when each client waits for its response before the next request. */
  const capacity = async (ms: number): Promise<{ perSecond: number; all: Result[] }> => {
    const all: Result[] = [];
    const start = performance.now();
    await Promise.all(
      Array.from({ length: CLOSED }, async () => {
        while (performance.now() - start < ms) all.push(await sockets.send(question(), performance.now()));
      }),
    );
    return { perSecond: good(all).length / ((performance.now() - start) / 1000), all };
  };
  /** Calls a second, answered or not. */
  const offered = async (perSecond: number, ms: number): Promise<Result[]> => {
    const pending: Promise<Result>[] = [];
    const start = performance.now();
    while (performance.now() - start < ms) {
      const due = ((performance.now() - start) / 1000) * perSecond;
      while (pending.length < due) pending.push(sockets.send(question(), start + (pending.length / perSecond) * 1000));
      await sleep(STEP_MS);
    }
    return await Promise.all(pending);
  };
  await capacity(WARM_MS);
  for (const round of [1, 2]) {
    const spent = (): number => cpuSeconds(server.pid, market.env.DATA_DIR ?? '');
    const before = spent();
    const base = await capacity((SECONDS * 1000) / 2);
    const basePerCpu = good(base.all).length / (spent() - before);
    await sleep(1_000);
    const between = spent();
    const all = await offered(base.perSecond * FACTOR, SECONDS * 1000);
    const served = good(all);
    const servedPerCpu = served.length / (spent() - between);
    const rejected = all.filter(({ status }) => status === 503 || status === 429);
    const figures = {
      round,
      capacity: Math.round(base.perSecond),
      offered: Math.round(all.length / SECONDS),
      served: Math.round(served.length / SECONDS),
      goodput: Number((served.length / SECONDS / base.perSecond).toFixed(2)),
      perCpu: Number((servedPerCpu / basePerCpu).toFixed(2)),
      servedP50: p(since(served), 0.5),
      servedP95: p(since(served), 0.95),
      refused: rejected.length,
      refusedP50: p(since(rejected), 0.5),
      refusedP95: p(since(rejected), 0.95),
      writtenP50: p(sinceWritten(rejected), 0.5),
      writtenP95: p(sinceWritten(rejected), 0.95),
      lost: all.filter(({ status }) => status === NO_RESPONSE).length,
      odd: all.filter(({ status }) => ![NO_RESPONSE, 200, 429, 503].includes(status)).length,
    };
    console.log(JSON.stringify(figures));
    await sleep(2_000);
  }
  sockets.close();
} finally {
  await server.kill();
  await market.close();
}
process.exit(0);
