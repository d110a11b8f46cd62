import { Dialog } from '#web/ui/dialog.tsx';
import { AskForm } from './ask-form.tsx';
import type { DetailData } from './loader.ts';

/** A question to the seller from beside the purchase button: for the two alone unless changed. */
export default function AskDialog({
  goods,
  first,
  onClose,
  onAsked,
}: {
  goods: DetailData['goods'];
  first: string;
  onClose: () => void;
  onAsked: () => void;
}) {
  return (
    <Dialog title="问卖家" onClose={onClose} closeOnBackdrop={false}>
      <AskForm goods={goods} items={[]} first={first} asPrivate onAsked={onAsked} />
    </Dialog>
  );
}
