/**
 * The part of the style sheet that a page's own HTML needs (docs/decisions/460, 478). The sheet is read once per build; a page's part contains every
 * rule that may apply to it, so that it looks the same as with the whole sheet.
 */

import { type PackedStyle, packStyle } from './ssr-gzip.ts';
import { type Alternative, type Piece, readSheet, SignFinder, signsOf } from './ssr-sheet.ts';

/** The content of pages that decides which rules apply. */
interface Content {
  readonly classes: ReadonlySet<string>;
  readonly signs: ReadonlySet<string>;
  /** Custom properties referred to in the HTML itself. */
  readonly properties: ReadonlySet<string>;
}

const VARIABLE = /var\(\s*(--[\w-]+)/g;
const variablesIn = (text: string): string[] => [...text.matchAll(VARIABLE)].map(([, name = '']) => name);

const applies = ({ classes, signs, isTouch }: Alternative, page: Content): boolean =>
  !isTouch && classes.every((name) => page.classes.has(name)) && signs.every((sign) => page.signs.has(sign));

/** The pieces that may apply to a page, in the sheet's order. An empty layer keeps its position in the layer order. */
function pick(pieces: readonly Piece[], page: Content): Piece[] {
  return pieces.flatMap((piece): Piece[] => {
    if (piece.kind === 'group') {
      const inner = pick(piece.pieces, page);
      return inner.length > 0 || piece.head.startsWith('@layer') ? [{ ...piece, pieces: inner }] : [];
    }
    if (piece.kind !== 'rule') return [piece];
    const alternatives = piece.alternatives.filter((alternative) => applies(alternative, page));
    return alternatives.length > 0 ? [{ ...piece, alternatives }] : [];
  });
}

/** References made by custom properties, by name, and by all other rules. */
interface References {
  readonly ofProperties: Map<string, string[]>;
  readonly others: string[];
}

function collect(pieces: readonly Piece[], into: References): void {
  for (const piece of pieces) {
    if (piece.kind === 'group') {
      into.others.push(...(piece.head.match(/--[\w-]+/g) ?? []));
      collect(piece.pieces, into);
    } else if (piece.kind === 'rule')
      for (const { text, name } of piece.declarations) {
        if (name === undefined) into.others.push(...variablesIn(text));
        else into.ofProperties.set(name, [...(into.ofProperties.get(name) ?? []), ...variablesIn(text)]);
      }
    else if (!piece.text.startsWith('@property')) into.others.push(...variablesIn(piece.text));
  }
}

/** The custom properties whose values are used by the page. */
function usedProperties(pieces: readonly Piece[], page: Content): Set<string> {
  const references: References = { ofProperties: new Map(), others: [...page.properties] };
  collect(pieces, references);
  const used = new Set<string>();
  for (const open = references.others; open.length > 0; ) {
    const name = open.pop() ?? '';
    if (used.has(name)) continue;
    used.add(name);
    open.push(...(references.ofProperties.get(name) ?? []));
  }
  return used;
}

/** The text of the pieces without unused custom properties and without named definitions that `isNamed` does not know. */
function textOf(pieces: readonly Piece[], used: ReadonlySet<string>, isNamed: (name: string) => boolean): string {
  let text = '';
  for (const piece of pieces) {
    if (piece.kind === 'text') text += piece.text;
    else if (piece.kind === 'named')
      text += (piece.name.startsWith('--') ? used.has(piece.name) : isNamed(piece.name)) ? piece.text : '';
    else if (piece.kind === 'group') {
      const inner = textOf(piece.pieces, used, isNamed);
      if (inner || piece.head.startsWith('@layer')) text += `${piece.head}{${inner}}`;
    } else {
      const kept = piece.declarations.filter(({ name }) => name === undefined || used.has(name));
      // Some tools write the same declaration several times in a row.
      const texts = kept.map((declaration) => declaration.text).filter((one, i, all) => one !== all[i - 1]);
      if (texts.length > 0) text += `${piece.alternatives.map((one) => one.text).join(',')}{${texts.join(';')}}`;
    }
  }
  return text;
}

const CLASS_ATTRIBUTE = ' class="';
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };
/** More routes, or more class attributes of one route, than the product has: such a page gets the whole sheet. */
const MAX_ROUTES = 400;
const MAX_ATTRIBUTES = 6_000;

