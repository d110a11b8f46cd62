/**
 * A style sheet parsed into pieces, each with what a page must contain for it to apply (docs/decisions/478). Only the parts of a selector
 * outside brackets are compared with a page's HTML: classes, element names, `data-` and `aria-` attributes; the rest may match at any time.
 */

/** One of a rule's selectors and what a page must contain for it. */
export interface Alternative {
  readonly text: string;
  readonly classes: readonly string[];
  /** Signs in a page's HTML, as `SignFinder` finds them. */
  readonly signs: readonly string[];
  /** Applies only under the pointer or while pressed. */
  readonly isTouch: boolean;
}

/** A declaration of a rule; `name` is set for a custom property. */
export interface Declaration {
  readonly text: string;
  readonly name: string | undefined;
}

/** A piece of the sheet: rules, groups of rules (`@media`, `@layer`), and definitions that rules refer to by name (`@keyframes`, `@property`). */
export type Piece =
  | { kind: 'text'; text: string }
  | { kind: 'rule'; alternatives: readonly Alternative[]; declarations: readonly Declaration[] }
  | { kind: 'group'; head: string; pieces: readonly Piece[] }
  | { kind: 'named'; text: string; name: string };

const COMMENT = /\/\*[\s\S]*?\*\//g;
const GROUP = /^@(media|supports|layer|container|starting-style)\b/;
const NAMED = /^@(?:-webkit-)?(?:keyframes|property)\s+([\w-]+)/;

/** The index after the string or comment that begins at `i`, or `i` if none does. */
function skipText(css: string, i: number): number {
  const sign = css[i];
  if (sign === '/' && css[i + 1] === '*') return css.indexOf('*/', i + 2) + 2;
  if (sign === '\\') return i + 2;
  if (sign !== '"' && sign !== "'") return i;
  let end = i + 1;
  while (end < css.length && css[end] !== sign) end += css[end] === '\\' ? 2 : 1;
  return end + 1;
}

/** The index of the first of `signs` from `i` on, outside strings and brackets. */
function find(css: string, start: number, signs: string): number {
  let depth = 0;
  for (let i = start; i < css.length; ) {
    const next = skipText(css, i);
    if (next !== i) {
      i = next;
      continue;
    }
    const sign = css[i] ?? '';
    if (depth === 0 && signs.includes(sign)) return i;
    if ('([{'.includes(sign)) depth++;
    else if (')]}'.includes(sign)) depth--;
    i++;
  }
  return css.length;
}

