/** Parses JSON with the line on which each value begins, by path: `games.0.fields.2.kind`. */
export type JsonLines = { value: unknown; lines: ReadonlyMap<string, number> } | { error: string; line: number };

class SyntaxProblem extends Error {}

const SPACE = new Set([' ', '\t', '\n', '\r']);
const MAX_DEPTH = 40;
const SCALAR = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;

/** A reader of JSON by recursive descent; JSON.parse reports no positions of values, and positions of errors only in some cases. */
class Reader {
  readonly lines = new Map<string, number>();
  #at = 0;
  line = 1;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): unknown {
    const value = this.#value('', 0);
    this.#skip();
    if (this.#at < this.#text.length) throw new SyntaxProblem('结尾之后还有内容');
    return value;
  }

  #skip(): void {
    for (; SPACE.has(this.#text.charAt(this.#at)); this.#at++) if (this.#text.charAt(this.#at) === '\n') this.line++;
  }

  #takes(char: string): boolean {
    this.#skip();
    if (this.#text.charAt(this.#at) !== char) return false;
    this.#at++;
    return true;
  }

  #match(pattern: RegExp, problem: string): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found === undefined) throw new SyntaxProblem(problem);
    this.#at += found.length;
    return found;
  }

  #value(path: string, depth: number): unknown {
    this.#skip();
    this.lines.set(path, this.line);
    if (depth > MAX_DEPTH) throw new SyntaxProblem('嵌套过深');
    const char = this.#text.charAt(this.#at);
    if (char === '{') return this.#object(path, depth);
    if (char === '[') return this.#array(path, depth);
    if (char === '"') return JSON.parse(this.#match(STRING, '文字没有结束，或含有不能直接写的字符')) as string;
    return JSON.parse(this.#match(SCALAR, char === '' ? '文件不完整' : '这里应是一个值')) as unknown;
  }

  #object(path: string, depth: number): Record<string, unknown> {
    this.#at++;
    const entries = new Map<string, unknown>();
    if (this.#takes('}')) return {};
    do {
      this.#skip();
      const key = JSON.parse(this.#match(STRING, '这里应是带引号的名称')) as string;
      if (entries.has(key)) throw new SyntaxProblem('同一处重复了名称');
      if (!this.#takes(':')) throw new SyntaxProblem('名称后面应有冒号');
      entries.set(key, this.#value(path === '' ? key : `${path}.${key}`, depth + 1));
    } while (this.#takes(','));
    if (!this.#takes('}')) throw new SyntaxProblem('这里应有逗号或右花括号');
    return Object.fromEntries(entries);
  }

  #array(path: string, depth: number): unknown[] {
    this.#at++;
    const items: unknown[] = [];
    if (this.#takes(']')) return items;
    do items.push(this.#value(path === '' ? String(items.length) : `${path}.${items.length}`, depth + 1));
    while (this.#takes(','));
    if (!this.#takes(']')) throw new SyntaxProblem('这里应有逗号或右方括号');
    return items;
  }
}

/** Reads JSON with the lines of its values; for text that is not JSON the line where reading stopped and why. */
export function linesOfJson(text: string): JsonLines {
  const reader = new Reader(text.startsWith('\ufeff') ? text.slice(1) : text);
  try {
    return { value: reader.whole(), lines: reader.lines };
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error;
    return { error: `不是正确的 JSON：${error.message}`, line: reader.line };
  }
}