/** The content that pages of one route have had so far. */
interface RouteStyle {
  attributes: Set<string>;
  classes: Set<string>;
  signs: Set<string>;
  properties: Set<string>;
  /** Finds the signs not yet found in any of them. */
  finder: SignFinder;
  style: PackedStyle | undefined;
}

/** The style sheets of a build's pages. */
export class PageStyles {
  readonly #whole: PackedStyle;
  readonly #pieces: readonly Piece[];
  readonly #signs: ReadonlySet<string>;
  /** The custom properties declared in the sheet. */
  readonly #properties: ReadonlySet<string>;
  readonly #routes = new Map<string, RouteStyle>();

  constructor(css: string) {
    this.#whole = packStyle(css);
    this.#pieces = readSheet(css);
    this.#signs = signsOf(this.#pieces);
    const references: References = { ofProperties: new Map(), others: [] };
    collect(this.#pieces, references);
    this.#properties = new Set(references.ofProperties.keys());
  }

  /** The whole sheet, for pages that could not load the rest. */
  get whole(): PackedStyle {
    return this.#whole;
  }

  /**
   * The style sheet of a page of `route`: the rules needed by its HTML and by earlier pages of the route, so that most pages find it
   * already built. The whole sheet if there are too many routes or classes.
   */
  of(route: string, html: string): PackedStyle {
    const known = this.#routes.get(route) ?? this.#newRoute();
    if (known.attributes.size > MAX_ATTRIBUTES || (!this.#routes.has(route) && this.#routes.size >= MAX_ROUTES))
      return this.#whole;
    this.#routes.set(route, known);
    const before = known.classes.size + known.signs.size + known.properties.size;
    for (let i = html.indexOf(CLASS_ATTRIBUTE); i >= 0; i = html.indexOf(CLASS_ATTRIBUTE, i + 1)) {
      const attribute = html.slice(i + CLASS_ATTRIBUTE.length, html.indexOf('"', i + CLASS_ATTRIBUTE.length));
      if (known.attributes.has(attribute)) continue;
      known.attributes.add(attribute);
      const plain = attribute.replaceAll(/&(amp|lt|gt|quot|#x27);/g, (_, name: string) => ENTITIES[name] ?? '');
      for (const name of plain.split(/\s+/)) known.classes.add(name);
    }
    // Only signs of the sheet: a URL or a text may contain any others.
    for (const name of variablesIn(html)) if (this.#properties.has(name)) known.properties.add(name);
    this.#lookForSigns(known, html);
    const after = known.classes.size + known.signs.size + known.properties.size;
    // The route's previous sheet is removed with the last cached page that was sent with it.
    if (!known.style || after > before) known.style = packStyle(this.#select(known));
    return known.style;
  }

  #newRoute(): RouteStyle {
    return {
      attributes: new Set(),
      classes: new Set(),
      signs: new Set(),
      properties: new Set(),
      finder: new SignFinder(this.#signs),
      style: undefined,
    };
  }

  #lookForSigns(known: RouteStyle, html: string): void {
    const found = known.finder.find(html);
    if (found.size === 0) return;
    for (const sign of found) known.signs.add(sign);
    known.finder = new SignFinder([...this.#signs].filter((sign) => !known.signs.has(sign)));
  }

  #select(page: Content): string {
    const pieces = pick(this.#pieces, page);
    const used = usedProperties(pieces, page);
    const rules = textOf(pieces, used, () => false);
    return textOf(pieces, used, (name) => rules.includes(name));
  }
}
