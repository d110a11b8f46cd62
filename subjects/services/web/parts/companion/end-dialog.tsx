import { useEffect } from 'react';
import { useRevalidator } from 'react-router';
import { serviceAct } from '#subjects/services/contract/services.ts';
import { call } from '#web/lib/api/api.ts';
import { ConfirmDialog } from '#web/parts/confirm-dialog.tsx';
import type { ServiceOrder } from '../service/service-order.ts';
import { endConsequences } from './end-text.ts';

/** Asks before a running play is ended, with the minutes and amounts of this moment: the page may have been open for an hour. */
export function EndDialog({ service, onClose }: { service: ServiceOrder; onClose: () => void }) {
  const { revalidate } = useRevalidator();
  useEffect(() => void revalidate(), [revalidate]);
  const { play, viewer, orderId } = service;
  if (!play) return null;
  return (
    <ConfirmDialog
      title="结束陪玩"
      action="结束陪玩"
      back="继续玩"
      danger
      question={
        <ul className="grid gap-1.5">
          {endConsequences(viewer, play).map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      }
      send={(_, options) => call(serviceAct, { orderId: String(orderId), act: 'end' }, options)}
      onDone={() => {
        onClose();
        void revalidate();
      }}
      onClose={onClose}
    />
  );
}
