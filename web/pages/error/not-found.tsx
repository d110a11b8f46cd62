import { notFound } from '#web/lib/answers.ts';

/** Every path that the URL map does not know. */
export function loader() {
  notFound();
}

export default function NotFound() {
  return null;
}
