import { data } from 'react-router';

/** Ends a loader with the 404 page. The thrown value is the router's own and not an Error. */
export function notFound(msg = ''): never {
  const response: unknown = data({ msg }, { status: 404 });
  throw response;
}
