import { type LoaderFunctionArgs, Outlet, useLoaderData, useSearchParams } from 'react-router';
import { market } from '#web/lib/context.ts';
import { footerOf } from '#web/lib/frame.ts';
import { Footer } from '#web/parts/footer.tsx';
import { Logo } from '#web/parts/logo.tsx';
import { ThemeSwitch } from '#web/parts/theme-switch.tsx';

export function loader(args: LoaderFunctionArgs) {
  const { brand } = market(args);
  return { name: brand.distBaseConf.websiteName, logo: brand.pictArea.logo, footer: footerOf(brand) };
}

/** Login, register and the like: the brand, one panel, the footer; nothing that leads away. */
export default function PlainLayout() {
  const { name, logo, footer } = useLoaderData<typeof loader>();
  const [query] = useSearchParams();
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="border-b border-line bg-panel">
        <div className="wrap flex h-16 items-center">
          <Logo name={name} src={logo} />
          <span className="ml-auto text-12 text-ink-2">
            <ThemeSwitch />
          </span>
        </div>
      </header>
      <main id="main" className="wrap flex w-full flex-1 flex-col items-center py-10 max-md:py-5" tabIndex={-1}>
        {query.has('returnUrl') && (
          <p
            className="mb-4 rounded-control border border-attn-line bg-attn-bg px-3 py-1.5 text-13 text-attn"
            role="status"
          >
            请登录
          </p>
        )}
        <Outlet />
      </main>
      <Footer conf={footer} />
    </div>
  );
}
