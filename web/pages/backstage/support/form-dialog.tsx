import { type ReactNode } from 'react';
import type { SendOptions } from '#web/lib/mutation.ts';
import { useMutation } from '#web/lib/use-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { BackButton, Dialog } from '#web/ui/dialog.tsx';
import { FormError } from '#web/ui/field.tsx';

/** A small form in a dialog. Enter saves; after an error the message is shown and the input kept. `check` returns what is missing. */
export function FormDialog({
  title,
  check,
  send,
  onDone,
  onClose,
  children,
}: {
  title: string;
  check: () => string | null;
  send: (options: SendOptions) => Promise<unknown>;
  onDone: () => void;
  onClose: () => void;
  children: ReactNode;
}) {
  const {
    busy,
    error,
    send: submit,
  } = useMutation((_: void, options) => send(options), {
    check: () => ({ send: check() ?? undefined }),
    done: onDone,
  });
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          <BackButton>取消</BackButton>
          <Button kind="primary" busy={busy} onClick={() => void submit()}>
            保存
          </Button>
        </>
      }
    >
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {children}
        <FormError>{error}</FormError>
        <button type="submit" hidden aria-hidden="true" tabIndex={-1} />
      </form>
    </Dialog>
  );
}
