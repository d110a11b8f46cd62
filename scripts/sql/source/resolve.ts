/** Follows the sources from a statement to every text that it may have, without running them. */
import { ts } from 'ts-morph';
import { canon, isCalledNow, lookup } from './canon.ts';
import { truths } from './conditions.ts';
import { assignmentsTo, pushesTo, returnsOf } from './flow.ts';
import { absent, anyOf, arrayLiteral, listMethod, listOf, ofObject, opaque, textMethod } from './lists.ts';
import { pathOf } from './paths.ts';
import { bare, isFunction, isSqlTemplate, type Sources } from './program.ts';
import { literalsOf, matters } from './reach.ts';
import { helper, template } from './sql-calls.ts';
import {
  type Alt,
  ALWAYS,
  bind,
  type Bound,
  type Choices,
  combine,
  type Env,
  type Evaluator,
  few,
  merge,
  NOWHERE,
  under,
  Unresolved,
} from './values.ts';

/** Deeper than this a statement is not followed: it would be recursion. */
const DEEPEST = 60;

const text = (value: string): Alt => ({ value: { kind: 'text', text: value }, when: ALWAYS });

export class Resolver implements Evaluator {
  readonly sources: Sources;
  #depth = 0;
  readonly #asking = new Set<string>();

  constructor(sources: Sources) {
    this.sources = sources;
  }

  evaluate(expr: ts.Expression, env: Env): Alt[] {
    if (this.#depth > DEEPEST) throw new Unresolved(expr, 'nested too deeply');
    this.#depth += 1;
    try {
      return few(this.#expression(bare(expr), env));
    } finally {
      this.#depth -= 1;
    }
  }

  truths(expr: ts.Expression, env: Env): { holds: boolean; when: Choices }[] {
    return truths(this, expr, env);
  }

  #expression(node: ts.Expression, env: Env): Alt[] {
    if (isSqlTemplate(node)) return template(this, node, env);
    if (ts.isStringLiteralLike(node) || ts.isNumericLiteral(node)) return [text(node.text)];
    if (node.kind === ts.SyntaxKind.TrueKeyword) return [text('true')];
    if (node.kind === ts.SyntaxKind.FalseKeyword) return [text('false')];
    if (node.kind === ts.SyntaxKind.NullKeyword) return [absent(ALWAYS)];
    if (ts.isTemplateExpression(node)) return this.#templateText(node, env);
    if (ts.isConditionalExpression(node)) return this.#conditional(node, env);
    if (this.#isCondition(node)) return this.#truthText(node, env);
    if (ts.isBinaryExpression(node)) return this.#binary(node, env);
    if (ts.isArrayLiteralExpression(node)) return arrayLiteral(this, node, env);
    if (ts.isObjectLiteralExpression(node)) return [{ value: { kind: 'object', node, env }, when: ALWAYS }];
    if (isFunction(node)) return [{ value: { kind: 'function', node, env }, when: ALWAYS }];
    if (ts.isIdentifier(node)) return this.#identifier(node, env);
    if (ts.isPropertyAccessExpression(node)) return this.#property(node, env);
    if (ts.isElementAccessExpression(node)) return this.#element(node, env);
    if (ts.isCallExpression(node)) return this.#callExpression(node, env);
    return this.#known(node) ?? [opaque(node)];
  }

  /** Whether an expression compares or combines conditions, so that it is true or false. */
  #isCondition(node: ts.Expression): boolean {
    if (ts.isPrefixUnaryExpression(node)) return node.operator === ts.SyntaxKind.ExclamationToken;
    if (!ts.isBinaryExpression(node)) return false;
    const { kind } = node.operatorToken;
    if (kind === ts.SyntaxKind.EqualsEqualsEqualsToken || kind === ts.SyntaxKind.ExclamationEqualsEqualsToken)
      return true;
    if (kind !== ts.SyntaxKind.BarBarToken && kind !== ts.SyntaxKind.AmpersandAmpersandToken) return false;
    return (this.sources.checker.getTypeAtLocation(node).flags & ts.TypeFlags.BooleanLike) !== 0;
  }

  #truthText(node: ts.Expression, env: Env): Alt[] {
    return this.truths(node, env).map(({ holds, when }) => ({ ...text(String(holds)), when }));
  }

