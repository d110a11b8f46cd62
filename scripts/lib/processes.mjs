/** The processes that belong to a folder of a test run. Linux only: elsewhere nothing is found. Runs on Node 20, without packages. */
import { existsSync, readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 100;
const KILL_LIMIT_MS = 2_000;

const read = (pid, name) => readFileSync(`/proc/${pid}/${name}`, 'utf8');

/**
 * Whether a process works in the folder, has it (or a folder below) as its folder for temporary files, or keeps its data there, as the
 * PostgreSQL of a test does, which gets no environment.
 */
function belongsTo(pid, folder) {
  const isInside = (path) => path === folder || path.startsWith(`${folder}/`);
  try {
    if (isInside(readlinkSync(`/proc/${pid}/cwd`))) return true;
    const args = read(pid, 'cmdline').split('\0');
    if (args.some((arg, i) => args[i - 1] === '-D' && isInside(arg))) return true;
    return read(pid, 'environ')
      .split('\0')
      .some((entry) => entry.startsWith('TMPDIR=') && isInside(entry.slice('TMPDIR='.length)));
  } catch {
    // It has ended, or it is another user's.
    return false;
  }
}

/** The numbers of the processes that belong to a folder, without this one. */
export function processesOf(folder) {
  if (!existsSync('/proc/self/cwd')) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && belongsTo(pid, folder));
}

/** Describes a process in one line. */
function describe(pid) {
  try {
    return `${pid} ${read(pid, 'cmdline').replaceAll('\0', ' ').trim().slice(0, 100)}`;
  } catch {
    return String(pid);
  }
}

function send(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}

/** PostgreSQL waits for its clients after SIGTERM; SIGQUIT ends it immediately and still frees its shared memory. */
function endPolitely(pid) {
  let name = '';
  try {
    name = read(pid, 'comm').trim();
  } catch {
    return;
  }
  send(pid, name === 'postgres' ? 'SIGQUIT' : 'SIGTERM');
}

async function waitUntilGone(folder, limitMs) {
  const end = Date.now() + limitMs;
  while (processesOf(folder).length > 0 && Date.now() < end) await sleep(POLL_MS);
  return processesOf(folder);
}

/**
 * Ends every process that belongs to a folder, by force those that are still there after `patienceMs`. Resolves to one line for each that
 * it found.
 */
export async function endProcesses(folder, patienceMs = 5_000) {
  const found = processesOf(folder);
  const lines = found.map(describe);
  for (const pid of found) endPolitely(pid);
  for (const pid of await waitUntilGone(folder, patienceMs)) send(pid, 'SIGKILL');
  await waitUntilGone(folder, KILL_LIMIT_MS);
  return lines;
}

/** When a process began, in ticks since the machine's start; undefined when there is no such process. Tells a process from a later one with its number. */
export function startOf(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code !== 'EPERM') return undefined;
  }
  try {
    return read(pid, 'stat').split(') ').at(-1).split(' ')[19];
  } catch {
    return 'unknown';
  }
}
