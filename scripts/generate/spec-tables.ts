/** Writes docs/spec/routes.md and docs/spec/endpoints.md. Run after a change of a page's address or of a call; tests/unit/documents/spec.test.ts compares them. */
import { writeFileSync } from 'node:fs';
import { specTables } from '../lib/written/spec-tables.ts';

for (const [file, text] of Object.entries(specTables())) writeFileSync(file, text);
