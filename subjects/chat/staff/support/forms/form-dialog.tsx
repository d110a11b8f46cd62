import { type ReactNode, useId } from 'react';
import type { FormErrors } from '#web/lib/forms/form-errors.ts';
import type { SendOptions } from '#web/lib/api/mutation.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { FormError } from '#web/ui/forms/field.tsx';
import { FormFooter } from '#subjects/back-office/staff/parts/form-footer.tsx';

/**
 * A small form in a dialog. Enter saves; after an error the input is kept, with the messages next to the fields:
 * `fields` are their names in the call, `check` returns the missing fields.
 */
export function FormDialog({
  title,
  fields,
  check,
  send,
  onDone,
  onClose,
  children,
}: {
  title: string;
  fields: readonly string[];
  check: () => FormErrors;
  send: (options: SendOptions) => Promise<unknown>;
  onDone: () => void;
  onClose: () => void;
  children: (errors: FormErrors) => ReactNode;
}) {
  const formId = useId();
  const { form, busy, errors, submit } = useMutation((_: void, options) => send(options), {
    fields,
    check,
    done: onDone,
  });
  return (
    <Dialog
      title={title}
      busy={busy}
      onClose={onClose}
      footer={
        <FormFooter form={formId} busy={busy}>
          保存
        </FormFooter>
      }
    >
      <form id={formId} ref={form} noValidate className="grid gap-3" onSubmit={submit(() => undefined)}>
        {children(errors)}
        <FormError>{errors.send}</FormError>
      </form>
    </Dialog>
  );
}
