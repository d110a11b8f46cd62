/** Finds every statement of the sources: what is executed, each text that it may have, and the type that its rows are given. */
import { ts } from 'ts-morph';
import { isCommand } from '../commands.ts';
import { bare, isSqlTemplate, type Sources } from './program.ts';
import { Resolver } from './resolve.ts';
import { isFragment } from './sql-calls.ts';
import { NOWHERE, type Piece, Unresolved } from './values.ts';

/** One text of a statement, with $n for its parameters. */
export interface Variant {
  text: string;
  /** For each parameter whether TypeScript lets null through; undefined where that is not known. */
  nullable: readonly (boolean | undefined)[];
}

export interface Statement {
  /** Where it is written, `path:line`. */
  location: string;
  /** The key used by exceptions: the path and the name of the function or constant around it. */
  name: string;
  variants: Variant[];
  node: ts.Node;
  /** The type of a row; undefined when none is declared. */
  row: ts.Type | undefined;
}

export interface Findings {
  statements: Statement[];
  unresolved: { location: string; name: string; reason: string }[];
  /** Templates that no statement was found to contain. */
  loose: { location: string; name: string; node: ts.Node }[];
  /** Row types on templates that are only ever part of another one, so that nothing reads them. */
  idle: { location: string; name: string }[];
}

function variantOf(pieces: readonly Piece[]): Variant {
  const nullable: boolean[] = [];
  const text = pieces.map((piece) => {
    if (typeof piece === 'string') return piece;
    nullable.push(piece.nullable);
    return `$${nullable.length}`;
  });
  return { text: text.join(''), nullable };
}

/** The path of a node's file and the names of the functions, classes and constants around it. */
function nameOf(sources: Sources, node: ts.Node): string {
  let outermost: string | undefined;
  for (let at: ts.Node | undefined = node; at; at = at.parent) {
    const named = at as ts.Node & { name?: ts.Node };
    const owns = ts.isFunctionDeclaration(at) || ts.isVariableDeclaration(at) || ts.isClassDeclaration(at);
    if ((owns || ts.isMethodDeclaration(at)) && named.name) outermost = named.name.getText();
  }
  const path = sources.locationOf(node).replace(/:\d+$/, '');
  return outermost === undefined ? path : `${path} ${outermost}`;
}

/** T of an expression of type RawBuilder<T>; undefined for unknown. */
function rowType(checker: ts.TypeChecker, node: ts.Expression): ts.Type | undefined {
  const [row] = checker.getTypeArguments(checker.getTypeAtLocation(node) as ts.TypeReference);
  return row === undefined || (row.flags & ts.TypeFlags.Unknown) !== 0 ? undefined : row;
}

/** Whether a template is typed as rows, by a type written out in it; the type of a part such as a moment is checked where it is put in. */
const isRow = (node: ts.TaggedTemplateExpression): boolean => {
  const [type] = node.typeArguments ?? [];
  return type !== undefined && ts.isTypeLiteralNode(type);
};

const ASKING = new Set(['query', 'ask']);
const ASKED = /^(Client|ClientBase|Pool|PoolClient|NamingClient|DedicatedConnection)$/;

/** The text and the row type of a call of `pg` itself. */
function directCall(
  sources: Sources,
  node: ts.CallExpression,
): { text: ts.Expression; row: ts.Type | undefined } | undefined {
  const { checker } = sources;
  if (!ts.isPropertyAccessExpression(node.expression) || !ASKING.has(node.expression.name.text)) return undefined;
  const owner = checker.getNonNullableType(checker.getTypeAtLocation(node.expression.expression));
  if (!ASKED.test(owner.symbol?.name ?? '')) return undefined;
  const [first] = node.arguments;
  if (!first) return undefined;
  const [rowNode] = node.typeArguments ?? [];
  const inner = bare(first);
  if (!ts.isObjectLiteralExpression(inner))
    return { text: first, row: rowNode && checker.getTypeFromTypeNode(rowNode) };
  const text = inner.properties.find((p) => ts.isPropertyAssignment(p) && p.name.getText() === 'text');
  if (!text || !ts.isPropertyAssignment(text)) return undefined;
  return { text: text.initializer, row: rowNode && checker.getTypeFromTypeNode(rowNode) };
}

