import { useEffect, useState } from 'react';
import type { Data } from '#contract/endpoint.ts';
import { roleCardInfoList } from '#subjects/games/contract/role-card.ts';
import { call } from '#web/lib/api/api.ts';

export type RoleCard = Data<typeof roleCardInfoList>['list'][number];

const MAX_VISIBLE = 8;

/** The user's saved characters of a game as buttons; renders nothing without any. `onPick` fills the form with one. */
export function RolePicker({ gameId, onPick }: { gameId: number; onPick: (card: RoleCard) => void }) {
  const [cards, setCards] = useState<readonly RoleCard[]>([]);
  useEffect(() => {
    const request = new AbortController();
    call(roleCardInfoList, { gameId, pageSize: MAX_VISIBLE }, { quiet: true, signal: request.signal }).then(
      ({ list }) => setCards(list),
      () => undefined,
    );
    return () => request.abort();
  }, [gameId]);
  if (cards.length === 0) return null;
  return (
    <div className="flex flex-wrap items-center gap-2" role="group" aria-label="常用角色">
      <span className="text-12 text-ink-3">常用角色</span>
      {cards.map((card) => (
        <button key={card.id} type="button" className="btn btn-sm max-w-60" onClick={() => onPick(card)}>
          <span className="truncate">
            {card.roleName}
            {card.serverName && <span className="ml-1 text-ink-3">{card.serverName}</span>}
          </span>
        </button>
      ))}
    </div>
  );
}
