import { Radio } from '#web/ui/forms/input.tsx';

/** How the owner is verified: by the old password or by a code to the current phone number. */
export type ProofKind = 'old' | 'sms';

/** The choice between the two. */
export function Proof({
  kind,
  oldName,
  onChoose,
}: {
  kind: ProofKind;
  oldName: string;
  onChoose: (kind: ProofKind) => void;
}) {
  return (
    <fieldset className="flex flex-wrap gap-x-6 gap-y-2">
      <legend className="sr-only">验证方式</legend>
      <Radio name="proof" checked={kind === 'old'} onChange={() => onChoose('old')}>
        {oldName}
      </Radio>
      <Radio name="proof" checked={kind === 'sms'} onChange={() => onChoose('sms')}>
        用短信验证码
      </Radio>
    </fieldset>
  );
}
