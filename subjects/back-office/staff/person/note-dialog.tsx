import { useRevalidator } from 'react-router';
import { personNote } from '#subjects/back-office/contract/person.ts';
import { call } from '#web/lib/api/api.ts';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { ReasonDialog } from '../parts/dialogs/reason-dialog.tsx';
import { notesChanged } from './changes.ts';

/** Writes a note about the user; it cannot be changed afterwards. */
export function NoteDialog({ userId, onClose }: { userId: string; onClose: () => void }) {
  const { revalidate } = useRevalidator();
  return (
    <ReasonDialog
      title="加备注"
      action="保存备注"
      question="同事都能看到，用户看不到；保存后不能修改，写错了可以再加一条。"
      reasons={['已电话提醒规则', '卖家称号是代朋友卖', '收款账户变更已核实']}
      reasonLabel="备注"
      isReasonNeeded
      send={(text) => call(personNote, { userId, text }, { quiet: true })}
      onDone={() => {
        toast('备注已保存', 'ok');
        notesChanged();
        void revalidate();
        onClose();
      }}
      onClose={onClose}
    />
  );
}
