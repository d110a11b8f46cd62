/** Input, output and argument parsing of the commands of `npm run admin`. */
import { parseArgs } from 'node:util';
import type { Data, Endpoint, Input } from '#contract/endpoint.ts';
import type { StaffCall } from '#server/access/call.ts';
import type { AppError } from '#server/kernel/errors.ts';

/** The back office in process: the same calls with the same checks and records, on behalf of the machine's operator. */
export interface Office {
  readonly ctx: StaffCall['ctx'];
  readonly call: StaffCall;
  /** Sends a call to the back office. Throws AppError. */
  run<E extends Endpoint>(endpoint: E, input: Input<E>): Promise<Data<E>>;
}

/** The result of a command: `data` for --json, `lines` for people. `failed` marks a failure that was not thrown. */
export interface Answer {
  data: unknown;
  lines: readonly string[];
  failed?: boolean;
}

/** The arguments after the command's name, and its options. */
export interface Arguments {
  readonly words: readonly string[];
  /** An option's value; undefined when it was not given. */
  option(name: string): string | undefined;
  /** Throws UsageError when it was not given. */
  required(name: string): string;
  has(name: string): boolean;
  /** An argument by its position. Throws UsageError if it is missing. */
  word(index: number, name: string): string;
}

export interface Command {
  /** The words of the command's name, such as 'staff create'. */
  readonly name: string;
  /** The arguments shown after the name in the help. */
  readonly usage: string;
  readonly help: string;
  /** Options with a value, and options without. */
  readonly options?: readonly string[];
  readonly flags?: readonly string[];
  run(office: Office, args: Arguments): Promise<Answer>;
}

/** An invalid command line; exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** Parses the arguments after the command's name. Throws UsageError with the correct usage. */
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

/** Formats rows as aligned columns, including Chinese text. */
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

/** A rejection in terms of the command line instead of form fields. */
export function refusalText(error: AppError): string {
  return error.field === undefined ? error.text : `${error.text}（${error.field}）`;
}
