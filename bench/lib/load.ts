/** A load of plain GETs that costs little itself: raw sockets, one request after the other on each. */
import { readdirSync, readFileSync } from 'node:fs';
import net from 'node:net';
import { quantile } from './stats.ts';

/** Ticks of /proc a second. */
const HERTZ = 100;

export interface LoadResult {
  perSecond: number;
  p50: number;
  p99: number;
  /** Processor milliseconds of a request. */
  serverMs: number;
  databaseMs: number;
  bytes: number;
}

function statOf(pid: string | number): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  } catch {
    return [];
  }
}

const seconds = (fields: string[], ...places: number[]): number =>
  places.reduce((sum, i) => sum + Number(fields[i] ?? 0), 0) / HERTZ;

/** Processor seconds that a process has used so far; with `tree`, its children's as well. */
export function cpuSeconds(pid: number, tree: boolean): number {
  const own = statOf(pid);
  if (!tree) return seconds(own, 11, 12);
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(statOf)
    .filter((fields) => fields[1] === String(pid));
  return seconds(own, 11, 12, 13, 14) + children.reduce((sum, fields) => sum + seconds(fields, 11, 12), 0);
}

const HEAD_END = Buffer.from('\r\n\r\n');

/** Sends requests on one connection until `next` returns none. */
function connection(
  port: number,
  next: () => string | undefined,
  done: (ms: number, bytes: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ host: '127.0.0.1', port, noDelay: true });
    let begun = 0;
    let path = '';
    let wanted = -1;
    let have = Buffer.alloc(0);
    const send = (): void => {
      const following = next();
      if (following === undefined) {
        socket.end();
        resolve();
        return;
      }
      path = following;
      begun = performance.now();
      socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
    };
    socket.on('connect', send).on('error', reject);
    socket.on('data', (part) => {
      have = have.length === 0 ? part : Buffer.concat([have, part]);
      if (wanted < 0) {
        const end = have.indexOf(HEAD_END);
        if (end < 0) return;
        const head = have.toString('latin1', 0, end);
        const length = /content-length: (\d+)/i.exec(head)?.[1];
        if (!head.startsWith('HTTP/1.1 200') || length === undefined) {
          socket.destroy();
          reject(new Error(`${path}: ${head.split('\r\n')[0]} ${have.toString('utf8', end, end + 300)}`));
          return;
        }
        wanted = end + HEAD_END.length + Number(length);
      }
      if (have.length < wanted) return;
      done(performance.now() - begun, wanted);
      have = have.subarray(wanted);
      wanted = -1;
      send();
    });
  });
}

/** Runs a load for a duration on a number of connections. */
export async function load(options: {
  port: number;
  connections: number;
  ms: number;
  path: () => string;
  server: number;
  database: number;
}): Promise<LoadResult> {
  const { port, connections, ms, path, server, database } = options;
  const times: number[] = [];
  let bytes = 0;
  const [cpu, db, start] = [cpuSeconds(server, false), cpuSeconds(database, true), performance.now()];
  const next = () => (performance.now() - start < ms ? path() : undefined);
  await Promise.all(
    Array.from({ length: connections }, () =>
      connection(port, next, (took, size) => {
        times.push(took);
        bytes += size;
      }),
    ),
  );
  const count = times.length;
  const round = (n: number, digits = 2): number => Number(n.toFixed(digits));
  return {
    perSecond: Math.round(count / ((performance.now() - start) / 1000)),
    p50: round(quantile(times, 0.5)),
    p99: round(quantile(times, 0.99)),
    serverMs: round(((cpuSeconds(server, false) - cpu) * 1000) / count, 3),
    databaseMs: round(((cpuSeconds(database, true) - db) * 1000) / count, 3),
    bytes: Math.round(bytes / count),
  };
}
