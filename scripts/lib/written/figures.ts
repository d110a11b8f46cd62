/** Figures of the sources by folder, for docs/HOUSE.md. */
import { ts } from 'ts-morph';

/** Number of equal lines that make two places duplicates of each other. */
const WINDOW = 6;
/** A window with fewer characters than this consists of brackets and short, meaningless lines. */
const MIN_CHARACTERS = 120;
const LONG_FUNCTION = 70;

export interface Source {
  /** Path from the root of the repository. */
  path: string;
  text: string;
}

export interface FolderFigures {
  folder: string;
  files: number;
  lines: number;
  longestFile: number;
  /** Functions of more than 70 lines, blank lines and comments left out. */
  longFunctions: number;
  longestFunction: number;
  /** Runs of at least six lines that occur a second time, anywhere in the same folder. */
  duplicates: number;
  /** Numbers that something called status is compared with. */
  statusLiterals: number;
}

const isFunction = (node: ts.Node): node is ts.FunctionLikeDeclaration =>
  (ts.isFunctionDeclaration(node) ||
    ts.isFunctionExpression(node) ||
    ts.isArrowFunction(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isConstructorDeclaration(node)) &&
  node.body !== undefined;

const isComment = ({ kind }: ts.Node): boolean =>
  kind >= ts.SyntaxKind.FirstJSDocNode && kind <= ts.SyntaxKind.LastJSDocNode;

/** The numbers of the lines that hold code, from 0. */
function codeLines(file: ts.SourceFile): Set<number> {
  const lines = new Set<number>();
  const walk = (node: ts.Node): void => {
    if (node.getChildCount(file) === 0 && node.getWidth(file) > 0) {
      const first = file.getLineAndCharacterOfPosition(node.getStart(file)).line;
      const last = file.getLineAndCharacterOfPosition(node.end).line;
      for (let line = first; line <= last; line++) lines.add(line);
    }
    for (const child of node.getChildren(file)) if (!isComment(child)) walk(child);
  };
  walk(file);
  return lines;
}

function nameOf(node: ts.Expression): string {
  if (ts.isIdentifier(node)) return node.text;
  return ts.isPropertyAccessExpression(node) ? node.name.text : '';
}

const COMPARISONS: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.LessThanToken,
  ts.SyntaxKind.LessThanEqualsToken,
  ts.SyntaxKind.GreaterThanToken,
  ts.SyntaxKind.GreaterThanEqualsToken,
]);

/** Whether something called status is compared with a number. */
function comparesStatus(node: ts.Node): boolean {
  if (!ts.isBinaryExpression(node) || !COMPARISONS.has(node.operatorToken.kind)) return false;
  const sides = [node.left, node.right];
  return sides.some(ts.isNumericLiteral) && sides.some((side) => /status$/i.test(nameOf(side)));
}

interface FileFigures {
  functions: number[];
  statusLiterals: number;
  /** Lines of code without imports, trimmed. */
  code: string[];
}

function figuresOfFile({ path, text }: Source): FileFigures {
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : path.endsWith('.mjs') ? ts.ScriptKind.JS : ts.ScriptKind.TS;
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind);
  const lines = codeLines(file);
  const figures: FileFigures = { functions: [], statusLiterals: 0, code: [] };
  const lineOf = (position: number): number => file.getLineAndCharacterOfPosition(position).line;
  const walk = (node: ts.Node): void => {
    if (comparesStatus(node)) figures.statusLiterals += 1;
    if (isFunction(node)) {
      const [first, last] = [lineOf(node.getStart(file)), lineOf(node.end)];
      let count = 0;
      for (let line = first; line <= last; line++) if (lines.has(line)) count += 1;
      figures.functions.push(count);
    }
    ts.forEachChild(node, walk);
  };
  walk(file);
  for (const statement of file.statements)
    if (ts.isImportDeclaration(statement))
      for (let line = lineOf(statement.getStart(file)); line <= lineOf(statement.end); line++) lines.delete(line);
  const written = text.split('\n');
  figures.code = [...lines].toSorted((a, b) => a - b).map((line) => (written[line] ?? '').trim());
  return figures;
}

/** How many runs of lines occur elsewhere too, in any of the files. */
function duplicatesOf(files: readonly (readonly string[])[]): number {
  const windowAt = (code: readonly string[], at: number): string => code.slice(at, at + WINDOW).join('\n');
  const times = new Map<string, number>();
  for (const code of files)
    for (let at = 0; at + WINDOW <= code.length; at++) {
      const window = windowAt(code, at);
      times.set(window, (times.get(window) ?? 0) + 1);
    }
  let runs = 0;
  for (const code of files) {
    let isInRun = false;
    for (let at = 0; at + WINDOW <= code.length; at++) {
      const window = windowAt(code, at);
      const isTwice = window.length >= MIN_CHARACTERS && (times.get(window) ?? 0) > 1;
      if (isTwice && !isInRun) runs += 1;
      isInRun = isTwice;
    }
  }
  return runs;
}

/** The figures of one folder's sources. Lines are those of the files as written, functions without blank lines and comments. */
export function figuresOf(folder: string, sources: readonly Source[]): FolderFigures {
  const files = sources.map(figuresOfFile);
  const lengths = sources.map(({ text }) => text.split('\n').length - (text.endsWith('\n') ? 1 : 0));
  const functions = files.flatMap((file) => file.functions);
  return {
    folder,
    files: files.length,
    lines: lengths.reduce((sum, n) => sum + n, 0),
    longestFile: Math.max(0, ...lengths),
    longFunctions: functions.filter((n) => n > LONG_FUNCTION).length,
    longestFunction: functions.reduce((most, n) => Math.max(most, n), 0),
    duplicates: duplicatesOf(files.map(({ code }) => code)),
    statusLiterals: files.reduce((sum, file) => sum + file.statusLiterals, 0),
  };
}
