import { Field } from '#web/ui/forms/field.tsx';
import type { Message } from '#web/lib/forms/form-errors.ts';
import { Select } from '#web/ui/forms/input.tsx';

/** The site that the content is for. A user who writes for one site has no choice. */
export function SiteSelect({
  sites,
  value,
  error,
  onChange,
}: {
  sites: readonly { distId: number; name: string }[];
  value: string;
  error?: Message | null | undefined;
  onChange: (distId: string) => void;
}) {
  const only = sites.length === 1 ? sites[0] : undefined;
  return (
    <Field label="站点" required error={error}>
      {(control) => (
        <Select
          {...control}
          value={only ? String(only.distId) : value}
          disabled={only !== undefined}
          onChange={(event) => onChange(event.target.value)}
        >
          {!only && <option value="">全部站点</option>}
          {sites.map(({ distId, name }) => (
            <option key={distId} value={distId}>
              {name}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
