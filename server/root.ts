import { fileURLToPath } from 'node:url';

/**
 * The folder of this installation, where `package.json` lies, with a `/` at its end. The built server is one file in `build/`, as
 * near to it as this one: only modules that lie this near may reckon from their own address.
 */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));
