/** Reads the text of migrations: their statements, and what each does to tables that exist already. */

/** A statement of a file, without comments, with the line on which it begins. */
interface Statement {
  readonly text: string;
  readonly line: number;
}

/** Where a comment, a quoted text or a dollar-quoted body that begins at `at` ends; undefined when none begins there. */
function endOfQuoted(sql: string, at: number): number | undefined {
  const end = (mark: string, from: number): number => {
    const found = sql.indexOf(mark, from);
    return found < 0 ? sql.length : found + mark.length;
  };
  if (sql.startsWith('--', at)) return end('\n', at);
  if (sql.startsWith('/*', at)) return end('*/', at + 2);
  if (sql[at] === "'") return end("'", at + 1);
  if (sql[at] === '"') return end('"', at + 1);
  const tag = /^\$\w*\$/.exec(sql.slice(at, at + 64))?.[0];
  return tag === undefined ? undefined : end(tag, at + tag.length);
}

const isComment = (part: string): boolean => part.startsWith('--') || part.startsWith('/*');
const lineOf = (sql: string, at: number): number => sql.slice(0, at).split('\n').length;

/** The statements of a migration, in order. */
export function statementsOf(sql: string): Statement[] {
  const statements: Statement[] = [];
  let text = '';
  let begin = 0;
  for (let at = 0; at <= sql.length; ) {
    if (at === sql.length || sql[at] === ';') {
      if (text.trim() !== '') statements.push({ text: text.trim(), line: lineOf(sql, begin) });
      text = '';
      at++;
      continue;
    }
    const end = endOfQuoted(sql, at) ?? at + 1;
    const part = sql.slice(at, end);
    if (text.trim() === '' && !isComment(part) && part.trim() !== '') begin = at;
    text += isComment(part) ? ' ' : part;
    at = end;
  }
  return statements;
}

/** Which statements have to wait while it runs: all, writers, all for a moment, or none. */
export type LockKind = 'exclusive' | 'writes' | 'brief' | 'none';

export interface Effect {
  readonly table: string;
  readonly lock: LockKind;
  /** Whether it reads or rewrites the whole table while it holds the lock. */
  readonly isWhole: boolean;
  /** Why the gate rejects it on an existing table; undefined if it may run. */
  readonly problem: string | undefined;
}

const NAME = String.raw`(?:public\.)?"?(\w+)"?`;
const CREATE_INDEX = new RegExp(
  String.raw`^create\s+(?:unique\s+)?index\s+(concurrently\s+)?(?:if\s+not\s+exists\s+)?(?:\w+\s+)?on\s+(?:only\s+)?${NAME}`,
  'i',
);
const ALTER_TABLE = new RegExp(String.raw`^alter\s+table\s+(?:if\s+exists\s+)?(?:only\s+)?${NAME}\s+([\s\S]*)$`, 'i');
const CREATE_TABLE = new RegExp(String.raw`^create\s+(?:unlogged\s+)?table\s+(?:if\s+not\s+exists\s+)?${NAME}`, 'i');
const CREATE_TRIGGER = new RegExp(
  String.raw`^create\s+(?:or\s+replace\s+)?(?:constraint\s+)?trigger\s+[\s\S]*?\son\s+${NAME}`,
  'i',
);
const WRITES = new RegExp(String.raw`^(?:update|delete\s+from)\s+(?:only\s+)?${NAME}`, 'i');
const WHOLE = new RegExp(String.raw`^(?:vacuum\s+full|cluster|reindex\s+table)\s+${NAME}`, 'i');
const DO_BLOCK = /^do\s+\$/i;
/** Functions whose value is the same for all rows of a statement, so that PostgreSQL stores it once. */
const STABLE_CALLS = /\b(?:now|transaction_timestamp|statement_timestamp)\s*\(\s*\)/gi;

/** Cuts the actions of an ALTER TABLE at the commas that stand outside brackets and quotes. */
function actionsOf(text: string): string[] {
  const actions: string[] = [];
  let depth = 0;
  let action = '';
  for (let at = 0; at < text.length; ) {
    const char = text[at] ?? '';
    const end = endOfQuoted(text, at) ?? at + 1;
    if (char === '(') depth++;
    if (char === ')') depth--;
    if (char === ',' && depth === 0) {
      actions.push(action);
      action = '';
    } else action += text.slice(at, end);
    at = end;
  }
  return [...actions, action].map((one) => one.trim());
}

