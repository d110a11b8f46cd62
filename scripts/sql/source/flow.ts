/** Follows the effects of statements on the values that expressions name: assignments, pushes, returns, each under its conditions. */
import { ts } from 'ts-morph';
import { MANY } from './conditions.ts';
import { isFunction } from './program.ts';
import { ALWAYS, type Choices, combine, type Env, type Evaluator } from './values.ts';

interface Guard {
  holds: boolean;
  when: Choices;
}

const both = (sides: readonly (readonly Guard[])[]): Guard[] =>
  combine(sides, MANY).map(({ picked, when }) => ({ holds: picked.every(({ holds }) => holds), when }));

const not = (guards: readonly Guard[]): Guard[] => guards.map(({ holds, when }) => ({ holds: !holds, when }));

/** Whether every way through a statement leaves the function or the loop. */
function leaves(statement: ts.Statement): boolean {
  if (ts.isBlock(statement)) return statement.statements.some(leaves);
  return (
    ts.isReturnStatement(statement) ||
    ts.isThrowStatement(statement) ||
    ts.isContinueStatement(statement) ||
    ts.isBreakStatement(statement)
  );
}

/** The conditions under which a node is reached within `scope`. */
function guardsOf(e: Evaluator, node: ts.Node, scope: ts.Node, env: Env): Guard[] {
  const sides: Guard[][] = [[{ holds: true, when: ALWAYS }]];
  for (let at = node; at !== scope && at.parent; at = at.parent) {
    const { parent } = at;
    if (ts.isIfStatement(parent) && at !== parent.expression) {
      const truths = e.truths(parent.expression, env);
      sides.push(at === parent.thenStatement ? truths : not(truths));
    }
    if (ts.isBlock(parent)) {
      for (const before of parent.statements) {
        if (before === at) break;
        if (ts.isIfStatement(before) && leaves(before.thenStatement)) sides.push(not(e.truths(before.expression, env)));
      }
    }
  }
  return both(sides);
}

function functionAround(node: ts.Node): ts.Node {
  let at = node;
  while (at.parent && !isFunction(at)) at = at.parent;
  return at;
}

function find<T>(scope: ts.Node, pick: (node: ts.Node) => T | undefined): T[] {
  const found: T[] = [];
  const visit = (node: ts.Node): void => {
    const one = pick(node);
    if (one !== undefined) found.push(one);
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(scope, visit);
  return found;
}

/** Values that are assigned to a variable after its declaration. */
export function assignmentsTo(
  e: Evaluator,
  declaration: ts.VariableDeclaration,
  env: Env,
): { expr: ts.Expression; when: Choices }[] {
  if ((ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const) !== 0 || !ts.isIdentifier(declaration.name))
    return [];
  const { text } = declaration.name;
  const symbol = e.sources.symbolOf(declaration.name);
  const scope = functionAround(declaration);
  const nodes = find(scope, (node) =>
    ts.isBinaryExpression(node) &&
    node.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
    ts.isIdentifier(node.left) &&
    node.left.text === text &&
    e.sources.symbolOf(node.left) === symbol
      ? node
      : undefined,
  );
  return nodes.flatMap((node) =>
    guardsOf(e, node, scope, env).flatMap(({ holds, when }) => (holds ? [{ expr: node.right, when }] : [])),
  );
}

/** Returns the values pushed onto a list, with their conditions. */
export function pushesTo(
  e: Evaluator,
  declaration: ts.VariableDeclaration,
  env: Env,
): { exprs: readonly ts.Expression[]; guards: Guard[] }[] {
  if (!ts.isIdentifier(declaration.name)) return [];
  const { text } = declaration.name;
  const scope = functionAround(declaration);
  const symbol = e.sources.symbolOf(declaration.name);
  const nodes = find(scope, (node) => {
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined;
    const { expression, name } = node.expression;
    const isPush = name.text === 'push' && ts.isIdentifier(expression) && expression.text === text;
    return isPush && e.sources.symbolOf(expression) === symbol ? node : undefined;
  });
  return nodes.map((node) => ({
    exprs: node.arguments.map((arg) => (ts.isSpreadElement(arg) ? arg.expression : arg)),
    guards: guardsOf(e, node, scope, env),
  }));
}

/** Returns the results of a function's body, with their conditions. */
export function returnsOf(
  e: Evaluator,
  body: ts.Block,
  env: Env,
): { expr: ts.Expression | undefined; when: Choices }[] {
  const statements: ts.ReturnStatement[] = [];
  const visit = (node: ts.Node): void => {
    if (isFunction(node)) return;
    if (ts.isReturnStatement(node)) statements.push(node);
    else ts.forEachChild(node, visit);
  };
  ts.forEachChild(body, visit);
  return statements.flatMap((statement) =>
    guardsOf(e, statement, body, env).flatMap(({ holds, when }) =>
      holds ? [{ expr: statement.expression, when }] : [],
    ),
  );
}
