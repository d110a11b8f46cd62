/** The parts in this folder that change the behaviour of React and the router, by name. */
export type Part = 'defer' | 'scripts' | 'fields';

/**
 * Whether a part is switched off, so that React and the router keep their default behaviour. `STOCK_ROUTER` is read when the pages are built: `1`
 * for all of them, or their names separated by commas.
 */
export function isStock(part: Part, setting: string = import.meta.env.STOCK_ROUTER as string): boolean {
  return setting === '1' || setting.split(',').includes(part);
}
