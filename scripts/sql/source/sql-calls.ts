/** Evaluates Kysely's tag and its helpers, as the running program does. */
import { ts } from 'ts-morph';
import { type Alt, ALWAYS, combine, type Env, type Evaluator, few, type Piece, Unresolved } from './values.ts';

const quoted = (name: string): string =>
  name
    .split('.')
    .map((part) => `"${part.replaceAll('"', '""')}"`)
    .join('.');

/** Whether a type is one of Kysely's expressions, or may be. */
export function isFragment(checker: ts.TypeChecker, type: ts.Type): boolean {
  const parts = type.isUnion() ? type.types : [type];
  return parts.some((part) => checker.getPropertyOfType(part, 'toOperationNode') !== undefined);
}

const MAY_BE_NULL = ts.TypeFlags.Null | ts.TypeFlags.Undefined | ts.TypeFlags.Void;

function parameter(e: Evaluator, expr: ts.Expression): Piece {
  const type = e.sources.checker.getTypeAtLocation(expr);
  const parts = type.isUnion() ? type.types : [type];
  return { nullable: parts.some((part) => (part.flags & MAY_BE_NULL) !== 0) };
}

type Sql = Extract<Alt['value'], { kind: 'sql' }>;

const sqlOf = (pieces: readonly Piece[], origin: ts.Node, templates: readonly ts.Node[] = []): Sql => ({
  kind: 'sql',
  pieces,
  origin,
  templates,
});

interface SqlAlt extends Alt {
  value: Sql;
}

/** The alternatives of an interpolated expression: a fragment's own, or one parameter. */
function interpolated(e: Evaluator, expr: ts.Expression, env: Env): SqlAlt[] {
  if (!isFragment(e.sources.checker, e.sources.checker.getTypeAtLocation(expr)))
    return [{ value: sqlOf([parameter(e, expr)], expr), when: ALWAYS }];
  const alts = e.evaluate(expr, env).flatMap(({ value, when }): SqlAlt[] => {
    if (value.kind === 'sql') return [{ value, when }];
    if (value.kind === 'absent') return [];
    throw new Unresolved(expr, `unknown SQL “${expr.getText().slice(0, 60)}”`);
  });
  if (alts.length === 0) throw new Unresolved(expr, `“${expr.getText().slice(0, 60)}” has no value`);
  return alts;
}

function glued(parts: readonly SqlAlt[], between: Sql | undefined, origin: ts.Node): Sql {
  const pieces: Piece[] = [];
  const templates: ts.Node[] = [...(between?.templates ?? [])];
  for (const [index, { value }] of parts.entries()) {
    if (index > 0) pieces.push(...(between?.pieces ?? []));
    pieces.push(...value.pieces);
    templates.push(...value.templates);
  }
  return sqlOf(pieces, origin, templates);
}

/** A tagged template with everything that is interpolated in it. */
export function template(e: Evaluator, node: ts.TaggedTemplateExpression, env: Env): Alt[] {
  if (ts.isNoSubstitutionTemplateLiteral(node.template))
    return [{ value: sqlOf([node.template.text], node, [node]), when: ALWAYS }];
  const { head, templateSpans } = node.template;
  const rows = combine(templateSpans.map((span) => interpolated(e, span.expression, env)));
  return few(
    rows.map(({ picked, when }) => {
      const pieces: Piece[] = [head.text];
      const templates: ts.Node[] = [node];
      for (const [index, { value }] of picked.entries()) {
        pieces.push(...value.pieces, templateSpans[index]?.literal.text ?? '');
        templates.push(...value.templates);
      }
      return { value: sqlOf(pieces, node, templates), when };
    }),
  );
}

/** One item of a list as part of `sql.join`: a fragment, or a parameter for any other value. */
function joined(alts: readonly Alt[], at: ts.Node): SqlAlt[] {
  return alts.map(({ value, when }): SqlAlt => {
    if (value.kind === 'sql') return { value, when };
    if (value.kind === 'absent') return { value: sqlOf([], at), when };
    return { value: sqlOf([{ nullable: false }], at), when };
  });
}

function join(e: Evaluator, node: ts.CallExpression, env: Env): Alt[] {
  const [listExpr, separatorExpr] = node.arguments;
  if (!listExpr) throw new Unresolved(node, 'sql.join has no argument');
  const separators = separatorExpr
    ? interpolated(e, separatorExpr, env)
    : [{ value: sqlOf([', '], node), when: ALWAYS }];
  const alts = e.evaluate(listExpr, env).flatMap(({ value, when }): Alt[] => {
    if (value.kind === 'opaque') return [{ value: sqlOf([{ nullable: false }], node), when }];
    if (value.kind !== 'list') throw new Unresolved(listExpr, `unknown list of SQL “${listExpr.getText()}”`);
    const columns = [separators, [{ value: sqlOf([], node), when }], ...value.items.map((item) => joined(item, node))];
    return combine<SqlAlt>(columns).map(({ picked: [separator, , ...parts], when: under }) => {
      const present = parts.filter((part) => part.value.pieces.length > 0);
      return { value: glued(present, separator?.value, node), when: under };
    });
  });
  // Code checks for an empty list before joining it; otherwise some item has no condition.
  return few(alts.filter(({ value }) => value.kind === 'sql' && value.pieces.length > 0));
}

/** A literal that represents a value of this type. */
function sample(type: ts.Type): string {
  if ((type.flags & ts.TypeFlags.NumberLike) !== 0) return '1';
  if ((type.flags & ts.TypeFlags.BooleanLike) !== 0) return 'true';
  return "'x'";
}

function literal(e: Evaluator, expr: ts.Expression, env: Env): Alt[] {
  const type = e.sources.checker.getTypeAtLocation(expr);
  if ((type.flags & ts.TypeFlags.StringLike) === 0) {
    const known = type.isNumberLiteral() ? String(type.value) : sample(type);
    return [{ value: sqlOf([known], expr), when: ALWAYS }];
  }
  const known = type.isStringLiteral() ? e.texts(expr, env) : [];
  if (known.length === 0) return [{ value: sqlOf([sample(type)], expr), when: ALWAYS }];
  return known.map(({ text, when }) => ({ value: sqlOf([`'${text.replaceAll("'", "''")}'`], expr), when }));
}

/** The result of `sql.raw`, `sql.join` and their like; undefined when `node` is none of them. */
export function helper(e: Evaluator, node: ts.CallExpression, env: Env): Alt[] | undefined {
  const callee = node.expression;
  if (!ts.isPropertyAccessExpression(callee) || !ts.isIdentifier(callee.expression)) return undefined;
  if (callee.expression.text !== 'sql') return undefined;
  const [first] = node.arguments;
  if (!first) throw new Unresolved(node, 'no argument');
  const named = (): Alt[] =>
    e.texts(first, env).map(({ text, when }) => ({ value: sqlOf([quoted(text)], node), when }));
  switch (callee.name.text) {
    case 'raw':
      return e.texts(first, env).map(({ text, when }) => ({ value: sqlOf([text], node, [node]), when }));
    case 'ref':
    case 'table':
    case 'id':
      return named();
    case 'lit':
      return literal(e, first, env);
    case 'join':
      return join(e, node, env);
    case 'val':
      return [{ value: sqlOf([parameter(e, first)], node), when: ALWAYS }];
    default:
      throw new Unresolved(node, `unknown sql.${callee.name.text}`);
  }
}
