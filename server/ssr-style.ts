/**
 * The part of the style sheet that a page's own HTML needs (docs/decisions/460). The sheet is read once per build; a page's part is every rule
 * whose classes the page has, whatever else its selector asks for, so that it looks the same as with the whole.
 */

import { type PackedStyle, packStyle } from './ssr-gzip.ts';

/** A piece of the sheet: rules, groups of rules (`@media`, `@layer`), and what rules refer to by name (`@keyframes`, `@property`). */
type Piece =
  | { kind: 'text'; text: string }
  | { kind: 'rule'; text: string; alternatives: readonly (readonly string[])[] }
  | { kind: 'group'; head: string; pieces: readonly Piece[] }
  | { kind: 'named'; text: string; name: string };

const COMMENT = /\/\*[\s\S]*?\*\//g;
const GROUP = /^@(media|supports|layer|container|starting-style)\b/;
const NAMED = /^@(?:-webkit-)?(?:keyframes|property)\s+([\w-]+)/;

/** The index behind the string or comment that begins at `i`, or `i` where none does. */
function skipText(css: string, i: number): number {
  const sign = css[i];
  if (sign === '/' && css[i + 1] === '*') return css.indexOf('*/', i + 2) + 2;
  if (sign === '\\') return i + 2;
  if (sign !== '"' && sign !== "'") return i;
  let end = i + 1;
  while (end < css.length && css[end] !== sign) end += css[end] === '\\' ? 2 : 1;
  return end + 1;
}

/** The index of the first of `signs` from `i` on, outside of strings and brackets. */
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

/** The classes that an element or its ancestors must have for one selector; those inside `:not()`, `:is()` and the like do not count. */
function classesOf(selector: string): string[] {
  let plain = '';
  for (let i = 0; i < selector.length; ) {
    if (selector[i] === '(' || selector[i] === '[') i = find(selector, i + 1, selector[i] === '(' ? ')' : ']') + 1;
    else {
      const end = selector[i] === '\\' ? i + 2 : i + 1;
      plain += selector.slice(i, end);
      i = end;
    }
  }
  const names = plain.match(/\.(?:\\.|[\w-]|[^\x00-\x7f])+/g) ?? [];
  return names.map((name) => name.slice(1).replaceAll(/\\(.)/g, '$1'));
}

function alternativesOf(selector: string): string[][] {
  const list: string[][] = [];
  for (let i = 0; i < selector.length; ) {
    const end = find(selector, i, ',');
    list.push(classesOf(selector.slice(i, end)));
    i = end + 1;
  }
  return list;
}

/** Reads a sheet. Rules inside rules stay part of the outer one. */
function parse(css: string): Piece[] {
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
    if (GROUP.test(head)) pieces.push({ kind: 'group', head, pieces: parse(body) });
    else if (name !== undefined) pieces.push({ kind: 'named', text, name });
    else if (head.startsWith('@')) pieces.push({ kind: 'text', text });
    else pieces.push({ kind: 'rule', text, alternatives: alternativesOf(head) });
    i = close + 1;
  }
  return pieces;
}

/** The rules of the pieces for these classes, and what they name, in the sheet's order. */
function select(pieces: readonly Piece[], has: ReadonlySet<string>, isNamed: (name: string) => boolean): string {
  let text = '';
  for (const piece of pieces) {
    if (piece.kind === 'text') text += piece.text;
    else if (piece.kind === 'named') text += isNamed(piece.name) ? piece.text : '';
    else if (piece.kind === 'group') {
      const inner = select(piece.pieces, has, isNamed);
      // An empty layer keeps its place in the order of layers.
      if (inner || piece.head.startsWith('@layer')) text += `${piece.head}{${inner}}`;
    } else if (piece.alternatives.some((classes) => classes.every((name) => has.has(name)))) text += piece.text;
  }
  return text;
}

const CLASS_ATTRIBUTE = /\sclass="([^"]*)"/g;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };
/** More routes, or more class attributes of one, than the product has: such a page gets the whole sheet. */
const MOST_ROUTES = 400;
const MOST_ATTRIBUTES = 6_000;

/** What pages of one route had so far. */
interface RouteStyle {
  attributes: Set<string>;
  classes: Set<string>;
  style: PackedStyle | undefined;
}

/** The style sheets of a build's pages. */
export class PageStyles {
  readonly #whole: PackedStyle;
  readonly #pieces: readonly Piece[];
  readonly #routes = new Map<string, RouteStyle>();

  constructor(css: string) {
    this.#whole = packStyle(css);
    this.#pieces = parse(css);
  }

  /** The whole sheet, for pages that could not load the rest. */
  get whole(): PackedStyle {
    return this.#whole;
  }

  /**
   * The style sheet of a page of `route`: what its HTML needs and what other pages of the route needed before, so that most pages find it
   * made. The whole sheet when there are too many routes or classes.
   */
  of(route: string, html: string): PackedStyle {
    const known = this.#routes.get(route) ?? { attributes: new Set(), classes: new Set(), style: undefined };
    if (known.attributes.size > MOST_ATTRIBUTES || (!this.#routes.has(route) && this.#routes.size >= MOST_ROUTES))
      return this.#whole;
    this.#routes.set(route, known);
    const before = known.classes.size;
    for (const [, attribute = ''] of html.matchAll(CLASS_ATTRIBUTE)) {
      if (known.attributes.has(attribute)) continue;
      known.attributes.add(attribute);
      const plain = attribute.replaceAll(/&(amp|lt|gt|quot|#x27);/g, (_, name: string) => ENTITIES[name] ?? '');
      for (const name of plain.split(/\s+/)) known.classes.add(name);
    }
    // The sheet that the route had before goes with the last kept page that was sent with it.
    if (!known.style || known.classes.size > before) known.style = packStyle(this.#select(known.classes));
    return known.style;
  }

  #select(classes: ReadonlySet<string>): string {
    const rules = select(this.#pieces, classes, () => false);
    return select(this.#pieces, classes, (name) => rules.includes(name));
  }
}
