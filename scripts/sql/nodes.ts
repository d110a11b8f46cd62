/** Reads PostgreSQL's own text form of an analysed query (pg_node_tree), which describe.ts fetches, into plain objects. */

export interface PgNode {
  readonly kind: string;
  readonly fields: ReadonlyMap<string, PgValue>;
}

export type PgValue = string | null | PgNode | readonly PgValue[];

const OPENING = '({[';
const CLOSING = ')}]';

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  #skip(): void {
    while (this.#text[this.#at] === ' ' || this.#text[this.#at] === '\n') this.#at += 1;
  }

  #peek(): string {
    this.#skip();
    return this.#text[this.#at] ?? '';
  }

  #word(): string {
    let word = '';
    for (; this.#at < this.#text.length; this.#at++) {
      const char = this.#text[this.#at] ?? '';
      if (char === '\\') {
        this.#at += 1;
        word += this.#text[this.#at] ?? '';
      } else if (' \n'.includes(char) || OPENING.includes(char) || CLOSING.includes(char)) break;
      else word += char;
    }
    return word;
  }

  #quoted(): string {
    let word = '';
    for (this.#at += 1; this.#text[this.#at] !== '"'; this.#at++) {
      if (this.#text[this.#at] === '\\') this.#at += 1;
      word += this.#text[this.#at] ?? '';
    }
    this.#at += 1;
    return word;
  }

  value(): PgValue {
    const char = this.#peek();
    if (char === '{') return this.#node();
    if (char === '(') return this.#list(')');
    if (char === '[') return this.#list(']');
    if (char === '"') return this.#quoted();
    const word = this.#word();
    return word === '<>' ? null : word;
  }

  #list(end: string): PgValue[] {
    this.#at += 1;
    const values: PgValue[] = [];
    while (this.#peek() !== end) values.push(this.value());
    this.#at += 1;
    return values;
  }

  #node(): PgNode {
    this.#at += 1;
    const kind = this.#word();
    const fields = new Map<string, PgValue>();
    while (this.#peek() === ':') {
      const name = this.#word().slice(1);
      fields.set(name, this.value());
      // The value of a constant is a length and its bytes: what follows until the next field belongs to it.
      while (this.#peek() !== ':' && this.#peek() !== '}') this.value();
    }
    this.#at += 1;
    return { kind, fields };
  }
}

export const readNodes = (text: string): PgValue => new Reader(text).value();

const isNode = (value: PgValue | undefined): value is PgNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A field that is a node; undefined when it is empty. */
export function nodeAt(node: PgNode, field: string): PgNode | undefined {
  const value = node.fields.get(field);
  return isNode(value) ? value : undefined;
}

/** A field that is a list of nodes. */
export function nodesAt(node: PgNode, field: string): PgNode[] {
  const value = node.fields.get(field);
  return Array.isArray(value) ? (value as readonly PgValue[]).filter(isNode) : [];
}

export function numberAt(node: PgNode, field: string): number {
  const value = node.fields.get(field);
  return typeof value === 'string' ? Number(value) : 0;
}

export function textAt(node: PgNode, field: string): string | undefined {
  const value = node.fields.get(field);
  return typeof value === 'string' ? value : undefined;
}

export const flagAt = (node: PgNode, field: string): boolean => node.fields.get(field) === 'true';

/** The members of a set of numbers, which is written `(b 1 2)`. */
export function numberSetAt(node: PgNode, field: string): number[] {
  const value = node.fields.get(field);
  return Array.isArray(value) ? (value as readonly PgValue[]).slice(1).map(Number) : [];
}

/** Lists of nodes within a list, as of VALUES. */
export function rowsAt(node: PgNode, field: string): PgNode[][] {
  const value = node.fields.get(field);
  if (!Array.isArray(value)) return [];
  return (value as readonly PgValue[]).map((row) =>
    Array.isArray(row) ? (row as readonly PgValue[]).filter(isNode) : [],
  );
}

/** The first node of a kind in nested lists; does not look inside nodes, as everyNode does. */
export function firstOf(value: PgValue | undefined, kind: string): PgNode | undefined {
  if (Array.isArray(value)) {
    for (const one of value as readonly PgValue[]) {
      const found = firstOf(one, kind);
      if (found) return found;
    }
    return undefined;
  }
  return isNode(value) && value.kind === kind ? value : undefined;
}

/** Every node of what was read, outer ones first. */
export function* everyNode(value: PgValue | undefined): Generator<PgNode> {
  if (Array.isArray(value)) {
    for (const one of value as readonly PgValue[]) yield* everyNode(one);
  } else if (isNode(value)) {
    yield value;
    for (const field of value.fields.values()) yield* everyNode(field);
  }
}
