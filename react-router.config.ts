import type { Config } from '@react-router/dev/config';
import { compressAssets } from './web/build/compress-assets.ts';

export default {
  appDirectory: 'web',
  buildDirectory: 'build',
  ssr: true,
  // The whole route manifest is one small hashed file; asking the server for pieces of it would cost a request per page.
  routeDiscovery: { mode: 'initial' },
  buildEnd: () => compressAssets('build/client'),
} satisfies Config;
