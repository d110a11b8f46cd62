/** Derives facts from the program's conditions about the values that a statement depends on. */
import { ts } from 'ts-morph';
import { bare } from './program.ts';
import { isFragment } from './sql-calls.ts';
import { ALWAYS, type Alt, type Choices, combine, type Env, type Evaluator, Unresolved } from './values.ts';

export interface Truth {
  holds: boolean;
  when: Choices;
}

const UNKNOWN = 'undefined';
/** Largest number of cases of conditions that are distinguished. */
export const MANY = 150;

const assume = (key: string, holds: Choices[string], fails: Choices[string]): Truth[] => [
  { holds: true, when: { [key]: holds } },
  { holds: false, when: { [key]: fails } },
];

function evaluated(e: Evaluator, expr: ts.Expression, env: Env): Alt[] {
  try {
    return e.evaluate(expr, env);
  } catch (error) {
    if (!(error instanceof Unresolved)) throw error;
    return [{ value: { kind: 'opaque', node: expr }, when: ALWAYS }];
  }
}

/** The text that a literal, an enum member or an absent value compares as; undefined for any other. */
function constant(e: Evaluator, expr: ts.Expression): string | undefined {
  if (expr.kind === ts.SyntaxKind.NullKeyword) return UNKNOWN;
  if (ts.isIdentifier(expr) && expr.text === 'undefined') return UNKNOWN;
  if (expr.kind === ts.SyntaxKind.TrueKeyword) return 'true';
  if (expr.kind === ts.SyntaxKind.FalseKeyword) return 'false';
  const type = e.sources.checker.getTypeAtLocation(expr);
  if (type.isStringLiteral() || type.isNumberLiteral()) return String(type.value);
  return undefined;
}

function equality(e: Evaluator, node: ts.BinaryExpression, env: Env, equal: boolean): Truth[] {
  const left = bare(node.left);
  const right = bare(node.right);
  const rightText = constant(e, right);
  const [value, text] = rightText === undefined ? [right, constant(e, left)] : [left, rightText];
  if (text === undefined) {
    const key = e.canon(node, env);
    return assume(key, { eq: 'true' }, { eq: 'false' });
  }
  return evaluated(e, value, env).flatMap((alt): Truth[] => {
    const { kind } = alt.value;
    if (kind === 'text') return [{ holds: (alt.value.text === text) === equal, when: alt.when }];
    if (kind === 'absent') return [{ holds: (text === UNKNOWN) === equal, when: alt.when }];
    if (kind !== 'opaque') return [{ holds: (text !== UNKNOWN) === equal, when: alt.when }];
    const both = assume(e.canon(value, env), { eq: text }, { ne: [text] });
    return and([both, [{ holds: true, when: alt.when }]]).map(({ holds, when }) => ({ holds: holds === equal, when }));
  });
}

function and(sides: readonly (readonly Truth[])[]): Truth[] {
  return combine(sides, MANY).map(({ picked, when }) => ({ holds: picked.every(({ holds }) => holds), when }));
}

const not = (truths: readonly Truth[]): Truth[] => truths.map(({ holds, when }) => ({ holds: !holds, when }));

/** Returns the facts of a type guard for fragments: `isExpression(value)`. Undefined for any other call. */
function guardedTruths(e: Evaluator, node: ts.CallExpression, env: Env): Truth[] | undefined {
  const { checker } = e.sources;
  const signature = checker.getResolvedSignature(node);
  const guarded = signature && checker.getTypePredicateOfSignature(signature)?.type;
  const [arg] = node.arguments;
  if (!guarded || !arg || !isFragment(checker, guarded)) return undefined;
  return evaluated(e, arg, env).map(({ value, when }) => ({ holds: value.kind === 'sql', when }));
}

/** When `expr` holds, and when it does not. */
export function truths(e: Evaluator, expr: ts.Expression, env: Env): Truth[] {
  const node = bare(expr);
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
    return not(truths(e, node.operand, env));
  if (ts.isBinaryExpression(node)) {
    const { kind } = node.operatorToken;
    if (kind === ts.SyntaxKind.AmpersandAmpersandToken)
      return and([truths(e, node.left, env), truths(e, node.right, env)]);
    if (kind === ts.SyntaxKind.BarBarToken)
      return not(and([not(truths(e, node.left, env)), not(truths(e, node.right, env))]));
    if (kind === ts.SyntaxKind.EqualsEqualsEqualsToken) return equality(e, node, env, true);
    if (kind === ts.SyntaxKind.ExclamationEqualsEqualsToken) return equality(e, node, env, false);
    const unknown = assume(e.canon(node, env), { eq: 'true' }, { eq: 'false' });
    if (kind !== ts.SyntaxKind.InstanceOfKeyword) return unknown;
    return evaluated(e, node.left, env).flatMap(({ value, when }): Truth[] =>
      value.kind === 'sql' ? [{ holds: false, when }] : and([unknown, [{ holds: true, when }]]),
    );
  }
  const guarded = ts.isCallExpression(node) ? guardedTruths(e, node, env) : undefined;
  if (guarded) return guarded;
  return evaluated(e, node, env).flatMap(({ value, when }): Truth[] => {
    if (value.kind === 'absent') return [{ holds: false, when }];
    if (value.kind === 'text') return [{ holds: !['false', '0', ''].includes(value.text), when }];
    if (value.kind !== 'opaque') return [{ holds: true, when }];
    return and([assume(e.canon(node, env), { ne: [UNKNOWN, 'false'] }, { eq: UNKNOWN }), [{ holds: true, when }]]);
  });
}
