import { data } from 'react-router';

/** Ends a loader with the page of 404. What is thrown is the router's own value and no Error. */
export function notFound(msg = ''): never {
  const response: unknown = data({ msg }, { status: 404 });
  throw response;
}
