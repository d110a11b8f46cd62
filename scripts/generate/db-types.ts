/** Writes the TypeScript types of a database's tables, for Kysely. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const HEADER = '/** The tables as db/migrations make them. Written by `npm run db:gen`; never edited by hand. */\n';

/** The client parses int8 into a number (and throws beyond the safe range), so its type says the same. */
const TYPE_MAPPING = JSON.stringify({ int8: 'number' });

/** The types of the database behind `url`, as source text; equal schemas give equal texts. */
export async function tableTypes(url: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'youshi-types-'));
  const file = join(folder, 'types.ts');
  try {
    const program = 'node_modules/kysely-codegen/dist/cli/bin.js';
    const scope = ['--dialect', 'postgres', '--default-schema', 'public', '--exclude-pattern', '*schema_migrations'];
    const result = ['--type-mapping', TYPE_MAPPING, '--url', url, '--out-file', file];
    await promisify(execFile)(process.execPath, [program, ...scope, ...result]);
    const generated = readFileSync(file, 'utf8').replace(/^\/\*\*[\s\S]*?\*\/\n/, '');
    return HEADER + generated;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
