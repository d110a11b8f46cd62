/** One run of tests or of a measurement in a checkout: alone, with enough disk space, in a folder that is removed with every process in it. Runs on Node 20. */
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PlainError } from './output.mjs';
import { root } from './prerequisites.mjs';
import { endProcesses, startOf } from './processes.mjs';
import { onInterrupt } from './run.mjs';

/** Two markets with their logs, a build and the browsers' profiles. */
const NEEDED_BYTES = 3_000_000_000;
const LOCK = join(root, 'node_modules/.cache/youshi/run.lock');
const REMOVE = { recursive: true, force: true, maxRetries: 5, retryDelay: 200 };

const gigabytes = (bytes) => `${(bytes / 1e9).toFixed(1)} GB`;

/**
 * Refuses to begin without disk space: a database on a full disk fails in the middle, with errors that do not name the cause.
 * @throws PlainError that names the folder
 */
export function checkSpace(neededBytes = NEEDED_BYTES, folders = [root, tmpdir()]) {
  for (const folder of folders) {
    const { bavail, bsize } = statfsSync(folder);
    if (bavail * bsize >= neededBytes) continue;
    throw new PlainError(
      `Not enough disk space in ${folder}: ${gigabytes(bavail * bsize)} free, ${gigabytes(neededBytes)} needed.` +
        ' Free some, or set TMPDIR to a folder on another disk.',
    );
  }
}

function holderOf(lockFile) {
  try {
    return JSON.parse(readFileSync(lockFile, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Removes what a run that was killed left behind. */
async function clearRemains({ folder }) {
  if (folder === undefined) return;
  await endProcesses(folder);
  rmSync(folder, REMOVE);
}

async function takeLock(lockFile, mine) {
  mkdirSync(dirname(lockFile), { recursive: true });
  for (;;) {
    try {
      writeFileSync(lockFile, JSON.stringify(mine), { flag: 'wx' });
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const holder = holderOf(lockFile);
    if (holder !== undefined && startOf(holder.pid) === holder.start) {
      throw new PlainError(
        `Another run holds this checkout: process ${holder.pid} (${holder.command}), since ${holder.since}.` +
          ` Wait for it, or end it with: kill ${holder.pid}`,
      );
    }
    if (holder !== undefined) await clearRemains(holder);
    rmSync(lockFile, { force: true });
  }
}

/**
 * Begins a run: takes the checkout's lock and makes a folder. Resolves to `{ folder, close }`. `close` ends the processes that belong to
 * the folder, removes it, gives the lock back and resolves to a line for each process it had to end; Ctrl-C does the same and ends with 130.
 * @throws PlainError when another run holds the lock or the disk is nearly full
 */
export async function openSession({ command, lockFile = LOCK, neededBytes = NEEDED_BYTES }) {
  checkSpace(neededBytes);
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'youshi-run-'));
  // Open to the user the database runs as when the tests run as root.
  chmodSync(folder, 0o755);
  const mine = { pid: process.pid, start: startOf(process.pid), command, since: new Date().toISOString(), folder };
  try {
    await takeLock(lockFile, mine);
  } catch (error) {
    rmSync(folder, REMOVE);
    throw error;
  }
  // Temporary files of this script and its modules belong to the run as well.
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  const close = async () => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    const left = await endProcesses(folder);
    rmSync(folder, REMOVE);
    rmSync(lockFile, { force: true });
    forget();
    return left;
  };
  const forget = onInterrupt(async () => {
    await close();
    console.error('\nInterrupted: this run proves nothing.');
  });
  return { folder, close };
}
