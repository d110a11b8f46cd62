import { entryOf } from './url-map.ts';

/** The name of a page outside of the back office by its path in the URL map; empty for an unknown path. Browsers get only the names (web/build/page-names.ts). */
export const pageName = (path: string): string => entryOf(path)?.name ?? '';
