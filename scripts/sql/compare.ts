/** Compares the columns that a statement returns with the type of its rows. */
import { ts } from 'ts-morph';
import type { Catalogue, JsKind } from './catalogue.ts';
import type { Column } from './describe.ts';

export interface Difference {
  column: string;
  what: string;
}

export interface Comparison {
  differences: Difference[];
  /** Columns typed without null of which neither the schema nor the statement says whether they can be. */
  untold: string[];
  /** Columns typed with null that can never be. */
  needless: string[];
}

/** Types that say nothing. */
const OPEN = ts.TypeFlags.Unknown | ts.TypeFlags.TypeParameter;
const NULLISH = ts.TypeFlags.Null | ts.TypeFlags.Undefined | ts.TypeFlags.Void;

const membersOf = (type: ts.Type): readonly ts.Type[] => (type.isUnion() ? type.types : [type]);

/** Flags of a type, of a branded one those of what is branded. */
function flagsOf(type: ts.Type): number {
  if (!type.isIntersection()) return type.flags;
  return type.types.reduce((flags, part) => flags | part.flags, 0);
}

const FLAGS: Readonly<Record<string, number>> = {
  number: ts.TypeFlags.NumberLike,
  string: ts.TypeFlags.StringLike,
  boolean: ts.TypeFlags.BooleanLike,
};

const NO_JSON = ts.TypeFlags.BigIntLike | ts.TypeFlags.ESSymbolLike | ts.TypeFlags.Undefined;

class TypeComparison {
  readonly #checker: ts.TypeChecker;
  readonly #at: ts.Node;

  constructor(checker: ts.TypeChecker, at: ts.Node) {
    this.#checker = checker;
    this.#at = at;
  }

  /** Whether a value of this kind is one of this type. */
  fits(type: ts.Type, kind: JsKind): boolean {
    if ((type.flags & OPEN) !== 0) return true;
    if ((type.flags & ts.TypeFlags.Any) !== 0) return false;
    const members = membersOf(type).filter((member) => (member.flags & NULLISH) === 0);
    if (members.length === 0) return true;
    return members.every((member) => this.#fitsOne(member, kind));
  }

  #fitsOne(type: ts.Type, kind: JsKind): boolean {
    if (typeof kind === 'object') {
      if (!this.#checker.isArrayLikeType(type)) return false;
      const element = this.#checker.getIndexTypeOfType(type, ts.IndexKind.Number);
      return element !== undefined && this.fits(element, kind.array);
    }
    if (kind === 'json') return (flagsOf(type) & NO_JSON) === 0 && type.symbol?.name !== 'Date';
    if (kind === 'Date' || kind === 'Buffer') return type.symbol?.name === kind || (kind === 'Buffer' && isBytes(type));
    const flags = FLAGS[kind];
    return flags === undefined ? (type.flags & ts.TypeFlags.Object) !== 0 : (flagsOf(type) & flags) !== 0;
  }

  name(type: ts.Type): string {
    return this.#checker.typeToString(type, this.#at, ts.TypeFormatFlags.NoTruncation).slice(0, 60);
  }
}

const isBytes = (type: ts.Type): boolean => type.symbol?.name === 'Uint8Array';

const kindName = (kind: JsKind): string => (typeof kind === 'object' ? `${kindName(kind.array)}[]` : kind);

/** Declaration of one column in a row type. */
interface Declared {
  types: readonly ts.Type[];
  /** Whether the column may be missing. */
  optional: boolean;
  takesNull: boolean;
}

/** The columns of a row type; of a union those of all its members, since a row is one of them. */
class RowType {
  readonly #members: readonly ts.Type[];
  readonly #checker: ts.TypeChecker;
  readonly #at: ts.Node;

  constructor(checker: ts.TypeChecker, row: ts.Type, at: ts.Node) {
    this.#checker = checker;
    this.#members = membersOf(row);
    this.#at = at;
  }

  names(): string[] {
    return [...new Set(this.#members.flatMap((member) => member.getProperties().map(({ name }) => name)))];
  }

  column(name: string): Declared | undefined {
    const found = this.#members.map((member) => this.#of(member, name));
    const present = found.filter((one) => one !== undefined);
    if (present.length === 0) return undefined;
    const types = present.map(({ type }) => type);
    const isPartial = present.length < found.length;
    return {
      types,
      optional: isPartial || present.some(({ optional }) => optional),
      takesNull: isPartial || types.some(takesNullOf),
    };
  }

  #of(member: ts.Type, name: string): { type: ts.Type; optional: boolean } | undefined {
    const property = this.#checker.getPropertyOfType(member, name);
    if (property) {
      const optional = (property.flags & ts.SymbolFlags.Optional) !== 0;
      return { type: this.#checker.getTypeOfSymbolAtLocation(property, this.#at), optional };
    }
    const type = this.#checker.getIndexTypeOfType(member, ts.IndexKind.String);
    return type && { type, optional: true };
  }
}

/** One text of a statement against its row type. */
export function compare(
  { checker, catalogue, at }: { checker: ts.TypeChecker; catalogue: Catalogue; at: ts.Node },
  row: ts.Type,
  columns: readonly Column[],
): Comparison {
  const result: Comparison = { differences: [], untold: [], needless: [] };
  const types = new TypeComparison(checker, at);
  const declaredRow = new RowType(checker, row, at);
  const differ = (column: string, what: string): void => void result.differences.push({ column, what });
  const seen = new Set<string>();
  for (const { name, type, nullness } of columns) {
    if (seen.has(name)) differ(name, 'the statement has two columns of this name');
    seen.add(name);
    const declared = declaredRow.column(name);
    if (!declared) {
      differ(name, 'the statement has this column, the type does not');
      continue;
    }
    const kind = catalogue.jsKind(type);
    const typeText = declared.types.map((one) => types.name(one)).join(' | ');
    if (!declared.types.every((one) => types.fits(one, kind)))
      differ(name, `${catalogue.typeName(type)} is read as ${kindName(kind)}, the type says ${typeText}`);
    if (!declared.takesNull && nullness === 'yes') differ(name, `may be null, the type says ${typeText}`);
    if (!declared.takesNull && nullness === 'maybe') result.untold.push(name);
    const isOpen = declared.types.some((one) => (one.flags & OPEN) !== 0);
    if (declared.takesNull && nullness === 'no' && !isOpen) result.needless.push(name);
  }
  for (const name of declaredRow.names())
    if (!seen.has(name) && declaredRow.column(name)?.optional !== true)
      differ(name, 'the type has this column, the statement does not');
  return result;
}

function takesNullOf(type: ts.Type): boolean {
  if ((type.flags & OPEN) !== 0) return true;
  return membersOf(type).some((member) => (member.flags & ts.TypeFlags.Null) !== 0);
}
