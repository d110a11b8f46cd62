/** Possible values of an expression, as far as the text of a statement depends on it, and under which choices. */
import type { ts } from 'ts-morph';
import type { Sources } from './program.ts';

/** An assumption on one value that only the running program knows: that it is `eq`, or none of `ne`. */
interface Assumption {
  eq?: string;
  ne?: readonly string[];
}

/** Assumptions by the value that they are about. */
export type Choices = Readonly<Record<string, Assumption>>;

export const ALWAYS: Choices = {};

/** A part of a statement: text, or a parameter and whether its type permits null. */
export type Piece = string | { nullable: boolean };

/** A part of a program's environment: the arguments bound to the parameters of the functions on the way. */
export interface Env {
  readonly bound: ReadonlyMap<ts.Node, Bound>;
  readonly parent: Env | undefined;
  /** Which call this is of. */
  readonly id: string;
}

/** The value of a parameter: an expression where it was called, or values already known. */
export type Bound = { expr: ts.Expression; env: Env } | { alts: readonly Alt[]; id: string };

export type Value =
  | { kind: 'sql'; pieces: readonly Piece[]; origin: ts.Node; templates: readonly ts.Node[] }
  | { kind: 'text'; text: string }
  | { kind: 'list'; items: readonly (readonly Alt[])[] }
  | { kind: 'object'; node: ts.ObjectLiteralExpression; env: Env }
  | { kind: 'function'; node: ts.SignatureDeclaration; env: Env }
  | { kind: 'absent' }
  | { kind: 'opaque'; node: ts.Node };

/** One thing that an expression may come to. */
export interface Alt {
  value: Value;
  when: Choices;
}

/** A statement that this check cannot follow. */
export class Unresolved extends Error {
  readonly node: ts.Node;
  constructor(node: ts.Node, reason: string) {
    super(reason);
    this.node = node;
  }
}

function mergeOne(a: Assumption, b: Assumption): Assumption | undefined {
  const ne = [...new Set([...(a.ne ?? []), ...(b.ne ?? [])])];
  if (a.eq !== undefined && b.eq !== undefined && a.eq !== b.eq) return undefined;
  const eq = a.eq ?? b.eq;
  if (eq !== undefined) return ne.includes(eq) ? undefined : { eq };
  return { ne };
}

/** Both sets of assumptions together; undefined when they contradict each other. */
export function merge(a: Choices, b: Choices): Choices | undefined {
  if (a === b || b === ALWAYS) return a;
  if (a === ALWAYS) return b;
  const merged: Record<string, Assumption> = { ...a };
  for (const [key, assumption] of Object.entries(b)) {
    const known = merged[key];
    const both = known ? mergeOne(known, assumption) : assumption;
    if (!both) return undefined;
    merged[key] = both;
  }
  return merged;
}

/** The alternatives that can be under further assumptions. */
export function under(alts: readonly Alt[], when: Choices): Alt[] {
  return alts.flatMap((alt) => {
    const both = merge(alt.when, when);
    return both ? [{ value: alt.value, when: both }] : [];
  });
}

/** Up to this number all combinations are taken; above it, each alternative is taken at least once where possible. */
const FULL = 12;
/**
 * Of the alternatives of one expression never more than this, besides those with their own text or template. More than the
 * calls of any one function: a call whose arguments are dropped here is reported as SQL that nothing executes.
 */
const MOST = 200;

interface Row<T> {
  picked: T[];
  when: Choices;
}

function all<T extends { when: Choices }>(columns: readonly (readonly T[])[]): Row<T>[] {
  let rows: Row<T>[] = [{ picked: [], when: ALWAYS }];
  for (const column of columns) {
    rows = rows.flatMap((row) =>
      column.flatMap((one) => {
        const when = merge(row.when, one.when);
        return when ? [{ picked: [...row.picked, one], when }] : [];
      }),
    );
  }
  return rows;
}

