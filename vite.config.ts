import { join } from 'node:path';
import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { Features } from 'lightningcss';
import { defineConfig } from 'vite';
import { chunksOf } from './web/build/chunks.ts';
import { contractRefs } from './web/build/contract-refs.ts';
import { headScript } from './web/build/head-script.ts';
import { hoverOnly } from './web/build/hover-only.ts';
import { pageNames } from './web/build/page-names.ts';
import { plainColoursPlugin } from './web/build/plain-colours.ts';
import { plainIcons } from './web/build/plain-icons.ts';
import { lostScript } from './web/router-internals/lost-script.ts';
import { isStock } from './web/router-internals/stock.ts';

/** Parts of `web/router-internals` that this build goes without. */
const STOCK_ROUTER = process.env.STOCK_ROUTER ?? '';

export default defineConfig(({ command }) => ({
  publicDir: 'web/public',
  define: { 'import.meta.env.STOCK_ROUTER': JSON.stringify(STOCK_ROUTER) },
  plugins: [
    headScript(),
    contractRefs(),
    plainIcons(),
    pageNames(),
    ...(isStock('scripts', STOCK_ROUTER) ? [] : [lostScript()]),
    tailwindcss(),
    reactRouter(),
  ],
  css: {
    postcss: { plugins: [hoverOnly(), plainColoursPlugin()] },
    // Media queries stay in the form that Safari reads below 16.4 as well: their short form would cost it every layout for phones.
    lightningcss: { include: Features.MediaQueries },
  },
  build: {
    cssMinify: 'lightningcss',
    // The floor of docs/BROWSERS.md; what it lacks of built-in functions is in web/older.
    target: ['chrome109', 'edge109', 'safari16.4', 'firefox121'],
    // Vite would give the style sheet the same targets, and every colour a copy that does not help where a property decides its hue.
    cssTarget: ['chrome111', 'edge111', 'safari16.4', 'firefox114'],
    // Small pictures stay files: a data address cannot be cached and would be inlined into every page.
    assetsInlineLimit: 0,
  },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: chunksOf(join(import.meta.dirname, 'web')),
            // The bundler names a shared piece after every page that uses it; the hash alone tells them apart.
            chunkFileNames: ({ name }) => `assets/${name.split('~')[0]}-[hash].js`,
          },
        },
      },
    },
  },
  // Bundled, the server loads what pages use and not the thousands of files that packages are made of. React and the router stay
  // packages: server and pages must hold the same ones. In development packages stay whole, but for the barrel of 1,700 icons.
  ssr:
    command === 'build'
      ? { noExternal: true, external: ['react', 'react-dom', 'react-router', '@react-router/node'] }
      : { noExternal: ['lucide-react'] },
}));
