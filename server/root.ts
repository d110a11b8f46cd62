import { fileURLToPath } from 'node:url';

/**
 * The folder of this installation, which contains `package.json`, with a trailing `/`. The built server is one file in `build/`, as
 * close to it as this one: only modules at this depth may resolve paths from their own URL.
 */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));
