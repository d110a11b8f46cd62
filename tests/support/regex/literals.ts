/** The regular expressions of source files, found with the TypeScript parser. */
import { readFileSync } from 'node:fs';
import { ts } from 'ts-morph';

export interface Literal {
  file: string;
  line: number;
  source: string;
  flags: string;
}

/** The regular expression literals of a file, and the lines that build one from a string. */
export function literalsOf(file: string, text = readFileSync(file, 'utf8')): { literals: Literal[]; built: number[] } {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false);
  const literals: Literal[] = [];
  const built: number[] = [];
  const lineOf = (node: ts.Node) => tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      literals.push({ file, line: lineOf(node), source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    }
    if (ts.isNewExpression(node) && node.expression.getText(tree) === 'RegExp') built.push(lineOf(node));
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return { literals, built };
}
