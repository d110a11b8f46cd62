import { type ReactNode, useEffect } from 'react';
import { useRevalidator } from 'react-router';
import type { Data } from '#contract/endpoint.ts';
import type { selfCheck } from '#subjects/back-office/contract/self-check.ts';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { TimeLabel } from '#web/ui/time-label.tsx';

const REFRESH_MS = 3000;

type Check = Data<typeof selfCheck>;

/** Reloads the page's data every few seconds while the page is visible. */
export function useRefresh(): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void revalidate();
    }, REFRESH_MS);
    return () => clearInterval(timer);
  }, [revalidate]);
}

/** A box with a title and a note beside it. */
export function Panel({ title, note, children }: { title: string; note?: ReactNode; children: ReactNode }) {
  return (
    <section className="panel overflow-hidden" aria-label={title}>
      <div className="panel-head">
        <h2 className="whitespace-nowrap">{title}</h2>
        {note && <p>{note}</p>}
      </div>
      {children}
    </section>
  );
}

/** The codes passed to stand-ins, newest first. */
export function Codes({ sms }: { sms: Check['sms'] }) {
  if (sms.length === 0)
    return (
      <EmptyState title="还没有发送过验证码">在登录、注册或绑定账户时点“获取验证码”，几秒内会显示在这里。</EmptyState>
    );
  return (
    <div className="max-h-96 overflow-auto">
      <table className="table">
        <thead>
          <tr>
            <th scope="col">手机号</th>
            <th scope="col">验证码</th>
            <th scope="col">用途</th>
            <th scope="col" className="num">
              时间
            </th>
          </tr>
        </thead>
        <tbody>
          {sms.map(({ phone, code, purposeName, time }) => (
            <tr key={`${phone}${time}${code}`}>
              <td>{phone}</td>
              <td className="text-16 font-semibold whitespace-nowrap">
                <CopyButton text={code} label="验证码" />
              </td>
              <td>{purposeName}</td>
              <td className="num text-ink-3">
                <TimeLabel at={time} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The notices passed to stand-ins, newest first. */
export function Notices({ notices }: { notices: Check['notices'] }) {
  if (notices.length === 0)
    return (
      <EmptyState title="还没有发送过通知">下单、发货、议价后，发到短信、邮件和微信的通知会显示在这里。</EmptyState>
    );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <ul className="max-h-96 divide-y divide-line-soft overflow-auto text-13" tabIndex={0} aria-label="发出的通知">
      {notices.map(({ way, to, text, time }) => (
        <li key={`${way}${to}${time}${text}`} className="px-4 py-2.5">
          <span className="flex items-baseline gap-3 text-12 text-ink-3">
            <b className="font-medium text-ink">{way}</b>
            <span className="min-w-0 truncate">{to}</span>
            <TimeLabel at={time} className="ml-auto flex-none" />
          </span>
          {text}
        </li>
      ))}
    </ul>
  );
}
