/** Output of the start and test scripts: one short line per step, with its duration. Runs on Node 20. */

const colour = process.stdout.isTTY && process.env.NO_COLOR === undefined;
const paint = (code, text) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);

export const green = (text) => paint(32, text);
export const red = (text) => paint(31, text);
export const dim = (text) => paint(2, text);
export const bold = (text) => paint(1, text);

let isForOperators = false;

/** Prints the steps of this script in Chinese, for operators; developers read English. Called once, before the first step. */
export function speakToOperators() {
  isForOperators = true;
}

/** The text in the language of the script's readers. */
export const inLanguage = (english, chinese) => (isForOperators ? chinese : english);

/** Seconds since a `performance.now()` reading, as text. */
export function since(begin) {
  const seconds = (performance.now() - begin) / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} ${inLanguage('s', '秒')}`;
  return `${Math.floor(seconds / 60)} ${inLanguage('min', '分')} ${Math.round(seconds % 60)} ${inLanguage('s', '秒')}`;
}

/** A failure whose message is meant for the person at the keyboard; printed without a stack. */
export class PlainError extends Error {}

/**
 * Runs one step and prints its duration. A long step reports every ten seconds that it is still running (in a terminal
 * the line counts seconds instead).
 */
export async function step(name, work) {
  const begin = performance.now();
  const inPlace = process.stdout.isTTY;
  process.stdout.write(inPlace ? `  … ${name}` : `  … ${name}\n`);
  const tick = () => {
    const text = `  … ${name} ${dim(since(begin))}`;
    process.stdout.write(inPlace ? `\r\u001b[K${text}` : `${text}\n`);
  };
  const ticker = setInterval(tick, inPlace ? 1_000 : 10_000);
  const end = (mark) => {
    clearInterval(ticker);
    process.stdout.write(`${inPlace ? '\r\u001b[K' : ''}  ${mark} ${name} ${dim(since(begin))}\n`);
  };
  try {
    const result = await work();
    end(green('✓'));
    return result;
  } catch (error) {
    end(red('✗'));
    throw error;
  }
}

/** Runs a script's main function; a plain error ends it with only its message. */
export async function main(work) {
  try {
    process.exitCode = (await work()) ?? 0;
  } catch (error) {
    console.error(error instanceof PlainError ? `\n${red('✗')} ${error.message}` : error);
    process.exitCode = 1;
  }
}
