/** The sources as a TypeScript program, with queries for symbols, types and callers of a function. */
import { join, relative } from 'node:path';
import { Project, ts } from 'ts-morph';

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2024.d.ts'],
  types: ['node'],
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  moduleDetection: ts.ModuleDetectionKind.Force,
  resolveJsonModule: true,
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  noEmit: true,
};

/** The parsed sources below `root`, with the questions that the other parts of the check ask of the compiler. */
export class Sources {
  readonly root: string;
  readonly checker: ts.TypeChecker;
  readonly files: ts.SourceFile[];
  #calls: Map<string, ts.CallExpression[]> | undefined;

  /** `paths` are the files to read, from `root`; what they import is read with them. */
  constructor(root: string, paths: readonly string[]) {
    this.root = root;
    // Through ts-morph, which brings the compiler's own libraries along.
    const project = new Project({ compilerOptions: OPTIONS, skipAddingFilesFromTsConfig: true });
    for (const path of paths) project.addSourceFileAtPath(join(root, path));
    const program = project.getProgram().compilerObject;
    this.checker = program.getTypeChecker();
    const own = new Set(paths.map((path) => join(root, path)));
    this.files = program.getSourceFiles().filter((file) => own.has(file.fileName));
  }

  /** `path:line` of a node, from the root. */
  locationOf(node: ts.Node): string {
    const file = node.getSourceFile();
    return `${relative(this.root, file.fileName)}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
  }

  /** Resolves a name through its imports. */
  symbolOf(node: ts.Node): ts.Symbol | undefined {
    const parent = node.parent;
    const symbol = ts.isShorthandPropertyAssignment(parent)
      ? this.checker.getShorthandAssignmentValueSymbol(parent)
      : this.checker.getSymbolAtLocation(node);
    if (symbol && (symbol.flags & ts.SymbolFlags.Alias) !== 0) return this.checker.getAliasedSymbol(symbol);
    return symbol;
  }

  /** Calls of the function that `declaration` declares, is assigned to or is handed over as, anywhere in the sources. */
  callersOf(declaration: ts.SignatureDeclaration): ts.CallExpression[] {
    const name = nameOf(declaration) ?? this.#handedOverAs(declaration);
    if (!name) return [];
    const target = this.symbolOf(name)?.valueDeclaration;
    this.#calls ??= this.#indexCalls();
    const calls = this.#calls.get(name.text) ?? [];
    return calls.filter((call) => this.symbolOf(calleeName(call))?.valueDeclaration === target);
  }

  /** The parameter that a function is the argument for. */
  #handedOverAs(declaration: ts.SignatureDeclaration): ts.Identifier | undefined {
    const { parent } = declaration;
    if (!ts.isCallExpression(parent)) return undefined;
    const called = this.checker.getResolvedSignature(parent)?.declaration;
    const parameter = called?.parameters[parent.arguments.indexOf(declaration as ts.ArrowFunction)];
    return parameter && ts.isIdentifier(parameter.name) ? parameter.name : undefined;
  }

  #indexCalls(): Map<string, ts.CallExpression[]> {
    const index = new Map<string, ts.CallExpression[]>();
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node)) {
        const name = calleeName(node).getText();
        const list = index.get(name);
        if (list) list.push(node);
        else index.set(name, [node]);
      }
      ts.forEachChild(node, visit);
    };
    for (const file of this.files) visit(file);
    return index;
  }
}

const calleeName = (call: ts.CallExpression): ts.Node =>
  ts.isPropertyAccessExpression(call.expression) ? call.expression.name : call.expression;

function nameOf(declaration: ts.SignatureDeclaration): ts.Identifier | ts.PrivateIdentifier | undefined {
  const { parent, name } = declaration;
  if (name && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name))) return name;
  if (ts.isVariableDeclaration(parent) && ts.isIdentifier(parent.name)) return parent.name;
  if (ts.isPropertyAssignment(parent) && ts.isIdentifier(parent.name)) return parent.name;
  return undefined;
}

/** Whether a node is a function's body owner. */
export const isFunction = (
  node: ts.Node,
): node is ts.ArrowFunction | ts.FunctionExpression | ts.FunctionDeclaration | ts.MethodDeclaration =>
  ts.isArrowFunction(node) ||
  ts.isFunctionExpression(node) ||
  ts.isFunctionDeclaration(node) ||
  ts.isMethodDeclaration(node);

/** An expression without its parentheses, assertions and `await`. */
export function bare(node: ts.Expression): ts.Expression {
  let inner = node;
  while (
    ts.isParenthesizedExpression(inner) ||
    ts.isAsExpression(inner) ||
    ts.isSatisfiesExpression(inner) ||
    ts.isNonNullExpression(inner) ||
    ts.isAwaitExpression(inner)
  )
    inner = inner.expression;
  return inner;
}

/** Whether a node is a template with Kysely's tag `sql`. */
export const isSqlTemplate = (node: ts.Node): node is ts.TaggedTemplateExpression =>
  ts.isTaggedTemplateExpression(node) && ts.isIdentifier(node.tag) && node.tag.text === 'sql';
