import { SlidersHorizontal } from 'lucide-react';
import { useState } from 'react';
import { saveBargainRule } from '#subjects/offers/contract/offers.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { BackButton, Dialog } from '#web/ui/overlays/dialog.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Select } from '#web/ui/forms/input.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';

const CHOICES = [30, 40, 50, 60, 70, 75, 80, 85, 90, 95];

function FloorDialog({ percent, onClose }: { percent: number; onClose: () => void }) {
  const [value, setValue] = useState(percent);
  const { busy, errors, send } = useMutation(saveBargainRule, {
    revalidates: true,
    done: () => {
      toast('议价底线已保存', 'ok');
      onClose();
    },
  });
  return (
    <Dialog
      title="议价底线"
      onClose={onClose}
      footer={
        <>
          <BackButton>取消</BackButton>
          <Button kind="primary" busy={busy} onClick={() => void send({ floorPercent: value })}>
            保存
          </Button>
        </>
      }
    >
      <Field
        label="只看不低于标价这个比例的出价"
        required
        error={errors.send}
        help="买家出价时会看到这个下限；已经收到的出价不受影响。"
      >
        {(control) => (
          <Select {...control} value={value} onChange={(event) => setValue(Number(event.target.value))}>
            {[...new Set([...CHOICES, percent])]
              .toSorted((a, b) => a - b)
              .map((choice) => (
                <option key={choice} value={choice}>
                  标价的 {choice}%
                </option>
              ))}
          </Select>
        )}
      </Field>
    </Dialog>
  );
}

/** The seller's lowest acceptable offer, and its editor, which the page opens and closes. */
export function FloorRule({
  percent,
  open,
  onOpen,
}: {
  percent: number;
  open: boolean;
  onOpen: (open: boolean) => void;
}) {
  return (
    <>
      <Button size="sm" onClick={() => onOpen(true)}>
        <SlidersHorizontal className="icon size-3.5" aria-hidden="true" />
        底线：标价的 {percent}%
      </Button>
      {open && <FloorDialog percent={percent} onClose={() => onOpen(false)} />}
    </>
  );
}
