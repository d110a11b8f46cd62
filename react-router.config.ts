import type { Config } from '@react-router/dev/config';
import { compressAssets } from './web/build/compress-assets.ts';

export default {
  appDirectory: 'web',
  buildDirectory: 'build',
  ssr: true,
  // With a hundred pages the whole manifest would be a tenth of what a page may weigh: a page knows its own routes, and learns of
  // those that it links to once it stands.
  routeDiscovery: { mode: 'lazy' },
  buildEnd: () => compressAssets('build/client'),
} satisfies Config;
