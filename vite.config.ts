import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import { contractRefs } from './web/build/contract-refs.ts';

export default defineConfig({
  publicDir: 'web/public',
  plugins: [contractRefs(), tailwindcss(), reactRouter()],
  build: {
    cssMinify: 'lightningcss',
    // Small pictures stay files: a data address cannot be cached and would be inlined into every page.
    assetsInlineLimit: 0,
  },
  // The icon library is a barrel of 1,700 modules; bundled, the server loads only what pages use.
  ssr: { noExternal: ['lucide-react'] },
});
