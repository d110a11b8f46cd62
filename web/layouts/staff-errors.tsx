import { isRouteErrorResponse, Outlet, useOutletContext } from 'react-router';
import { useErrorOfPage } from '#web/lib/loading/failed-hydration.tsx';
import { ErrorPage } from '#web/pages/error/error-page.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/states.tsx';

const REFUSED = 403;

/** The back office's wrapper for its pages: a page outside the role's permissions shows a message and the way back. */
export default function StaffErrors() {
  return <Outlet context={useOutletContext()} />;
}

export function ErrorBoundary() {
  const error = useErrorOfPage();
  if (!isRouteErrorResponse(error) || error.status !== REFUSED) return <ErrorPage error={error} />;
  return (
    <section className="panel" role="alert">
      <h1 className="sr-only">没有权限查看</h1>
      <title>没有权限查看</title>
      <EmptyState
        title="没有权限查看"
        action={
          <ButtonLink to="/backstage" kind="primary">
            回到工作台
          </ButtonLink>
        }
      >
        您的角色没有这个权限，需要时请管理员在「员工与角色」里开通。
      </EmptyState>
    </section>
  );
}
