import { ShieldCheck } from 'lucide-react';
import { Link } from 'react-router';
import { unreadText } from '#contract/rules/limits.ts';
import type { FrameData } from '#web/lib/frame.ts';
import { useLogout } from '#web/lib/logout.ts';
import { ThemeSwitch } from './theme-switch.tsx';

/** The 32-pixel strip: who you are, the distributor's welcome word, the short ways. */
export function TopStrip({ data }: { data: FrameData }) {
  const logout = useLogout();
  const { user, welcome, greeting, links, login } = data;
  return (
    <div className="strip">
      <div className="wrap flex h-full items-center gap-4">
        {user ? (
          <span>
            {greeting}，
            <Link to="/center" className="font-semibold text-ink hover:text-link">
              {user.nickName}
            </Link>
            <button type="button" className="ml-2 hover:text-link" onClick={() => void logout()}>
              退出
            </button>
          </span>
        ) : (
          <span className="flex gap-3">
            <Link to={login} className="font-medium text-link">
              请登录
            </Link>
            <Link to="/register" className="hover:text-link">
              免费注册
            </Link>
          </span>
        )}
        <span className="truncate text-ink-3">{welcome}</span>
        <nav aria-label="快捷入口" className="ml-auto flex flex-none items-center gap-4">
          {links.map(({ label, to, count, safe }) => (
            <Link key={to} to={to} className="inline-flex items-center gap-1 hover:text-link">
              {safe && <ShieldCheck className="icon size-3.5" aria-hidden="true" />}
              {label}
              {count !== undefined && count > 0 && <b className="font-semibold text-ink">{unreadText(count)}</b>}
            </Link>
          ))}
          <ThemeSwitch />
        </nav>
      </div>
    </div>
  );
}
