import pg from 'pg';

/** One statement as the server sent it. */
export interface Statement {
  name?: string | undefined;
  text: string;
  values: unknown[];
}

/** Records every statement that this process sends to PostgreSQL until `stop`. `take` returns those since the last call. */
export function recordStatements(): { take(): Statement[]; stop(): void } {
  const prototype = pg.Client.prototype as unknown as { query: (...args: unknown[]) => unknown };
  const original = Reflect.get(prototype, 'query') as (...args: unknown[]) => unknown;
  let statements: Statement[] = [];
  prototype.query = function recorded(this: pg.Client, ...args: unknown[]): unknown {
    const [first, second] = args as [string | Statement, unknown];
    if (typeof first === 'string') statements.push({ text: first, values: Array.isArray(second) ? second : [] });
    else statements.push({ name: first.name, text: first.text, values: first.values ?? [] });
    return original.apply(this, args);
  };
  return {
    take() {
      const current = statements;
      statements = [];
      return current;
    },
    stop() {
      prototype.query = original;
    },
  };
}
