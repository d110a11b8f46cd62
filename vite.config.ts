import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import { contractRefs } from './web/build/contract-refs.ts';

/**
 * Chunks of the browser's build: the framework in one that changes only with an update, and what pages share in few
 * pieces, each loaded by just those pages that use it. Left alone, sixty tiny files cost more in headers and in lost
 * compression than they carry. What ends in .lazy.tsx is loaded on demand and so must stay out of the shared pieces.
 */
const chunks = {
  groups: [
    { name: 'framework', test: /node_modules[\\/](react|react-dom|react-router|scheduler)[\\/]/, priority: 2 },
    {
      name: 'shared',
      test: /[\\/]web[\\/](ui|lib|parts|layouts)[\\/](?!.*\.lazy\.tsx$)|lucide-react|contract[\\/]rules/,
      entriesAware: true,
      entriesAwareMergeThreshold: 3_000,
      priority: 1,
    },
  ],
};

export default defineConfig({
  publicDir: 'web/public',
  plugins: [contractRefs(), tailwindcss(), reactRouter()],
  build: {
    cssMinify: 'lightningcss',
    // Small pictures stay files: a data address cannot be cached and would be inlined into every page.
    assetsInlineLimit: 0,
  },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: chunks,
            // The bundler names a shared piece after every page that uses it; the hash alone tells them apart.
            chunkFileNames: ({ name }) => `assets/${name.split('~')[0]}-[hash].js`,
          },
        },
      },
    },
  },
  // The icon library is a barrel of 1,700 modules; bundled, the server loads only what pages use.
  ssr: { noExternal: ['lucide-react'] },
});
