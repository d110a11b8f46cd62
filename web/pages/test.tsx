import { CircleAlert, CircleCheck } from 'lucide-react';
import { useEffect, useState } from 'react';
import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import type { Data } from '#contract/endpoint.ts';
import { selfCheck } from '#subjects/back-office/contract/self-check.ts';
import { market } from '#web/lib/pages/context.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { Codes, Notices, Panel, useRefresh } from '#web/parts/sent-messages.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '自检', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  const check = await market(args).call(selfCheck, {});
  const { host } = args.url;
  const port = host.includes(':') ? host.slice(host.lastIndexOf(':')) : '';
  return { check, adminUrl: `${args.url.protocol}//${check.backstage}${port}/backstage` };
}

type Check = Data<typeof selfCheck>;

/** Counts down between two refreshes, so that the seconds do not jump; each refresh restarts it (key). */
function Seconds({ left }: { left: number }) {
  const [passed, setPassed] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setPassed((n) => n + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  return <>{Math.max(0, left - passed)} 秒</>;
}

function Staff({ staff, time }: { staff: Check['staff']; time: string }) {
  return (
    <table className="table">
      <thead>
        <tr>
          <th scope="col">账号</th>
          <th scope="col">动态码</th>
          <th scope="col" className="num">
            更换
          </th>
        </tr>
      </thead>
      <tbody>
        {staff.map(({ login, name, about, code, waitSeconds, secondsLeft }) => (
          <tr key={login}>
            <td>
              <CopyButton text={login} label="账号" className="font-medium" />
              <span className="block text-12 text-ink-3">
                {name} · {about}
              </span>
            </td>
            <td className="text-16 font-semibold whitespace-nowrap">
              <CopyButton text={code} label="动态码" />
              {waitSeconds > 0 && (
                <span className="block text-12 font-normal text-ink-3">
                  <Seconds key={time} left={waitSeconds} />
                  后可用
                </span>
              )}
            </td>
            <td className="num text-ink-3">
              <Seconds key={time} left={secondsLeft} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Health({ health }: { health: Check['health'] }) {
  return (
    <ul className="divide-y divide-line-soft text-13">
      {health.map(({ name, ok, text }) => (
        <li key={name} className="flex min-h-11 items-center gap-2 px-4">
          {ok ? (
            <CircleCheck className="icon text-safe" aria-label="正常" />
          ) : (
            <CircleAlert className="icon text-attn" aria-label="异常" />
          )}
          <span className="font-medium">{name}</span>
          <span className="ml-auto text-ink-2">{text}</span>
        </li>
      ))}
    </ul>
  );
}

function Users({ users }: { users: Check['users'] }) {
  return (
    <table className="table">
      <tbody>
        {users.map(({ phone, nickName, about }) => (
          <tr key={phone}>
            <td className="whitespace-nowrap">
              <CopyButton text={phone} label="手机号" className="font-medium" />
            </td>
            <td>
              {nickName}
              <span className="block text-12 text-ink-3">{about}</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Adapters({ adapters }: { adapters: Check['adapters'] }) {
  return (
    <table className="table">
      <tbody>
        {adapters.map(({ port, name, text }) => (
          <tr key={`${port}${name}`}>
            <td className="font-medium whitespace-nowrap">{port}</td>
            <td className="text-ink-2">{text || name}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The demo market's self-check page: everything needed to log in by hand, and the health of the market. */
export default function SelfCheckPage() {
  const { check, adminUrl } = useLoaderData<typeof loader>();
  useRefresh();
  return (
    <div className="grid gap-4 py-6">
      <header className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <h1 className="text-20 font-semibold">自检</h1>
        <p className="text-13 text-ink-2">
          只在演示环境可见，每 3 秒更新。版本 {check.version}，
          <a href={adminUrl} className="link">
            打开后台
          </a>
        </p>
      </header>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <div className="grid gap-4">
          <Panel title="短信验证码" note="本机实现，不真正发送">
            <Codes sms={check.sms} />
          </Panel>
          <Panel title="通知" note="本机实现，不真正发送">
            <Notices notices={check.notices} />
          </Panel>
          <Panel
            title="演示用户"
            note={
              <>
                密码都是 {check.password}，支付密码 {check.payPassword}
              </>
            }
          >
            <Users users={check.users} />
          </Panel>
        </div>
        <div className="grid gap-4">
          <Panel title="员工动态码" note={<>密码都是 {check.password}，每个码只能用一次</>}>
            <Staff staff={check.staff} time={check.time} />
          </Panel>
          <Panel title="运行状况">
            <Health health={check.health} />
          </Panel>
          <Panel title="外部接入">
            <Adapters adapters={check.adapters} />
          </Panel>
        </div>
      </div>
    </div>
  );
}
