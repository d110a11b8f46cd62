import { notFound } from '#web/lib/pages/not-found.ts';

/** The route for every path that is not in the URL map. */
export function loader() {
  notFound();
}

/** Never rendered: its loader throws a 404. */
export default function NotFound() {
  return null;
}
