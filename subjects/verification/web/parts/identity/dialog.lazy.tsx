import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { certificateInfo } from '#subjects/verification/contract/identity.ts';
import type { Data } from '#contract/endpoint.ts';
import { isDemoHost } from '#web/lib/pages/demo-host.ts';
import { call } from '#web/lib/api/api.ts';
import { asFailure, readFailureMessage } from '#web/lib/api/call-errors.ts';
import { servicePath } from '#subjects/orders/web/parts/order/order-links.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { EmptyState, ErrorState, Skeleton } from '#web/ui/states.tsx';
import { IdentityForm } from './form.tsx';

const IDENTITY_PAGE = '/center/myself/identityAuthentication';

type State = { data: Data<typeof certificateInfo> } | { error: string } | null;

/** The user's verification, read when the dialog opens. */
function useCertificate(): { state: State; reload: () => void } {
  const [state, setState] = useState<State>(null);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    const show = (next: State): void => {
      if (isCurrent) setState(next);
    };
    call(certificateInfo, {}, { quiet: true }).then(
      (data) => show({ data }),
      (thrown: unknown) => show({ error: readFailureMessage(asFailure(thrown)) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [turn]);
  return { state, reload: () => setTurn((n) => n + 1) };
}

function Body({ onDone }: { onDone: () => void }) {
  const { state, reload } = useCertificate();
  if (state === null) return <Skeleton className="h-64" />;
  if ('error' in state) return <ErrorState message={state.error} onRetry={reload} />;
  const { isOpen, face } = state.data;
  if (!isOpen)
    return (
      <EmptyState
        title="本站没有开通实名认证"
        action={<ButtonLink to={servicePath({ goodsSn: null })}>联系客服</ButtonLink>}
      >
        需要实名认证的操作暂时不能办理；已认证的账号不受影响。
      </EmptyState>
    );
  return (
    <>
      <IdentityForm demo={isDemoHost()} face={null} onVerified={onDone} />
      {face !== null && (
        <p className="mt-4 text-12 text-ink-3">
          也可以
          <Link to={IDENTITY_PAGE} className="link">
            人脸核验
          </Link>
          ，在认证服务商的页面进行，完成后请回到这里重新提交。
        </p>
      )}
    </>
  );
}

/** Real-name verification over the form of a trade that requires it; the form is kept and submitted afterwards. */
export default function IdentityDialog({ onDone, onClose }: { onDone: () => void; onClose: () => void }) {
  return (
    <Dialog title="先完成实名认证" closeOnBackdrop={false} onClose={onClose}>
      <p className="mb-4 text-13 text-ink-2">认证约 1 分钟，完成后继续刚才的操作，已填的内容都在。</p>
      <Body onDone={onDone} />
    </Dialog>
  );
}
