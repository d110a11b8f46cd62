/** Names for values known only at run time, and the arguments bound to the parameters on the way to them. */
import { ts } from 'ts-morph';
import { pathOf } from './paths.ts';
import { bare, type Sources } from './program.ts';
import type { Bound, Env } from './values.ts';

/** A name for a value of the running program, the same for the same value by whatever way it is reached. */
export function canon(sources: Sources, node: ts.Node, env: Env): string {
  const inner = ts.isExpression(node) ? bare(node) : node;
  if (ts.isIdentifier(inner)) return canonName(sources, inner, env);
  if (ts.isPropertyAccessExpression(inner)) return `${canon(sources, inner.expression, env)}.${inner.name.text}`;
  const parts: string[] = [];
  inner.forEachChild((child) => void parts.push(canon(sources, child, env)));
  return parts.length === 0 ? inner.getText() : `${ts.SyntaxKind[inner.kind]}(${parts.join(' ')})`;
}

function canonName(sources: Sources, node: ts.Identifier, env: Env): string {
  const declaration = sources.symbolOf(node)?.valueDeclaration;
  return declaration ? canonDeclared(sources, declaration, node, env) : node.text;
}

function canonDeclared(sources: Sources, declaration: ts.Declaration, node: ts.Identifier, env: Env): string {
  if (ts.isBindingElement(declaration)) {
    const { root, path } = pathOf(declaration);
    return `${canonDeclared(sources, root, node, env)}.${path.join('.')}`;
  }
  if (ts.isParameter(declaration)) {
    const bound = lookup(declaration, env);
    if (bound) return 'alts' in bound ? bound.id : canon(sources, bound.expr, bound.env);
  }
  if (ts.isVariableDeclaration(declaration) && declaration.initializer) {
    const simple = bare(declaration.initializer);
    const isConst = (ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const) !== 0;
    if (isConst && (ts.isIdentifier(simple) || ts.isPropertyAccessExpression(simple)))
      return canon(sources, simple, env);
  }
  return `${node.text}@${sources.locationOf(declaration)}${env.id}`;
}

/** Returns the value of a parameter in the call that is being followed. */
export function lookup(declaration: ts.Node, env: Env): Bound | undefined {
  for (let at: Env | undefined = env; at; at = at.parent) {
    const bound = at.bound.get(declaration);
    if (bound) return bound;
  }
  return undefined;
}

/** Whether the call that is being followed is one of `fn`, so that a parameter without argument was left out. */
export function isCalledNow(fn: ts.SignatureDeclaration, env: Env): boolean {
  for (let at: Env | undefined = env; at; at = at.parent) {
    if (fn.parameters.some((parameter) => at?.bound.has(parameter) === true)) return true;
  }
  return false;
}