class Finder {
  readonly #sources: Sources;
  readonly #resolver: Resolver;
  readonly #byOrigin = new Map<ts.Node, Statement>();
  readonly #seen = new Set<ts.Node>();
  readonly #findings: Findings = { statements: [], unresolved: [], loose: [], idle: [] };

  constructor(sources: Sources) {
    this.#sources = sources;
    this.#resolver = new Resolver(sources);
  }

  run(): Findings {
    const templates: ts.TaggedTemplateExpression[] = [];
    const visit = (node: ts.Node): void => {
      if (isSqlTemplate(node)) templates.push(node);
      if (ts.isCallExpression(node)) this.#look(node);
      ts.forEachChild(node, visit);
    };
    for (const file of this.#sources.files) visit(file);
    for (const node of templates) this.#judge(node);
    this.#findings.statements.push(...this.#byOrigin.values());
    return this.#findings;
  }

  #judge(node: ts.TaggedTemplateExpression): void {
    const at = { location: this.#sources.locationOf(node), name: nameOf(this.#sources, node), node };
    if (!this.#seen.has(node)) this.#findings.loose.push(at);
    else if (!this.#byOrigin.has(node) && isRow(node)) this.#findings.idle.push(at);
  }

  #look(node: ts.CallExpression): void {
    const { checker } = this.#sources;
    const callee = node.expression;
    try {
      if (ts.isPropertyAccessExpression(callee) && callee.name.text === 'execute') {
        if (isFragment(checker, checker.getTypeAtLocation(callee.expression))) this.#executed(callee.expression);
        return;
      }
      const direct = directCall(this.#sources, node);
      if (direct) this.#asked(node, direct.text, direct.row);
    } catch (error) {
      if (!(error instanceof Unresolved)) throw error;
      const reason = `${error.message}（${this.#sources.locationOf(error.node)}）`;
      this.#findings.unresolved.push({
        location: this.#sources.locationOf(node),
        name: nameOf(this.#sources, node),
        reason,
      });
    }
  }

  #executed(expr: ts.Expression): void {
    for (const { value } of this.#resolver.evaluate(expr, NOWHERE)) {
      if (value.kind === 'absent') continue;
      if (value.kind !== 'sql') throw new Unresolved(expr, `unknown statement “${expr.getText().slice(0, 60)}”`);
      for (const node of value.templates) this.#seen.add(node);
      const { origin } = value;
      const row = ts.isExpression(origin) ? rowType(this.#sources.checker, origin) : undefined;
      this.#add(origin, variantOf(value.pieces), row);
    }
  }

  #asked(node: ts.Node, text: ts.Expression, row: ts.Type | undefined): void {
    // A command is not prepared, whatever it is about.
    const inner = bare(text);
    if (ts.isTemplateExpression(inner) && isCommand(inner.head.text)) return;
    for (const one of this.#resolver.texts(text, NOWHERE)) {
      this.#add(node, { text: one.text, nullable: [] }, row);
    }
  }

  #add(origin: ts.Node, variant: Variant, row: ts.Type | undefined): void {
    const known = this.#byOrigin.get(origin);
    if (!known) {
      const location = this.#sources.locationOf(origin);
      this.#byOrigin.set(origin, {
        location,
        name: nameOf(this.#sources, origin),
        node: origin,
        variants: [variant],
        row,
      });
    } else if (!known.variants.some(({ text }) => text === variant.text)) known.variants.push(variant);
  }
}

/** Every statement of `sources`, and what could not be followed. */
export const findStatements = (sources: Sources): Findings => new Finder(sources).run();