/** The sign of elements with browser-internal parts: `input` of these types. */
const OWN_PARTS = 'type="';
const OWN_PART_TYPES = ['date', 'time', 'month', 'week', 'number', 'search', 'file'];
const OWN_PART = /::(?:-webkit-(?:date|calendar|inner-spin|outer-spin|search)|file-selector)/;
const JUDGED_ATTRIBUTE = /^((?:data|aria)-[\w-]+)(?:=["']?([\w-]*)["']?)?$/;
const ELEMENT = /(?:^|[\s>+~])([a-z][\w-]*)/gi;
const TOUCH = /(?<!:):(?:hover|active)(?![\w-])/;

/** The parts of a selector outside brackets, and the attributes it requires there. */
function outside(selector: string): { plain: string; attributes: string[] } {
  let plain = '';
  const attributes: string[] = [];
  for (let i = 0; i < selector.length; ) {
    if (selector[i] === '(' || selector[i] === '[') {
      const end = find(selector, i + 1, selector[i] === '(' ? ')' : ']');
      if (selector[i] === '[') attributes.push(selector.slice(i + 1, end));
      i = end + 1;
    } else {
      const end = selector[i] === '\\' ? i + 2 : i + 1;
      plain += selector.slice(i, end);
      i = end;
    }
  }
  return { plain, attributes };
}

/** Returns the classes, elements and attributes that a page must contain for one selector; the content of `:not()`, `:is()` and the like does not count. */
function alternativeOf(text: string): Alternative {
  const { plain, attributes } = outside(text);
  const names = plain.match(/\.(?:\\.|[\w-]|[^\x00-\x7f])+/g) ?? [];
  const elements = [...plain.replaceAll(/\\./g, '_').matchAll(ELEMENT)].map(([, name = '']) => `<${name}`);
  const judged = attributes.flatMap((attribute) => {
    const [, name, value] = JUDGED_ATTRIBUTE.exec(attribute) ?? [];
    return name === undefined ? [] : [value === undefined ? `${name}="` : `${name}="${value}"`];
  });
  return {
    text,
    classes: names.map((name) => name.slice(1).replaceAll(/\\(.)/g, '$1')),
    signs: [...elements, ...judged, ...(OWN_PART.test(plain) ? [OWN_PARTS] : [])],
    isTouch: TOUCH.test(plain),
  };
}

/** Splits a text at the signs outside brackets. */
function partsOf(text: string, sign: string): string[] {
  const parts: string[] = [];
  for (let i = 0; i < text.length; ) {
    const end = find(text, i, sign);
    // A space after `--name:` is its value.
    parts.push(text.slice(i, end).trimStart());
    i = end + 1;
  }
  return parts.filter(Boolean);
}

/** A rule with nested rules stays as it is. */
function declarationsOf(body: string): Declaration[] {
  const isNested = find(body, 0, '{') < body.length;
  const texts = isNested ? [body] : partsOf(body, ';');
  return texts.map((text) => ({ text, name: isNested ? undefined : /^(--[\w-]+)\s*:/.exec(text)?.[1] }));
}

/** Parses a sheet. Nested rules stay part of the outer rule. */
export function readSheet(css: string): Piece[] {
  const pieces: Piece[] = [];
  for (let i = 0; i < css.length; ) {
    const end = find(css, i, ';{');
    const head = css.slice(i, end).replaceAll(COMMENT, '').trim();
    if (css[end] !== '{') {
      if (head) pieces.push({ kind: 'text', text: `${head};` });
      i = end + 1;
      continue;
    }
    const close = find(css, end + 1, '}');
    const body = css.slice(end + 1, close);
    const text = `${head}{${body}}`;
    const name = NAMED.exec(head)?.[1];
    if (GROUP.test(head)) pieces.push({ kind: 'group', head, pieces: readSheet(body) });
    else if (name !== undefined) pieces.push({ kind: 'named', text, name });
    else if (head.startsWith('@')) pieces.push({ kind: 'text', text });
    else
      pieces.push({
        kind: 'rule',
        alternatives: partsOf(head, ',').map((selector) => alternativeOf(selector.trimEnd())),
        declarations: declarationsOf(body),
      });
    i = close + 1;
  }
  return pieces;
}

/** All signs required by the sheet's selectors. */
export function signsOf(pieces: readonly Piece[]): Set<string> {
  const signs = pieces.flatMap((piece) => {
    if (piece.kind === 'group') return [...signsOf(piece.pieces)];
    return piece.kind === 'rule' ? piece.alternatives.flatMap((alternative) => alternative.signs) : [];
  });
  return new Set(signs);
}

/** Element names by their first two letters; for a one-letter element the second is the character after it. */
const bucketOf = (html: string, i: number): number => html.charCodeAt(i) * 0x10000 + html.charCodeAt(i + 1);
const ENDS = ' >/';
const PREFIXES = [' aria-', ' data-', ` ${OWN_PARTS}`] as const;

/** Searches the HTML of pages for a few rare signs, in a tenth of a millisecond. */
export class SignFinder {
  readonly #elements = new Map<number, string[]>();
  readonly #attributes: readonly (readonly [prefix: string, signs: string[]])[];

  constructor(signs: Iterable<string>) {
    const all = [...signs];
    for (const name of all.filter((sign) => sign.startsWith('<')).map((sign) => sign.slice(1))) {
      const buckets = name.length > 1 ? [name] : [...ENDS].map((end) => name + end);
      for (const start of buckets) {
        const names = this.#elements.get(bucketOf(start, 0)) ?? [];
        this.#elements.set(bucketOf(start, 0), [...names, name]);
      }
    }
    this.#attributes = PREFIXES.map((prefix) => [prefix, all.filter((sign) => ` ${sign}`.startsWith(prefix))] as const);
  }

  /** The signs found in the HTML. */
  find(html: string): Set<string> {
    const found = new Set<string>();
    if (this.#elements.size > 0)
      for (let i = html.indexOf('<'); i >= 0; i = html.indexOf('<', i + 1))
        for (const name of this.#elements.get(bucketOf(html, i + 1)) ?? [])
          if (html.startsWith(name, i + 1) && ENDS.includes(html[i + 1 + name.length] ?? '')) found.add(`<${name}`);
    for (const [prefix, signs] of this.#attributes)
      if (signs.length > 0)
        for (let i = html.indexOf(prefix); i >= 0; i = html.indexOf(prefix, i + 1))
          for (const sign of signs) if (hasAttribute(html, i + 1, sign)) found.add(sign);
    return found;
  }
}

function hasAttribute(html: string, i: number, sign: string): boolean {
  if (!html.startsWith(sign, i)) return false;
  return sign !== OWN_PARTS || OWN_PART_TYPES.some((type) => html.startsWith(type, i + sign.length));
}
