import { createContext, data, type RouterContextProvider, redirect } from 'react-router';
import type { staffInfo } from '#subjects/back-office/contract/sign-in.ts';
import type { homeConf } from '#subjects/distributors/contract/dist.ts';
import type { Data, Endpoint, Input } from '#contract/endpoint.ts';
import type { userInfo } from '#subjects/accounts/contract/user.ts';
import { isApiFailure } from '../api/api-failure.ts';
import { loginPath } from './paths.ts';

/** The context that the server passes to the pages of one request. */
export interface LoadContext {
  /** Calls an endpoint in process, as the request's user. Throws a failure with code, msg and status. */
  call: <E extends Endpoint>(endpoint: E, input: Input<E>) => Promise<Data<E>>;
  /** The distributor of the request's host. */
  brand: Data<typeof homeConf>;
  user: Data<typeof userInfo> | null;
  /** The member of staff in the back office; absent on public hosts. */
  staff?: Data<typeof staffInfo> | null;
  /** The demo market, where the self-check page shows the codes of the local adapters. */
  demo: boolean;
  /** A trial market: a bar on every page names it. */
  trial?: boolean;
  /** The vendors that are switched on. A page that needs another one shows this before the form. */
  services: { mail: boolean; wechatLogin: boolean; officialAccount: boolean };
  host: string;
  /** The request was made to the back office's own host. */
  isBackstage: boolean;
  /** Until when the page shows a brand's working copy to its editor (ms); absent otherwise. */
  previewUntil?: number | undefined;
  /** The number of the request in the log. */
  requestId: string;
  /** The response's CSP nonce. */
  nonce: string;
  device: 'pc' | 'phone';
  /** True if the server renders the page; false if a page in the browser requests its data. */
  isDocument: boolean;
}

export const marketContext = createContext<LoadContext>();

/** The arguments of a loader, an action or a middleware that are used here. */
interface Args {
  context: Readonly<RouterContextProvider>;
  url: URL;
}

/**
 * The request's context, with a `call` whose failures become pages: 401 redirects to the login, others show their
 * status.
 */
export function market({ context, url }: Args): LoadContext {
  const value = context.get(marketContext);
  return {
    ...value,
    async call(endpoint, input) {
      try {
        return await value.call(endpoint, input);
      } catch (error) {
        throw isApiFailure(error) ? asResponse(error, url, value) : error;
      }
    },
  };
}

/** The status of an input that no call accepts. */
const INVALID = 422;

function asResponse(
  failure: { code: number; msg: string; status: number },
  url: URL,
  { isBackstage, requestId }: Pick<LoadContext, 'isBackstage' | 'requestId'>,
) {
  if (failure.status === 401) return redirect(loginPath(url, isBackstage ? '/backstage/login' : '/login'));
  const { code, msg, status } = failure;
  // Pages identify their data only by the URL: an impossible value leads nowhere.
  if (status === INVALID) return data({ code, msg }, { status: 404 });
  return data({ code, msg, ...(status >= 500 && { requestId }) }, { status });
}

/** The data of an optional part of a page; on failure the part is omitted and the page still renders. */
export async function optional<T>(part: Promise<T>): Promise<T | null> {
  try {
    return await part;
  } catch {
    return null;
  }
}