/** One row that takes alternative `wanted` of column `index` and of every other column what fits, that of the same rank first. */
function rowWith<T extends { when: Choices }>(
  columns: readonly (readonly T[])[],
  index: number,
  wanted: number,
): Row<T> | undefined {
  const first = columns[index]?.[wanted];
  if (!first) return undefined;
  let { when } = first;
  const picked: T[] = [];
  for (const [at, column] of columns.entries()) {
    const order = at === index ? [first] : [column[wanted % column.length], ...column];
    const fit = order.find((one) => one && merge(when, one.when));
    if (!fit) return undefined;
    when = merge(when, fit.when) ?? when;
    picked.push(fit);
  }
  return { picked, when };
}

/**
 * Consistent picks of one alternative from each column: all of them if there are at most `full`, else enough that each alternative
 * is picked once.
 */
export function combine<T extends { when: Choices }>(columns: readonly (readonly T[])[], full = FULL): Row<T>[] {
  const product = columns.reduce((n, column) => Math.min(n * column.length, full + 1), 1);
  if (product <= full) return all(columns);
  const rows: Row<T>[] = [];
  const seen = new Set<T>();
  const ranks = Math.max(...columns.map((column) => column.length));
  for (let wanted = 0; wanted < ranks; wanted++) {
    for (const [index, column] of columns.entries()) {
      const one = column[wanted];
      if (!one || seen.has(one)) continue;
      const row = rowWith(columns, index, wanted);
      if (!row) continue;
      for (const part of row.picked) seen.add(part);
      rows.push(row);
    }
  }
  return rows;
}

const textOf = (pieces: readonly Piece[]): string =>
  pieces.map((piece) => (typeof piece === 'string' ? piece : '$')).join('');

function sameness(alt: Alt): string | undefined {
  const when = JSON.stringify(alt.when);
  if (alt.value.kind === 'sql') return `sql ${textOf(alt.value.pieces)} ${when}`;
  if (alt.value.kind === 'text') return `text ${alt.value.text} ${when}`;
  return undefined;
}

/** Alternatives without repetition, and not without end. */
export function few(alts: readonly Alt[]): Alt[] {
  const seen = new Set<string>();
  const distinct = alts.filter((alt) => {
    const key = sameness(alt);
    if (key === undefined) return true;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
  if (distinct.length <= MOST) return distinct;
  const templates = new Set<ts.Node>();
  const isFresh = (alt: Alt): boolean => {
    if (alt.value.kind === 'text') return true;
    if (alt.value.kind !== 'sql') return false;
    const before = templates.size;
    for (const node of alt.value.templates) templates.add(node);
    return templates.size > before;
  };
  const fresh = distinct.filter(isFresh);
  return [...new Set([...fresh, ...distinct.slice(0, MOST)])];
}

/** Interface between the parts of the resolver. */
export interface Evaluator {
  readonly sources: Sources;
  /** Everything that an expression may come to. Throws Unresolved. */
  evaluate(expr: ts.Expression, env: Env): Alt[];
  /** When a condition holds and when it does not. */
  truths(expr: ts.Expression, env: Env): { holds: boolean; when: Choices }[];
  /** A name for a value of the running program, the same for the same value by whatever way it is reached. */
  canon(node: ts.Node, env: Env): string;
  /** The alternatives of an expression as text. Throws Unresolved for text that only the running program knows. */
  texts(expr: ts.Expression, env: Env): { text: string; when: Choices }[];
  /** Evaluates a function call with these arguments. */
  call(fn: { node: ts.SignatureDeclaration; env: Env }, args: readonly Bound[], at: ts.Node): Alt[];
}

/** An environment in which the parameters of `declaration` are bound to `args`. */
export function bind(declaration: ts.SignatureDeclaration, args: readonly Bound[], parent: Env, id: string): Env {
  const bound = new Map<ts.Node, Bound>();
  for (const [index, parameter] of declaration.parameters.entries()) {
    const arg = args[index];
    if (arg) bound.set(parameter, arg);
  }
  return { bound, parent, id };
}

export const NOWHERE: Env = { bound: new Map(), parent: undefined, id: '' };
