import { FlaskConical } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';

/** Background illustration: a stall at the foot of the hills, in the distributor's hue. */
function Scene() {
  return (
    <svg viewBox="0 0 440 260" className="block w-full" aria-hidden="true">
      <circle cx="322" cy="74" r="38" fill="var(--hero-sun)" />
      <path d="M0 146c52-48 92-58 140-34 44 22 70-34 122-48 60-16 108 22 178 58v138H0z" fill="var(--hero-1)" />
      <path d="M0 194c62-30 96-52 150-40 62 14 92 32 146 6 50-24 96-30 144-10v110H0z" fill="var(--hero-2)" />
      <path d="M0 222c74-18 118-34 178-20 64 16 116 22 166 2 36-14 66-16 96-8v64H0z" fill="var(--hero-3)" />
      <path d="M0 240c90-14 160-16 238-8 80 8 140 2 202-10v38H0z" fill="var(--hero-4)" />
      <g fill="var(--hero-5)">
        <path d="M96 190h6v46h-6zM178 190h6v46h-6zM88 230h104v6H88z" />
        <path d="M100 154h80l15 24H85z" opacity=".82" />
        <path d="M85 178h22a11 11 0 0 1-22 0zM107 178h22a11 11 0 0 1-22 0zM129 178h22a11 11 0 0 1-22 0zM151 178h22a11 11 0 0 1-22 0zM173 178h22a11 11 0 0 1-22 0z" />
        <path d="M112 204h20v26h-20zM142 198h30v32h-30z" opacity=".72" />
      </g>
      <path d="M192 178v10" stroke="var(--hero-5)" strokeWidth="2" />
      <circle cx="192" cy="193" r="5" fill="var(--hero-lamp)" />
    </svg>
  );
}

/** Layout of log-in, registration and password reset: the form in one panel, the market's promises next to it. */
export function AccountLayout({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <div className="panel account-frame">
      <div className="account-side" aria-hidden="true">
        <div className="p-10 pb-0">
          <p className="text-28 leading-title font-bold tracking-[0.02em] text-brand-900">
            钱在平台，
            <br />
            号到手再放款
          </p>
          <p className="mt-3 text-14 text-brand-800">买前看清总价、验号数据和资金去向</p>
        </div>
        <Scene />
      </div>
      <section className="account-form" aria-labelledby="account-title">
        <div className="mb-6 flex items-baseline justify-between gap-4 max-md:mb-5">
          <h1 id="account-title" className="text-20 font-semibold">
            {title}
          </h1>
          {aside && <p className="text-13 text-ink-2">{aside}</p>}
        </div>
        {children}
      </section>
    </div>
  );
}

/** Link to the page where the demo market displays the codes that it does not send. */
export function DemoCodes({ visible }: { visible: boolean }) {
  if (!visible) return null;
  return (
    <p className="flex items-center gap-2 rounded-control bg-sunken px-3 py-2 text-12 text-ink-2">
      <FlaskConical className="icon" aria-hidden="true" />
      <span>
        演示环境不会真实发送短信，验证码显示在
        <Link to="/test" target="_blank" className="link">
          自检页
        </Link>
      </span>
    </p>
  );
}
