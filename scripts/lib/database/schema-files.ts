/** The files that are written from the schema: its text, and the types of its tables. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import pg from 'pg';
import { dumpSchema } from '../../generate/db-dump.ts';
import { tableTypes } from '../../generate/db-types.ts';

async function generate(url: string): Promise<Map<string, string>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const schema = await dumpSchema(client);
  await client.end();
  return new Map([
    ['db/schema.sql', schema],
    ['server/db/types.gen.ts', await tableTypes(url)],
  ]);
}

const committedText = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');

/** Writes a generated file unless it is current. */
export function writeGenerated(file: string, text: string): void {
  if (committedText(file) === text) return;
  writeFileSync(file, text);
  console.log(`${file} updated`);
}

/** Writes down the schema of the database behind `url` where the committed files differ from it. */
export async function writeSchemaFiles(url: string): Promise<void> {
  for (const [file, text] of await generate(url)) writeGenerated(file, text);
}

/** Compares a committed file with the generated one: one sentence, or none. */
export function driftOf(file: string, text: string): string[] {
  const committed = committedText(file);
  if (committed === text) return [];
  const lines = committed.split('\n');
  const line = text.split('\n').findIndex((content, index) => content !== lines[index]);
  return [`${file} is out of date (from line ${line + 1}): run npm run db:gen and commit it as well`];
}

/** Compares the committed files with the schema of the database behind `url`, one sentence each. */
export async function schemaDrift(url: string): Promise<string[]> {
  return [...(await generate(url))].flatMap(([file, text]) => driftOf(file, text));
}
