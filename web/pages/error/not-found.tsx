import { notFound } from '#web/lib/not-found.ts';

/** Every path that the URL map does not know. */
export function loader() {
  notFound();
}

/** Shows nothing: its loader ends in the error page. */
export default function NotFound() {
  return null;
}
