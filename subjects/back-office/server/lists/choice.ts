import { type listCounts, type listKeys, MAX_BULK_ROWS } from '#subjects/back-office/contract/lists.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type { StaffCall } from '#server/access/call.ts';
import { requireSite } from '#server/access/permissions.ts';
import { AppError } from '#server/kernel/errors.ts';
import { type Query, SOURCES } from './sources.ts';

type Counts = HandlerResult<typeof listCounts>['counts'];

/**
 * The number of rows of each query. A query that names a person is not counted, because that would be a look-up of the
 * person. Throws FORBIDDEN.
 */
export async function countViews(
  call: StaffCall,
  { list, queries }: Parsed<typeof listCounts>,
): Promise<HandlerResult<typeof listCounts>> {
  requireSite(call.staff);
  const source = SOURCES[list];
  const counts: Counts = [];
  for (const text of queries) {
    const query: Query = Object.fromEntries(new URLSearchParams(text));
    if (query.keyWord !== undefined) {
      counts.push(null);
      continue;
    }
    try {
      counts.push(await source.count(call, query));
    } catch (error) {
      // A saved view may use a filter that the list no longer has.
      if (!(error instanceof AppError && error.error === 'BAD_INPUT')) throw error;
      counts.push(null);
    }
  }
  return { counts };
}

/** The keys of all rows of a query, up to MAX_BULK_ROWS. Throws BAD_INPUT, FORBIDDEN. */
export async function loadKeys(
  call: StaffCall,
  { list, query }: Parsed<typeof listKeys>,
): Promise<HandlerResult<typeof listKeys>> {
  requireSite(call.staff);
  const { keys, isAll } = await SOURCES[list].keys(call, query, MAX_BULK_ROWS);
  return { keys, more: !isAll };
}
