import type { LoaderFunctionArgs, ShouldRevalidateFunctionArgs } from 'react-router';
import type { z } from 'zod';
import { listSetup } from '#subjects/back-office/contract/lists.ts';
import type { Data, Endpoint, Input } from '#contract/endpoint.ts';
import type { AnyList } from '#contract/lists/kit.ts';
import { call } from '#web/lib/api/api.ts';
import { market } from '#web/lib/pages/context.ts';
import { readCookie } from '#web/lib/session/cookies.ts';
import { type Lines, LINES_COOKIE, linesOf } from './lines.ts';
import { type Query, queryOf, showsTheSame } from './state.ts';

/** The response of every declared list. */
export interface ListData<Item> {
  list: Item[];
  total: number;
  totalCapped?: boolean | undefined;
  next: string | null;
  sum: string | null;
  now: string;
}

type ListEndpoint = Endpoint<z.ZodType, z.ZodType>;
export const PAGE_ROWS = 50;

/** The first rows of a list for its URL, with the caller's views and columns. */
export async function loadList<E extends ListEndpoint>(
  args: LoaderFunctionArgs,
  spec: Pick<AnyList, 'name' | 'filters' | 'sorts' | 'initialSort'>,
  endpoint: E,
): Promise<{ first: Data<E>; setup: Data<typeof listSetup>; query: Query; lines: Lines }> {
  const { call: request } = market(args);
  const query = queryOf(spec, args.url.searchParams);
  const [first, setup] = await Promise.all([
    request(endpoint, { ...query, pageSize: PAGE_ROWS } as Input<E>),
    request(listSetup, { list: spec.name }),
  ]);
  return { first, setup, query, lines: linesOf(readCookie(args.request.headers.get('cookie') ?? '', LINES_COOKIE)) };
}

/** Loads rows of a list in the browser. */
export function rowsOf<E extends ListEndpoint>(endpoint: E) {
  return (query: Readonly<Record<string, string | number>>): Promise<Data<E>> =>
    call(endpoint, query as Input<E>, { quiet: true });
}

/**
 * Opening a drawer or changing columns reloads nothing; all other changes and actions reload. Switching views reloads
 * too: a view that was just saved is not in the loaded data, and navigating to it cancels the revalidation after the
 * save.
 */
export function shouldRevalidate({
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean {
  const isOwn = currentUrl.pathname === nextUrl.pathname && currentUrl.search !== nextUrl.search;
  const isSameView = currentUrl.searchParams.get('view') === nextUrl.searchParams.get('view');
  const isSame = isOwn && isSameView && showsTheSame(currentUrl.searchParams, nextUrl.searchParams);
  return isSame ? false : defaultShouldRevalidate;
}
