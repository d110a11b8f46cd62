import { giveConsent, type pendingConsents } from '#subjects/accounts/contract/consent.ts';
import type { Data } from '#contract/endpoint.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Button } from '#web/ui/button.tsx';

/** The button that agrees to a new version, with its error. */
export default function ConsentButton({
  consent: { code, version },
}: {
  consent: Data<typeof pendingConsents>['list'][number];
}) {
  const { busy, error, send } = useMutation(giveConsent, { revalidates: 'always' });
  return (
    <>
      {error && (
        <span role="alert" className="text-danger">
          {error}
        </span>
      )}
      <Button size="sm" kind="primary" busy={busy} onClick={() => void send({ code, version })}>
        同意新版本
      </Button>
    </>
  );
}