  /** The value of an expression whose type is one literal. */
  #known(node: ts.Node): Alt[] | undefined {
    const type = this.sources.checker.getTypeAtLocation(node);
    if (type.isStringLiteral() || type.isNumberLiteral()) return [text(String(type.value))];
    return undefined;
  }

  #templateText(node: ts.TemplateExpression, env: Env): Alt[] {
    const spans = node.templateSpans;
    try {
      const rows = combine(spans.map((span) => this.texts(span.expression, env)));
      return rows.map(({ picked, when }) => {
        const rest = picked.map((part, i) => part.text + (spans[i]?.literal.text ?? ''));
        return { ...text(node.head.text + rest.join('')), when };
      });
    } catch (error) {
      if (!(error instanceof Unresolved)) throw error;
      return [opaque(node)];
    }
  }

  #conditional(node: ts.ConditionalExpression, env: Env): Alt[] {
    return this.truths(node.condition, env).flatMap(({ holds, when }) =>
      under(this.evaluate(holds ? node.whenTrue : node.whenFalse, env), when),
    );
  }

  #binary(node: ts.BinaryExpression, env: Env): Alt[] {
    const { kind } = node.operatorToken;
    if (kind === ts.SyntaxKind.QuestionQuestionToken || kind === ts.SyntaxKind.BarBarToken) {
      return this.evaluate(node.left, env).flatMap((alt) => {
        if (alt.value.kind === 'absent') return under(this.evaluate(node.right, env), alt.when);
        const may = this.#mayBeAbsent(node.left);
        if (!may) return [alt];
        const key = this.canon(node.left, env);
        return [
          ...under([alt], { [key]: { ne: ['undefined'] } }),
          ...under(this.evaluate(node.right, env), merge(alt.when, { [key]: { eq: 'undefined' } }) ?? alt.when),
        ];
      });
    }
    if (kind === ts.SyntaxKind.AmpersandAmpersandToken)
      return this.truths(node.left, env).flatMap(({ holds, when }) =>
        holds ? under(this.evaluate(node.right, env), when) : [absent(when)],
      );
    return this.#arithmetic(node, env);
  }

  #mayBeAbsent(expr: ts.Expression): boolean {
    const type = this.sources.checker.getTypeAtLocation(expr);
    const parts = type.isUnion() ? type.types : [type];
    return parts.some((part) => (part.flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined)) !== 0);
  }

  #arithmetic(node: ts.BinaryExpression, env: Env): Alt[] {
    const rows = combine([this.evaluate(node.left, env), this.evaluate(node.right, env)]);
    const isNumber = (this.sources.checker.getTypeAtLocation(node).flags & ts.TypeFlags.NumberLike) !== 0;
    return rows.map(({ picked: [left, right], when }): Alt => {
      if (left?.value.kind !== 'text' || right?.value.kind !== 'text') return { ...opaque(node), when };
      const [a, b] = [left.value.text, right.value.text];
      if (!isNumber) return { ...text(a + b), when };
      const operators: Record<string, number> = {
        '+': Number(a) + Number(b),
        '-': Number(a) - Number(b),
        '*': Number(a) * Number(b),
        '/': Number(a) / Number(b),
      };
      const result = operators[node.operatorToken.getText()];
      return { ...(result === undefined ? opaque(node) : text(String(result))), when };
    });
  }

  #identifier(node: ts.Identifier, env: Env): Alt[] {
    if (node.text === 'undefined') return [absent(ALWAYS)];
    const declaration = this.sources.symbolOf(node)?.valueDeclaration;
    if (!declaration) return [opaque(node)];
    return this.#declared(declaration, node, env);
  }

  #declared(declaration: ts.Declaration, use: ts.Node, env: Env): Alt[] {
    if (isFunction(declaration)) return [{ value: { kind: 'function', node: declaration, env }, when: ALWAYS }];
    if (ts.isBindingElement(declaration)) {
      const { root, path } = pathOf(declaration);
      const alts = path.reduce((found, step) => this.#member(found, step, use, env), this.#declared(root, use, env));
      const { initializer } = declaration;
      if (!initializer) return alts;
      return alts.flatMap((alt) =>
        alt.value.kind === 'absent' ? under(this.evaluate(initializer, env), alt.when) : [alt],
      );
    }
    if (ts.isParameter(declaration)) return this.#parameter(declaration, use, env);
    if (ts.isVariableDeclaration(declaration)) return this.#variable(declaration, use, env);
    return this.#known(use) ?? [opaque(use)];
  }

  /** A variable's values; while they are being found, one that depends on itself adds nothing. */
  #variable(declaration: ts.VariableDeclaration, use: ts.Node, env: Env): Alt[] {
    const key = `${this.sources.locationOf(declaration)} ${declaration.pos} ${env.id}`;
    return this.#once(key, use, () => this.#valuesOf(declaration, use, env));
  }

  #once(key: string, use: ts.Node, find: () => Alt[]): Alt[] {
    if (this.#asking.has(key)) return [opaque(use)];
    this.#asking.add(key);
    try {
      return find();
    } finally {
      this.#asking.delete(key);
    }
  }

  #valuesOf(declaration: ts.VariableDeclaration, use: ts.Node, env: Env): Alt[] {
    const loop = declaration.parent.parent;
    if (ts.isForOfStatement(loop))
      return anyOf(this.evaluate(loop.expression, env), `loop ${this.sources.locationOf(loop)} ${env.id}`, use);
    if (!declaration.initializer && !ts.isIdentifier(declaration.name)) return [opaque(use)];
    const start = declaration.initializer ? this.evaluate(declaration.initializer, env) : [];
    const alts = [
      ...start,
      ...assignmentsTo(this, declaration, env).flatMap(({ expr, when }) => under(this.evaluate(expr, env), when)),
    ];
    if (alts.length === 0) return [opaque(use)];
    const pushes = pushesTo(this, declaration, env);
    if (pushes.length === 0) return alts;
    const more = pushes.map(({ exprs, guards }): Alt[][] =>
      exprs.map((expr) => [
        ...guards.filter(({ holds }) => holds).flatMap(({ when }) => under(this.evaluate(expr, env), when)),
        ...guards.filter(({ holds }) => !holds).map(({ when }) => absent(when)),
      ]),
    );
    return alts.map(({ value, when }) =>
      value.kind === 'list' ? { value: listOf([...value.items, ...more.flat()]), when } : { value, when },
    );
  }

  /** Returns the argument of a parameter: in the call that is being followed, else in every call that there is. */
  #parameter(declaration: ts.ParameterDeclaration, use: ts.Node, env: Env): Alt[] {
    const bound = lookup(declaration, env);
    if (bound) return 'alts' in bound ? [...bound.alts] : this.evaluate(bound.expr, bound.env);
    const fn = declaration.parent;
    if (isCalledNow(fn, env)) return this.#default(declaration, env);
    const known = this.#known(use);
    if (known) return known;
    const type = this.sources.checker.getTypeAtLocation(declaration);
    if (!matters(this.sources.checker, type)) return [opaque(use)];
    return this.#fromCallers(declaration, fn, use, env);
  }

  #default(declaration: ts.ParameterDeclaration, env: Env): Alt[] {
    return declaration.initializer ? this.evaluate(declaration.initializer, env) : [absent(ALWAYS)];
  }

  #fromCallers(declaration: ts.ParameterDeclaration, fn: ts.SignatureDeclaration, use: ts.Node, env: Env): Alt[] {
    const index = fn.parameters.indexOf(declaration);
    const key = `call of ${this.sources.locationOf(fn)} ${env.id}`;
    const list = ts.isCallExpression(fn.parent) ? fn.parent : undefined;
    if (list && ts.isPropertyAccessExpression(list.expression) && index === 0)
      return anyOf(this.evaluate(list.expression.expression, env), key, use);
    const alts = this.sources.callersOf(fn).flatMap((call, at) => {
      const arg = call.arguments[index];
      const when = { [key]: { eq: String(at) } };
      return under(arg ? this.evaluate(arg, NOWHERE) : this.#default(declaration, env), when);
    });
    return alts.length > 0 ? alts : [opaque(use)];
  }

  #property(node: ts.PropertyAccessExpression, env: Env): Alt[] {
    const known = this.#known(node);
    if (known) return known;
    if (!this.#worthFollowing(node)) return [opaque(node)];
    return this.#member(this.evaluate(node.expression, env), node.name.text, node, env);
  }

  /** Whether what is behind a property can matter to the text of a statement. */
  #worthFollowing(node: ts.Expression): boolean {
    return matters(this.sources.checker, this.sources.checker.getTypeAtLocation(node));
  }

  /** A property of what an object may be. */
  #member(alts: readonly Alt[], name: string | number, use: ts.Node, env: Env): Alt[] {
    return alts.flatMap(({ value, when }): Alt[] => {
      if (value.kind === 'list') {
        if (name === 'length') return [{ ...(value.items.length === 0 ? text('0') : opaque(use)), when }];
        return under(value.items[Number(name)] ?? [absent(ALWAYS)], when);
      }
      if (value.kind !== 'object') return [{ ...opaque(use), when }];
      const key = `${this.sources.locationOf(value.node)} ${value.node.pos} ${name} ${value.env.id}`;
      return under(
        this.#once(key, use, () => this.#memberOf(value.node, String(name), use, value.env, env)),
        when,
      );
    });
  }

  #memberOf(object: ts.ObjectLiteralExpression, name: string, use: ts.Node, own: Env, env: Env): Alt[] {
    for (const property of [...object.properties].reverse()) {
      if (ts.isSpreadAssignment(property)) {
        const found = this.#member(this.evaluate(property.expression, own), name, use, env);
        if (found.some(({ value }) => value.kind !== 'absent')) return found;
      } else if (property.name && !ts.isComputedPropertyName(property.name) && property.name.text === name) {
        if (ts.isPropertyAssignment(property)) return this.evaluate(property.initializer, own);
        if (ts.isShorthandPropertyAssignment(property)) return this.#identifier(property.name, own);
        if (ts.isMethodDeclaration(property))
          return [{ value: { kind: 'function', node: property, env: own }, when: ALWAYS }];
      }
    }
    return [absent(ALWAYS)];
  }

  #element(node: ts.ElementAccessExpression, env: Env): Alt[] {
    const known = this.#known(node);
    if (known) return known;
    const index = this.evaluate(node.argumentExpression, env);
    return this.evaluate(node.expression, env).flatMap(({ value, when }): Alt[] => {
      if (value.kind === 'opaque') return [{ ...opaque(node), when }];
      const key = this.canon(node.argumentExpression, env);
      return under(
        index.flatMap((at): Alt[] => {
          if (at.value.kind === 'text')
            return under(this.#member([{ value, when }], at.value.text, node, env), at.when);
          if (value.kind === 'list') return under(anyOf([{ value, when }], key, node), at.when);
          if (value.kind !== 'object') return [{ ...opaque(node), when }];
          const names = value.node.properties.flatMap(({ name }) =>
            name && !ts.isComputedPropertyName(name) ? [name.text] : [],
          );
          const found = names.flatMap((name) =>
            under(this.#member([{ value, when }], name, node, env), { [key]: { eq: name } }),
          );
          return this.#mayBeAbsent(node) ? [...found, absent({ [key]: { ne: names } })] : found;
        }),
        when,
      );
    });
  }

  #callExpression(node: ts.CallExpression, env: Env): Alt[] {
    const made = helper(this, node, env);
    if (made) return made;
    const callee = bare(node.expression);
    if (ts.isPropertyAccessExpression(callee)) {
      const owner = callee.expression;
      const [first] = node.arguments;
      if (ts.isIdentifier(owner) && owner.text === 'Object' && first)
        return ofObject(this, callee.name.text, this.evaluate(first, env), node);
      const found = this.#method(node, callee, env);
      if (found) return found;
    }
    if (ts.isIdentifier(callee) && callee.text === 'String' && node.arguments[0])
      return this.evaluate(node.arguments[0], env);
    const known = this.#known(node);
    if (known) return known;
    if (!this.#worthFollowing(node)) return [opaque(node)];
    return this.evaluate(callee, env).flatMap(({ value, when }) => {
      if (value.kind !== 'function') return [{ ...opaque(node), when }];
      const args = node.arguments.map((expr): Bound => ({ expr, env }));
      return under(this.call(value, args, node), when);
    });
  }

  #method(node: ts.CallExpression, callee: ts.PropertyAccessExpression, env: Env): Alt[] | undefined {
    const { checker } = this.sources;
    const owner = checker.getTypeAtLocation(callee.expression);
    const parts = owner.isUnion() ? owner.types : [owner];
    const name = callee.name.text;
    if (parts.every((part) => (part.flags & ts.TypeFlags.StringLike) !== 0)) return this.#textMethod(node, callee, env);
    if (!parts.some((part) => checker.isArrayLikeType(part))) return undefined;
    const alts = this.evaluate(callee.expression, env).map((alt) => listMethod(this, alt, { name, node, env }));
    return alts.every((found) => found !== undefined) ? alts.flat() : undefined;
  }

  #textMethod(node: ts.CallExpression, callee: ts.PropertyAccessExpression, env: Env): Alt[] {
    const args = node.arguments.map((arg) => (ts.isStringLiteralLike(arg) ? arg.text : ''));
    return this.evaluate(callee.expression, env).map(({ value, when }): Alt => {
      const made = value.kind === 'text' ? textMethod(value.text, callee.name.text, args) : undefined;
      return { ...(made ?? opaque(node)), when };
    });
  }

  call(fn: { node: ts.SignatureDeclaration; env: Env }, args: readonly Bound[], at: ts.Node): Alt[] {
    const env = bind(fn.node, args, fn.env, `${fn.env.id}>${this.sources.locationOf(at)}:${at.getStart()}`);
    const { body } = fn.node as ts.FunctionLikeDeclaration;
    if (!body) return [opaque(at)];
    if (!ts.isBlock(body)) return this.evaluate(body, env);
    return returnsOf(this, body, env).flatMap(({ expr, when }) =>
      under(expr ? this.evaluate(expr, env) : [absent(ALWAYS)], when),
    );
  }

  texts(expr: ts.Expression, env: Env): { text: string; when: Choices }[] {
    return this.evaluate(expr, env).flatMap(({ value, when }) => {
      if (value.kind === 'text') return [{ text: value.text, when }];
      if (value.kind === 'sql' && value.pieces.every((piece) => typeof piece === 'string'))
        return [{ text: value.pieces.join(''), when }];
      const type = this.sources.checker.getTypeAtLocation(expr);
      const literals = literalsOf(type);
      if (literals) {
        const key = this.canon(expr, env);
        return literals.flatMap((literal) => {
          const both = merge(when, { [key]: { eq: literal } });
          return both ? [{ text: literal, when: both }] : [];
        });
      }
      if ((type.flags & ts.TypeFlags.NumberLike) !== 0) return [{ text: '1', when }];
      throw new Unresolved(expr, `unknown text “${expr.getText().slice(0, 60)}”`);
    });
  }

  canon(node: ts.Node, env: Env): string {
    return canon(this.sources, node, env);
  }
}
