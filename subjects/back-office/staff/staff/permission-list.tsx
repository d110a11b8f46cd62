import type { staffOptions } from '#subjects/back-office/contract/staff.ts';
import type { Data } from '#contract/endpoint.ts';
import type { Message } from '#web/lib/forms/form-errors.ts';
import { FormError, useMessage } from '#web/ui/forms/field.tsx';
import { Checkbox, withChoice } from '#web/ui/forms/input.tsx';

export type StaffOptions = Data<typeof staffOptions>;

/**
 * The permissions by group as checkboxes; those that the caller may not grant, or that the role already has, are fixed.
 */
export function PermissionList({
  label,
  options,
  chosen,
  included = [],
  onChange,
  error,
}: {
  label: string;
  options: StaffOptions['permissions'];
  chosen: readonly string[];
  /** Permissions of the role: shown as granted. */
  included?: readonly string[];
  onChange: (next: string[]) => void;
  error?: Message | undefined;
}) {
  const [message, onEdit] = useMessage(error);
  const groups = [...new Set(options.map(({ group }) => group))];
  return (
    <fieldset className="grid gap-3" onChange={onEdit}>
      <legend className="mb-1 text-13 font-medium">{label}</legend>
      {groups.map((group) => (
        <fieldset key={group} className="grid gap-1.5">
          <legend className="mb-1.5 text-12 text-ink-3">{group}</legend>
          <div className="grid grid-cols-2 gap-x-4 gap-y-1.5 sm:grid-cols-3">
            {options
              .filter((option) => option.group === group)
              .map(({ code, name, canGive }) => (
                <Checkbox
                  key={code}
                  name="permissions"
                  value={code}
                  checked={included.includes(code) || chosen.includes(code)}
                  disabled={included.includes(code) || !canGive}
                  onChange={(event) => onChange(withChoice(chosen, code, event.target.checked))}
                >
                  {name}
                </Checkbox>
              ))}
          </div>
        </fieldset>
      ))}
      <FormError>{message}</FormError>
    </fieldset>
  );
}
