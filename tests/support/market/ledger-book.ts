/** The worked examples of docs/LEDGER.md beside what the ledger holds. */
import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import type { TestApp } from '../servers/build.ts';

export const ledgerDocument = readFileSync('docs/LEDGER.md', 'utf8');

/** The rows of the table under a heading of the document, as 'code | from → to | fen'. */
export function example(heading: string): string[] {
  const section = ledgerDocument.split(`### ${heading}\n`)[1]?.split(/\n##/)[0] ?? '';
  return section
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2)
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, , code, direction, fen]) => `${code} | ${direction} | ${/^\d+/.exec(fen ?? '')?.[0] ?? ''}`)
    .toSorted();
}

/** Records the ledger entries of a market since the book was opened, with people by their part. */
export class Book {
  readonly #t: TestApp;
  readonly #named = new Map<string, string>();
  #after = 0;

  constructor(t: TestApp) {
    this.#t = t;
  }

  /** Names a user by their part from now on. */
  name(part: string, user: { id: number }): void {
    this.#named.set(`user:${user.id}`, `user:${part}`);
  }

  /** Skips the entries that exist so far. */
  async open(): Promise<void> {
    await this.lines();
  }

  /** The transfers since the last look, as the document has them: one order, one want, no shards. */
  async lines(): Promise<string[]> {
    const { rows } = await sql<{ id: number; code: string; debit: string; credit: string; fen: number }>`
      select id, code, debit, credit, amount_fen as fen from ledger_transfer where id > ${this.#after} order by id`.execute(
      this.#t.ctx.db,
    );
    this.#after = rows.at(-1)?.id ?? this.#after;
    return rows.map((r) => `${r.code} | ${this.#account(r.debit)} → ${this.#account(r.credit)} | ${r.fen}`).toSorted();
  }

  #account(key: string): string {
    return key
      .replace(/^user:\d+/, (owner) => this.#named.get(owner) ?? owner)
      .replace(/^(order|want|dist|recycle|inspection|boost):\d+:/, '$1:')
      .replace(/^(platform|clearing):(\w+):\d+$/, '$1:$2');
  }
}
