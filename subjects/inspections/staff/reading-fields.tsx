import type { ComponentProps } from 'react';
import type { FormErrors } from '#web/lib/forms/form-errors.ts';
import { AttrFieldControl } from '#subjects/games/web/parts/attrs/attr-field.tsx';
import { type Evidence, EvidenceBox } from '#subjects/orders/web/parts/order/evidence-box.tsx';
import { Button } from '#web/ui/button.tsx';
import { FormError } from '#web/ui/forms/field.tsx';
import { uploadStaffEvidence } from '#subjects/orders/staff/order/evidence.ts';

type GameField = ComponentProps<typeof AttrFieldControl>['field'];

/** The readings of an inspector, in the form's state. */
export interface Reading {
  details: Readonly<Record<string, unknown>>;
  pictures: readonly Evidence[];
}

/** A reading in the format of the calls. */
export function sentReading({ details, pictures }: Reading): { details: Record<string, unknown>; pictures: string[] } {
  return { details: { ...details }, pictures: pictures.map(({ key }) => key) };
}

/** The fields of an inspection: a reading for each field, pictures as proof, and the button that submits both. */
export function ReadingFields({
  intro,
  fields,
  isRequired,
  help,
  value,
  errors,
  busy,
  onChange,
}: {
  intro: string;
  fields: readonly GameField[];
  isRequired: boolean;
  help: string;
  value: Reading;
  errors: FormErrors;
  busy: boolean;
  onChange: (change: (before: Reading) => Reading) => void;
}) {
  return (
    <>
      <p className="text-12 text-ink-3">{intro}</p>
      <div className="grid gap-4 md:grid-cols-2">
        {fields.map((field) => (
          <AttrFieldControl
            key={field.key}
            field={{ ...field, required: isRequired, help: undefined }}
            value={value.details[field.key]}
            error={errors[`details.${field.key}`]}
            onChange={(read) =>
              onChange((before) => ({ ...before, details: { ...before.details, [field.key]: read } }))
            }
          />
        ))}
      </div>
      <EvidenceBox
        pictures={value.pictures}
        error={errors.pictures}
        upload={uploadStaffEvidence}
        onChange={(change) => onChange((before) => ({ ...before, pictures: change(before.pictures) }))}
        help={help}
      />
      <FormError>{errors.send ?? null}</FormError>
      <Button type="submit" kind="primary" busy={busy} className="justify-self-start">
        提交验号结果
      </Button>
    </>
  );
}
