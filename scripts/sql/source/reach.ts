/** Tells the values that can reach the text of a statement from all others, which need not be followed. */
import { ts } from 'ts-morph';
import { isFragment } from './sql-calls.ts';

const isText = (type: ts.Type): boolean =>
  (type.isUnion() ? type.types : [type]).every(
    ({ flags }) => (flags & (ts.TypeFlags.StringLike | ts.TypeFlags.Undefined)) !== 0,
  );

/** An object with at most this number of entries, all texts, is taken for parts of a statement. */
const FEW = 4;

/** Whether values of a type can reach the text of a statement: fragments, texts, and what holds or makes them. */
export function matters(checker: ts.TypeChecker, type: ts.Type): boolean {
  const parts = type.isUnion() ? type.types : [type];
  return parts.some((part) => {
    if (isFragment(checker, part)) return true;
    if ((part.flags & ts.TypeFlags.StringLike) !== 0) return true;
    if ((part.flags & ts.TypeFlags.Object) === 0) return false;
    const element = checker.isArrayLikeType(part) ? checker.getIndexTypeOfType(part, ts.IndexKind.Number) : undefined;
    if (element) return literalsOf(element) !== undefined || matters(checker, element);
    const returned = part.getCallSignatures().map((signature) => signature.getReturnType());
    if (returned.length > 0) return returned.some((one) => isFragment(checker, one) || matters(checker, one));
    const indexed = checker.getIndexTypeOfType(part, ts.IndexKind.String);
    if (indexed) return matters(checker, indexed);
    const properties = part.getProperties().map((property) => checker.getTypeOfSymbol(property));
    return properties.some((one) => isFragment(checker, one)) || (properties.length <= FEW && properties.every(isText));
  });
}

/** The members of a type that is made only of literals; undefined for any other. */
export function literalsOf(type: ts.Type): string[] | undefined {
  const parts = type.isUnion() ? type.types : [type];
  const literals = parts.flatMap((part) =>
    part.isStringLiteral() || part.isNumberLiteral() ? [String(part.value)] : [],
  );
  return literals.length === parts.length ? literals : undefined;
}
