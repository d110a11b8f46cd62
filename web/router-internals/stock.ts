/** What in this folder does otherwise than React and the router, by name. */
export type Part = 'defer' | 'scripts' | 'fields';

/**
 * Whether a part is switched off, so that React and the router do as they come. `STOCK_ROUTER` decides when the pages are built: `1`
 * for all of them, or their names with commas.
 */
export function isStock(part: Part, setting: string = import.meta.env.STOCK_ROUTER as string): boolean {
  return setting === '1' || setting.split(',').includes(part);
}