const withoutTexts = (sql: string): string => sql.replace(/'[^']*'/g, "''");

/** Why an added column is rejected. */
function columnRefusal(action: string): string | undefined {
  const plain = withoutTexts(action);
  if (/\bgenerated\b/i.test(plain)) return 'a generated or identity column rewrites the whole table';
  if (/\b(?:check|references|unique|primary\s+key)\b/i.test(plain))
    return 'a column with a constraint scans the whole table: add the column, then add constraint … not valid, and validate in another file';
  const value = /\bdefault\b([\s\S]*)$/i.exec(plain)?.[1];
  if (value !== undefined && /\w+\s*\(/.test(value.replace(STABLE_CALLS, '')))
    return 'a volatile default rewrites the whole table: add the column, then its default, and fill in batches';
  return undefined;
}

/** Returns the effect of one action of an ALTER TABLE. */
function actionEffect(table: string, action: string): Effect {
  const brief = { table, lock: 'brief', isWhole: false, problem: undefined } as const;
  const refuse = (problem: string): Effect => ({ table, lock: 'exclusive', isWhole: true, problem });
  if (/^validate\s+constraint/i.test(action)) return { table, lock: 'none', isWhole: true, problem: undefined };
  if (/^alter\s+(?:column\s+)?"?\w+"?\s+(?:set\s+data\s+)?type\b/i.test(action))
    return refuse('a new column type may rewrite the whole table: add a column, fill it in batches, then switch');
  if (/^alter\s+(?:column\s+)?"?\w+"?\s+set\s+not\s+null/i.test(action))
    return refuse('set not null scans the whole table: use check (… is not null) not valid, then validate');
  if (/^set\s+(?:un)?logged|^set\s+tablespace|^cluster\b/i.test(action)) return refuse('rewrites the whole table');
  if (/^add\s+(?:constraint\s+"?\w+"?\s+)?(?:check|foreign\s+key)\b/i.test(action))
    return /\bnot\s+valid\s*$/i.test(action)
      ? brief
      : refuse('a constraint needs not valid, and validate in another file');
  if (/^add\s+(?:constraint\s+"?\w+"?\s+)?(?:unique|primary\s+key)\b/i.test(action))
    return /\busing\s+index\b/i.test(action)
      ? brief
      : refuse('a unique constraint needs create unique index concurrently first, then using index');
  if (/^add\s+(?:constraint\s+"?\w+"?\s+)?exclude\b/i.test(action))
    return refuse('an exclusion constraint scans the whole table and blocks writes');
  if (/^add\b/i.test(action)) {
    const problem = columnRefusal(action);
    return problem === undefined ? brief : refuse(problem);
  }
  return brief;
}

/** Returns the effects of a statement on tables; nothing for one that touches no table that could exist. */
export function effectsOf({ text }: Statement): Effect[] {
  const index = CREATE_INDEX.exec(text);
  if (index) {
    const isConcurrent = index[1] !== undefined;
    const problem = isConcurrent
      ? undefined
      : 'an index on an existing table needs create index concurrently in a separate no-transaction file';
    return [{ table: index[2] ?? '', lock: isConcurrent ? 'none' : 'writes', isWhole: true, problem }];
  }
  const alter = ALTER_TABLE.exec(text);
  if (alter) return actionsOf(alter[2] ?? '').map((action) => actionEffect(alter[1] ?? '', action));
  const trigger = CREATE_TRIGGER.exec(text);
  if (trigger) return [{ table: trigger[1] ?? '', lock: 'brief', isWhole: false, problem: undefined }];
  const whole = WHOLE.exec(text);
  if (whole)
    return [
      {
        table: whole[1] ?? '',
        lock: 'exclusive',
        isWhole: true,
        problem: 'rewrites the whole table and blocks reads and writes',
      },
    ];
  const writes = WRITES.exec(text);
  if (writes) return [{ table: writes[1] ?? '', lock: 'none', isWhole: !/\bwhere\b/i.test(text), problem: undefined }];
  if (DO_BLOCK.test(text) && /\b(?:alter\s+table|create\s+(?:unique\s+)?index)\b/i.test(text))
    return [
      {
        table: '',
        lock: 'exclusive',
        isWhole: true,
        problem: 'a do block that changes tables cannot be checked: write out each statement',
      },
    ];
  return [];
}

/** The table that a statement creates. */
export const createdTable = ({ text }: Statement): string | undefined => CREATE_TABLE.exec(text)?.[1];
