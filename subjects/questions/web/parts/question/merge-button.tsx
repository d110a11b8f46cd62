import { mergeAnswer } from '#subjects/questions/contract/question.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';

/** Puts question and answer into the listing's description; the listing is then reviewed again. */
export function MergeButton({ questionId, onDone }: { questionId: number; onDone: () => void }) {
  const { busy, send } = useMutation(mergeAnswer, {
    toasts: true,
    done: ({ statusName }) => {
      toast(`已写进商品描述，商品${statusName}`, 'ok');
      onDone();
    },
  });
  return (
    <Button size="sm" busy={busy} title="商品会重新审核，通过前买家看不到" onClick={() => void send({ questionId })}>
      写进商品描述
    </Button>
  );
}
