import { ChevronLeft } from 'lucide-react';
import { Link, type LinksFunction, type LoaderFunctionArgs, Outlet, useLoaderData } from 'react-router';
import { noticeUnread } from '#subjects/notices/contract/notice.ts';
import { market, optional } from '#web/lib/pages/context.ts';
import { Logo } from '#web/parts/site/logo.tsx';
import { NoticeBell } from '#subjects/notices/web/parts/notices/bell.tsx';
import { ThemeSwitch } from '#web/parts/site/theme-switch.tsx';
import toolsCss from '#web/styles/tools.css?url';

export const links: LinksFunction = () => [{ rel: 'stylesheet', href: toolsCss }];

export async function loader(args: LoaderFunctionArgs) {
  const { brand, user, call } = market(args);
  return {
    name: brand.distBaseConf.websiteName,
    logo: brand.pictArea.logo,
    nickName: user?.nickName ?? '',
    userId: user?.userId ?? '',
    notices: (user && (await optional(call(noticeUnread, {}))))?.total ?? 0,
  };
}

/** The order chat's layout: one low bar, and the rest of the screen's height for the conversation. */
export default function ChatLayout() {
  const { name, logo, nickName, notices } = useLoaderData<typeof loader>();
  return (
    <div className="flex h-dvh flex-col">
      <header className="flex h-12 flex-none items-center gap-4 border-b border-line bg-panel px-4 max-md:hidden [@media(max-height:480px)]:h-9">
        <span className="origin-left scale-75">
          <Logo name={name} src={logo} />
        </span>
        <Link to="/center" className="inline-flex items-center gap-1 text-13 text-ink-2 hover:text-link">
          <ChevronLeft className="icon" aria-hidden="true" />
          返回个人中心
        </Link>
        <span className="ml-auto flex items-center gap-4 text-12 text-ink-2">
          {nickName}
          <NoticeBell unread={notices} />
          <ThemeSwitch />
        </span>
      </header>
      <main id="main" className="min-h-0 flex-1" tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  );
}
