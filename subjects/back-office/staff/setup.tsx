import { type LoaderFunctionArgs, redirect, useLoaderData, useNavigate, useRevalidator } from 'react-router';
import { setupInfo, setupSteps, type SetupStep } from '#subjects/back-office/contract/setup.ts';
import { staffCan } from '../rules/staff.ts';
import { attempt } from '#web/lib/api/attempt.ts';
import { market, marketContext } from '#web/lib/pages/context.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { FactorHost } from '../web/parts/staff/factor-host.tsx';
import { Stepper } from '#web/ui/forms/stepper.tsx';
import { ChecksStep, VendorsStep } from './setup/checks.tsx';
import { FirstAdmin } from './setup/first-admin.tsx';
import { GamesStep, HostsStep, NameStep, type Setup } from './setup/forms.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '首次设置', noindex: true });
}

const HOME = '/backstage';
const ORDER = ['admin', ...setupSteps, 'checks'] as const;
type WizardStep = (typeof ORDER)[number];

const TITLES: Readonly<Record<WizardStep, string>> = {
  admin: '管理员',
  name: '平台名称',
  hosts: '域名',
  games: '游戏',
  vendors: '服务商',
  checks: '检查',
};

/**
 * The first set-up. Without a session it starts with the printed URL, with a session at the first open step. Once
 * finished, the page is closed.
 */
export async function loader(args: LoaderFunctionArgs) {
  const { staff } = market(args);
  if (!staff) return { setup: null, place: 'admin' as WizardStep };
  if (!staffCan(staff, 'setup.run')) return redirect(HOME);
  const { call: plain } = args.context.get(marketContext);
  const info = await attempt(plain(setupInfo, {}));
  if (!info.ok) return redirect(HOME);
  const param = args.url.searchParams.get('step');
  const requestedStep = [...setupSteps, 'checks' as const].find((step) => step === param);
  const currentStep: WizardStep = requestedStep ?? info.data.next ?? 'checks';
  return { setup: info.data, place: currentStep };
}

function Step({ place, setup, onNext }: { place: WizardStep; setup: Setup; onNext: () => void }) {
  if (place === 'name') return <NameStep setup={setup} onNext={onNext} />;
  if (place === 'hosts') return <HostsStep setup={setup} onNext={onNext} />;
  if (place === 'games') return <GamesStep setup={setup} onNext={onNext} />;
  if (place === 'vendors') return <VendorsStep setup={setup} onNext={onNext} />;
  return <ChecksStep setup={setup} onNext={onNext} />;
}

/**
 * The first start of an installation: administrator, name, hosts, games, vendors, and open items. Can be left and
 * resumed.
 */
export default function SetupPage() {
  const { setup, place } = useLoaderData<typeof loader>();
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  const at = ORDER.indexOf(place);
  const onNext = async () => {
    if (place === 'checks') return window.location.assign(HOME);
    const next = ORDER[at + 1];
    await navigate(`?step=${next}`);
    await revalidate();
  };
  return (
    <section className="panel w-180 max-w-full p-8 max-md:p-5" aria-labelledby="setup">
      <h1 id="setup" className="mb-5 text-16 font-semibold">
        首次设置
      </h1>
      <Stepper
        label="首次设置的步骤"
        steps={ORDER.map((step, index) => ({
          title: TITLES[step],
          state:
            index === at
              ? 'now'
              : step === 'admin' || setup?.done.includes(step as SetupStep)
                ? setup
                  ? 'done'
                  : 'todo'
                : 'todo',
        }))}
      />
      <h2 className="mt-6 mb-3 text-14 font-semibold">{TITLES[place]}</h2>
      {setup ? <Step key={place} place={place} setup={setup} onNext={() => void onNext()} /> : <FirstAdmin />}
      <FactorHost />
    </section>
  );
}
