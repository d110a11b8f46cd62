/** What a command of `npm run admin` is given and answers, and how its arguments are read. */
import { parseArgs } from 'node:util';
import type { Data, Endpoint, Input } from '#contract/endpoint.ts';
import type { StaffCall } from '#server/access/call.ts';
import type { AppError } from '#server/kernel/errors.ts';

/** The back office in process: the same calls, checked and recorded in the same way, in the name of the machine's operator. */
export interface Office {
  readonly ctx: StaffCall['ctx'];
  readonly call: StaffCall;
  /** Sends a call of the back office. Throws AppError. */
  run<E extends Endpoint>(endpoint: E, input: Input<E>): Promise<Data<E>>;
}

/** What a command answers: `data` for --json, `lines` for people. A failure that was not thrown has `failed`. */
export interface Answer {
  data: unknown;
  lines: readonly string[];
  failed?: boolean;
}

/** The words behind the command's name, and its options. */
export interface Arguments {
  readonly words: readonly string[];
  /** An option's value; undefined when it was not given. */
  option(name: string): string | undefined;
  /** Throws UsageError when it was not given. */
  required(name: string): string;
  has(name: string): boolean;
  /** A word by its position. Throws UsageError when it is not there. */
  word(index: number, name: string): string;
}

export interface Command {
  /** 'staff create': the words that name it. */
  readonly name: string;
  /** What follows the name in the help. */
  readonly usage: string;
  readonly help: string;
  /** Options with a value, and those without. */
  readonly options?: readonly string[];
  readonly flags?: readonly string[];
  run(office: Office, args: Arguments): Promise<Answer>;
}

/** A command line that is not understood; exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** Reads what follows the command's name. Throws UsageError with what would be right. */
export function readArguments(command: Command, rest: readonly string[]): Arguments {
  const options = Object.fromEntries([
    ...(command.options ?? []).map((name) => [name, { type: 'string' as const }]),
    ...(command.flags ?? []).map((name) => [name, { type: 'boolean' as const }]),
  ]);
  const usage = `用法：npm run admin -- ${command.name} ${command.usage}`.trim();
  const parsed = (() => {
    try {
      return parseArgs({ args: [...rest], options, allowPositionals: true, strict: true });
    } catch (error) {
      const name = /'(--?[\w-]+)/.exec(error instanceof Error ? error.message : '')?.[1];
      throw new UsageError(`${name === undefined ? '参数有误' : `选项 ${name} 不存在，或缺少它的值`}\n${usage}`);
    }
  })();
  const values = parsed.values as Record<string, string | boolean | undefined>;
  const option = (name: string): string | undefined => {
    const value = values[name];
    return typeof value === 'string' ? value : undefined;
  };
  return {
    words: parsed.positionals,
    option,
    required(name) {
      const value = option(name);
      if (value === undefined || value.trim() === '') throw new UsageError(`缺少 --${name}\n${usage}`);
      return value;
    },
    has: (name) => values[name] === true,
    word(index, name) {
      const word = parsed.positionals[index];
      if (word === undefined) throw new UsageError(`缺少${name}\n${usage}`);
      return word;
    },
  };
}

const isWide = (char: string): boolean => char > '\u2e80';
const widthOf = (text: string): number => [...text].reduce((sum, char) => sum + (isWide(char) ? 2 : 1), 0);

/** Rows as columns that stand below each other, also with Chinese in them. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const all = [head, ...rows];
  const widths = head.map((_, i) => Math.max(...all.map((row) => widthOf(row[i] ?? ''))));
  return all.map((row) =>
    row
      .map((cell, i) => (i === row.length - 1 ? cell : cell + ' '.repeat((widths[i] ?? 0) - widthOf(cell) + 2)))
      .join('')
      .trimEnd(),
  );
}

/** A refusal with the words of the command line in place of the form's field. */
export function refusalText(error: AppError): string {
  return error.field === undefined ? error.text : `${error.text}（${error.field}）`;
}
