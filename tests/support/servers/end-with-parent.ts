/** Programs that a test starts and that must not outlive it, however it ends. */
import { existsSync } from 'node:fs';

const SETPRIV = '/usr/bin/setpriv';

/**
 * The command and arguments that run a program so that the kernel sends it `signal` when the process that starts it is gone. Where
 * util-linux is missing the program runs as it is.
 */
export function endWithParent(
  program: string,
  args: readonly string[],
  signal: 'KILL' | 'INT' = 'KILL',
): [string, string[]] {
  return existsSync(SETPRIV) ? [SETPRIV, ['--pdeathsig', signal, '--', program, ...args]] : [program, [...args]];
}
