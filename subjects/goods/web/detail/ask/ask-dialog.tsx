import { Link } from 'react-router';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { AskForm } from './ask-form.tsx';
import type { DetailData } from '../loader.ts';

/** A question to the seller, opened next to the purchase button: private by default. */
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
      <p className="mt-3 border-t border-line-soft pt-3 text-13 text-ink-2">
        交付、包赔和退款的问题由平台回答：
        <Link to={`/customerService?goodsSn=${goods.goodsSn}`} className="link">
          问客服
        </Link>
      </p>
    </Dialog>
  );
}
