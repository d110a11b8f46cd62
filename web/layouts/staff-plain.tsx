import { type LinksFunction, Outlet } from 'react-router';
import { useSite } from '#web/lib/pages/site.ts';
import toolsCss from '#web/styles/tools.css?url';

export const links: LinksFunction = () => [{ rel: 'stylesheet', href: toolsCss }];

/** Staff pages before a session: one panel in the middle of the screen. */
export default function StaffPlainLayout() {
  return (
    <main id="main" className="flex min-h-dvh flex-col items-center justify-center gap-4 p-4" tabIndex={-1}>
      <p className="text-16 font-semibold">{useSite()?.name}</p>
      <Outlet />
    </main>
  );
}
