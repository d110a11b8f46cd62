import { type LoaderFunctionArgs, Outlet, useLoaderData } from 'react-router';
import { market } from '#web/lib/pages/context.ts';
import { Logo } from '#web/parts/site/logo.tsx';

export function loader(args: LoaderFunctionArgs) {
  const { brand } = market(args);
  return { name: brand.distBaseConf.websiteName, logo: brand.pictArea.logo };
}

/** Neither navigation nor footer: one decision, under the brand's name. */
export default function BareLayout() {
  const { name, logo } = useLoaderData<typeof loader>();
  return (
    <main id="main" className="wrap flex min-h-dvh flex-col items-center gap-5 py-10 max-md:py-6" tabIndex={-1}>
      <Logo name={name} src={logo} />
      <Outlet />
    </main>
  );
}
