/** Running programs from scripts. Runs on Node 20. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { PlainError } from './output.mjs';

const KILL_AFTER_MS = 10_000;
const OUTPUT_LIMIT = 200_000;
/** Exit code of a script interrupted by Ctrl-C. */
const INTERRUPTED = 130;

/** Ends a whole process group: first politely, after ten seconds by force. */
export function endGroup(child) {
  const send = (signal) => {
    try {
      process.kill(-child.pid, signal);
    } catch {
      // The process group no longer exists.
    }
  };
  send('SIGTERM');
  setTimeout(() => send('SIGKILL'), KILL_AFTER_MS).unref();
}

/** The programs that `run` has started and that have not ended. */
const running = new Set();
/** Cleanup after they have ended, when this script is interrupted. */
const cleanups = new Set();
let stopping = false;

const ended = (child) =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise((resolve) => child.once('exit', resolve));

/** Ends every program that runs, cleans up and ends this script with 130. Signals that follow are ignored. */
async function stop() {
  if (stopping) return;
  stopping = true;
  for (const child of running) endGroup(child);
  await Promise.all([...running].map(ended));
  for (const cleanup of cleanups) await cleanup();
  process.exit(INTERRUPTED);
}

let listening = false;

/** Listens for signals only while there is something to end. Never stops listening in between: Node would drop a signal that has just arrived. */
function followSignals() {
  const isNeeded = running.size + cleanups.size > 0;
  if (isNeeded === listening) return;
  listening = isNeeded;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    if (listening) process.on(signal, stop);
    else process.off(signal, stop);
  }
}

/** Runs `cleanup` when this script is interrupted, after its programs have ended. Returns a function that takes it back. */
export function onInterrupt(cleanup) {
  cleanups.add(cleanup);
  followSignals();
  return () => {
    cleanups.delete(cleanup);
    followSignals();
  };
}

/**
 * Runs a program to its end, in the folder `cwd`, and collects what it says, or lets it speak directly (`show`).
 * Its whole process group is ended when the time is over or when this script has to stop.
 * Resolves to `{ code, output, timedOut }`; never resolves when this script is interrupted.
 */
export function run(command, args, { env = {}, cwd, show = false, timeoutMs = 600_000 } = {}) {
  return new Promise((resolve, reject) => {
    const stdio = show ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'];
    const child = spawn(command, args, { cwd, stdio, detached: true, env: { ...process.env, ...env } });
    let output = '';
    let timedOut = false;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text) => {
        output = (output + text).slice(-OUTPUT_LIMIT);
      });
    }
    const timer = setTimeout(() => {
      timedOut = true;
      endGroup(child);
    }, timeoutMs);
    if (child.pid !== undefined) running.add(child);
    followSignals();
    const settle = (finish) => {
      clearTimeout(timer);
      running.delete(child);
      followSignals();
      if (!stopping) finish();
    };
    child.once('error', (error) => settle(() => reject(new PlainError(`无法运行 ${command}：${error.message}`))));
    child.once('close', (code, signal) =>
      settle(() => resolve({ code: code ?? 128 + (constants.signals[signal] ?? 0), output, timedOut })),
    );
  });
}

/**
 * Why a server ended without being stopped, as a message for the console; undefined if it printed the reason itself (code 1) or exited normally.
 */
export function unexpectedEnd(code, signal) {
  if (signal === 'SIGKILL')
    return '服务器被强行结束（SIGKILL，退出码 137）：可能是内存不足（dmesg 里查 Out of memory），或有人用了 kill -9。数据库会自行恢复，重新运行 npm start 即可。';
  if (signal !== null)
    return `服务器被信号 ${signal} 结束（退出码 ${128 + (constants.signals[signal] ?? 0)}）。重新运行 npm start 即可。`;
  return code === 0 || code === 1 ? undefined : `服务器意外结束（退出码 ${code}），原因见上面的日志。`;
}

/** A second signal this soon after the first is the same keystroke. */
const SAME_SIGNAL_MS = 500;
const SETPRIV = '/usr/bin/setpriv';

/**
 * Runs the server until it ends and resolves to its exit code. It gets every signal this process gets, and a Ctrl-C
 * once: the terminal sends it to every process and npm passes it on besides, so the server has a separate session.
 * Should this process be killed, the kernel tells the server to stop.
 */
export function runUntilEnd(command, args, env) {
  return new Promise((resolve, reject) => {
    const guarded = existsSync(SETPRIV) ? [SETPRIV, '--pdeathsig', 'TERM', '--', command, ...args] : [command, ...args];
    const child = spawn(guarded[0], guarded.slice(1), {
      stdio: ['ignore', 'inherit', 'inherit'],
      detached: true,
      env: { ...process.env, ...env },
    });
    let passedOnAt = Number.NEGATIVE_INFINITY;
    const passOn = (signal) => {
      if (performance.now() - passedOnAt < SAME_SIGNAL_MS) return;
      passedOnAt = performance.now();
      child.kill(signal);
    };
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, passOn);
    process.once('exit', () => child.kill('SIGTERM'));
    // If npm is killed, it cannot pass the signal on; its disappearance is the signal.
    const parent = process.ppid;
    const watch = () => process.ppid !== parent && child.kill('SIGTERM');
    if (process.env.npm_lifecycle_event !== undefined) setInterval(watch, 1_000).unref();
    child.once('error', reject);
    let isAsked = false;
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => (isAsked = true));
    child.once('exit', (code, signal) => {
      const status = code ?? 128 + (constants.signals[signal] ?? 0);
      const message = isAsked ? undefined : unexpectedEnd(code, signal);
      if (message !== undefined) console.error(message);
      resolve(status);
    });
  });
}
