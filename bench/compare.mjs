/**
 * `npm run bench -- compare FOLDER NAME [PAIRS]`: one measurement of this folder beside the same one of another checkout
 * (with its packages installed), in turn, and of each figure both medians and the median of the ratios pair by pair.
 * Settings of the measurement are given as environment variables; `DATA_DIR_OTHER` is the other checkout's `DATA_DIR`.
 */
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';

const [folder, name, pairs = '3'] = process.argv.slice(3);

const median = (values) => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};

/** Every number of the measurement's output by its path: of JSON lines, and of `name: 1.5` in a printed object. */
function figuresOf(output) {
  const figures = new Map();
  const visit = (value, path) => {
    if (typeof value === 'number') figures.set(path, value);
    else if (value !== null && typeof value === 'object')
      for (const [key, inner] of Object.entries(value)) visit(inner, path === '' ? key : `${path}.${key}`);
  };
  const start = output.search(/^\{/m);
  try {
    visit(JSON.parse(output.slice(start)), '');
    return figures;
  } catch {
    // Not one object: lines of JSON, or an object as Node prints it.
  }
  for (const line of output.split('\n')) {
    if (line.startsWith('{"')) {
      const value = JSON.parse(line);
      const label = Object.values(value).filter((part) => typeof part === 'string');
      visit(value, label.join(' '));
    }
    const printed = /^\s*(\w+): (-?[\d.]+),?$/.exec(line);
    if (printed) figures.set(printed[1], Number(printed[2]));
  }
  return figures;
}

/** Runs the measurement in one checkout. Rejects when it ends with an error. */
function measure(cwd, env) {
  return new Promise((done, failed) => {
    const child = spawn(process.execPath, ['bench/run.mjs', name], {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
    child.once('close', (code) => {
      if (code === 0) done(figuresOf(output));
      else failed(new Error(`${cwd}: ${name} ended with ${code}\n${output}`));
    });
  });
}

if (name === undefined) throw new Error('npm run bench -- compare FOLDER NAME [PAIRS]');
const here = [];
const other = [];
const otherEnv = process.env.DATA_DIR_OTHER === undefined ? {} : { DATA_DIR: process.env.DATA_DIR_OTHER };
for (let pair = 0; pair < Number(pairs); pair++) {
  other.push(await measure(resolve(folder), otherEnv));
  here.push(await measure(process.cwd(), {}));
}
const rows = [...here[0].keys()]
  .filter((key) => other.every((figures) => figures.has(key)))
  .map((key) => {
    const now = here.map((figures) => figures.get(key));
    const before = other.map((figures) => figures.get(key));
    const ratio = median(now.map((value, i) => value / before[i]));
    return { figure: key, before: median(before), now: median(now), ratio: Number(ratio.toFixed(2)) };
  });
console.table(rows);
