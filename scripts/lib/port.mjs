/** Finds the process that listens on a port. Runs on Node 20. */
import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { PlainError } from './output.mjs';

const LISTEN = '0A';
const MAX_PORT = 65_535;

/**
 * The port that YOUSHI_PORT or PORT asks for, 3000 without them. A PORT that is not a number belongs to another program (Kubernetes sets
 * `tcp://…`) and is ignored, as server/config/config-environment.ts does. Throws PlainError for an invalid port.
 */
export function wantedPort() {
  const shared = process.env.PORT ?? '';
  const text = process.env.YOUSHI_PORT || (/^\d+$/.test(shared) ? shared : '') || '3000';
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > MAX_PORT)
    throw new PlainError(`PORT=${text} 不是端口号。\n  请填 1 到 ${MAX_PORT} 之间的数字，例如：PORT=3001 npm start`);
  return port;
}

/** Whether a server could listen on the port now, on every address. */
export function isPortFree(port) {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, exclusive: true }, () => probe.close(() => resolve(true)));
  });
}

const drawn = new Set();

/**
 * A free port that this process has not drawn before, below the range that the kernel gives to outgoing connections. With `count` the ports
 * behind it are free as well.
 */
export async function drawPort(count = 1) {
  for (;;) {
    const first = 20_000 + Math.floor(Math.random() * 12_000);
    const ports = Array.from({ length: count }, (_, n) => first + n);
    if (ports.some((port) => drawn.has(port))) continue;
    const free = await Promise.all(ports.map(isPortFree));
    if (free.includes(false)) continue;
    for (const port of ports) drawn.add(port);
    return first;
  }
}

function listeningSockets(port) {
  const inodes = new Set();
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const line of readFileSync(table, 'utf8').split('\n').slice(1)) {
      const fields = line.trim().split(/\s+/);
      const local = Number.parseInt(fields[1]?.split(':')[1] ?? '', 16);
      if (local === port && fields[3] === LISTEN) inodes.add(`socket:[${fields[9]}]`);
    }
  }
  return inodes;
}

/** The process that listens on a port, `{ pid, command }`, or undefined when the system does not tell. */
export function portHolder(port) {
  try {
    const sockets = listeningSockets(port);
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      try {
        const links = readdirSync(`/proc/${pid}/fd`).map((fd) => linkOf(`/proc/${pid}/fd/${fd}`));
        if (!links.some((link) => sockets.has(link))) continue;
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
        return { pid: Number(pid), command: command.slice(0, 120) };
      } catch {
        // Another user's process, or one that just ended.
      }
    }
  } catch {
    // Not Linux.
  }
  return undefined;
}

function linkOf(path) {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

/** The message for a person whose port is taken. */
export function portTakenMessage(port) {
  const holder = portHolder(port);
  const who = holder === undefined ? '另一个程序' : `进程 ${holder.pid}（${holder.command}）`;
  const how = holder === undefined ? `用 ss -ltnp "sport = :${port}" 可以查到是谁` : `先结束它：kill ${holder.pid}`;
  return `端口 ${port} 已被${who}占用。\n  ${how}；或换一个端口：PORT=${port + 1} npm start`;
}
