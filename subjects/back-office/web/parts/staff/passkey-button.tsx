import { KeyRound } from 'lucide-react';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import type { SendOptions } from '#web/lib/api/mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { FormError } from '#web/ui/forms/field.tsx';

/** A button that authenticates the user with a passkey: `send` requests options, signs them and sends the response. */
export function PasskeyButton<T>({
  label,
  send: prove,
  onDone,
}: {
  label: string;
  send: (options: SendOptions) => Promise<T>;
  onDone: (result: T) => void;
}) {
  const { busy, error, send } = useMutation<void, T>((_, options) => prove(options), {
    done: (result) => {
      onDone(result);
      return true;
    },
  });
  return (
    <div className="grid gap-2">
      <Button busy={busy} className="w-full" onClick={() => void send()}>
        <KeyRound className="icon" aria-hidden="true" />
        {label}
      </Button>
      <FormError>{error}</FormError>
    </div>
  );
}
