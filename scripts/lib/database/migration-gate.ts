/**
 * What a migration may do to a table that has rows: nothing that keeps readers or writers waiting while the whole table is read or
 * rewritten (docs/decisions/372). Read by `npm run check`.
 */
import { basename } from 'node:path';
import { createdTable, effectsOf, statementsOf } from './migration-sql.ts';

/** Tables that stay small however large the market is; changes to them take milliseconds. */
const SMALL_TABLES: Readonly<Record<string, string>> = {
  advert: 'entered by staff',
  blocked_word: 'a list of staff',
  canned_answer: 'a list of staff',
  catalogue_version: 'one row for each publication of a game',
  coupon_campaign: 'entered by staff',
  dispute_reason: 'a list of staff',
  dist_host: 'hosts of brands',
  distributor: 'brands',
  game: 'the catalogue',
  game_area: 'the catalogue',
  game_draft: 'the catalogue',
  game_server: 'the catalogue',
  guarantee_tier: 'tiers on offer',
  job_mark: 'one row for each job',
  legal_text: 'versions of agreements',
  news: 'written by staff',
  notice_kind: 'kinds of notices',
  notice_template: 'texts of notices',
  on_sale: 'one row for each game and goods type',
  order_transition: 'the transitions that the program knows',
  retention_run: 'one row for each table',
  setting: 'versions of settings',
  staff: 'colleagues',
  staff_role: 'roles',
  trade_stat: 'one row for each game and goods type',
};

/** Statements that break the rule for a reason; a file that has run is not changed. */
const EXCEPTIONS: readonly { file: string; table: string; reason: string }[] = [];

const NO_TRANSACTION = /^--\s*no-transaction\b/;

/** Problems of one migration, one sentence each. */
export function migrationProblems(file: string, sql: string): string[] {
  const name = basename(file);
  const statements = statementsOf(sql);
  const created = new Set(statements.flatMap((statement) => createdTable(statement) ?? []));
  const isAlone = NO_TRANSACTION.test(sql);
  const problems: string[] = [];
  const excepted = (table: string): boolean => EXCEPTIONS.some((e) => e.file === name && e.table === table);
  for (const statement of statements) {
    const at = `${file}:${statement.line}`;
    if (/\bconcurrently\b/i.test(statement.text) && !isAlone)
      problems.push(`${at} concurrently cannot run in a transaction: begin the file with -- no-transaction`);
    for (const { table, problem } of effectsOf(statement))
      if (problem !== undefined && !created.has(table) && !(table in SMALL_TABLES) && !excepted(table))
        problems.push(`${at} ${table === '' ? '' : `table ${table}: `}${problem}`);
  }
  const added = /\badd\s+constraint\s+"?(\w+)"?[^;]*\bnot\s+valid/gi;
  for (const [, constraint = ''] of sql.matchAll(added))
    if (new RegExp(String.raw`validate\s+constraint\s+"?${constraint}\b`, 'i').test(sql))
      problems.push(
        `${file} constraint ${constraint} must be validated in another file, or the exclusive lock is held meanwhile`,
      );
  if (isAlone && statements.length !== 1)
    problems.push(`${file} a no-transaction file has exactly one repeatable statement`);
  return problems;
}
