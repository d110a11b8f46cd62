/** Runs oxlint, with the project's rules, over sources that are not in the project: no other test meets them. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Inputs of oxlint's result: its settings and our own rules. */
const COPIED = ['.oxlintrc.json', 'tsconfig.json', 'scripts/lint', 'package.json'];

interface Diagnostic {
  /** Like `forms(no-busy-flag)`. */
  code: string;
  /** The file as it was given. */
  file: string;
}

/** The findings in `sources`, each a path as if in the project and its text. */
export function lint(sources: readonly (readonly [path: string, text: string])[]): Diagnostic[] {
  const folder = mkdtempSync(join(tmpdir(), 'youshi-lint-'));
  try {
    for (const part of COPIED) cpSync(part, join(folder, part), { recursive: true });
    symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'));
    for (const [path, text] of sources) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const args = ['node_modules/oxlint/bin/oxlint', '--format=json', ...sources.map(([path]) => path)];
    const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code?: string; filename: string }[] };
    return diagnostics.map(({ code, filename }) => ({ code: code ?? '', file: filename }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
