import { useMemo } from 'react';
import { Link } from 'react-router';
import type { personLinks } from '#subjects/back-office/contract/person.ts';
import type { Data } from '#contract/endpoint.ts';
import { UserStatus } from '#contract/rules/statuses.ts';
import { hueOf, initialOf } from '#web/lib/format/hue.ts';
import { cx } from '#web/ui/class-names.ts';
import { GRAPH, layoutOf, type Place } from './graph-layout.ts';

type Links = Data<typeof personLinks>;
type LinkedPerson = Links['people'][number];

const shortened = (name: string, most: number): string => (name.length > most ? `${name.slice(0, most - 1)}…` : name);

/** A curve next to the straight line, so that a trade does not overlap the line of a reason. */
function curve(from: Place, to: Place): { path: string; start: Place; bend: Place; end: Place } {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy) || 1;
  const bend = { x: (from.x + to.x) / 2 - (dy / length) * 56, y: (from.y + to.y) / 2 + (dx / length) * 56 };
  const [start, end] = [0.16, 0.84].map((t) => ({ x: from.x + dx * t, y: from.y + dy * t })) as [Place, Place];
  return {
    path: `M${start.x} ${start.y}Q${bend.x} ${bend.y} ${end.x} ${end.y}`,
    end,
    bend,
    start,
  };
}

function Trade({ person, at, centre }: { person: LinkedPerson; at: Place; centre: Place }) {
  const { sold, bought } = person;
  if (sold.orders + bought.orders === 0) return null;
  const isBuyer = sold.orders >= bought.orders;
  const { path, start, bend, end } = curve(isBuyer ? at : centre, isBuyer ? centre : at);
  // The note is placed near the other one, away from the boxes around the user.
  const near = isBuyer ? start : end;
  const note = { x: near.x * 0.45 + bend.x * 0.55, y: near.y * 0.45 + bend.y * 0.55 };
  const { orders, amount } = isBuyer ? sold : bought;
  return (
    <g>
      <path d={path} className="graph-trade" markerEnd="url(#graph-arrow)" />
      <text x={note.x} y={note.y} className="graph-note">
        买了 {orders} 笔，¥{Math.round(Number(amount))}
      </text>
    </g>
  );
}

function Circle({ person, at, dim }: { person: LinkedPerson; at: Place; dim: boolean }) {
  const isBad = person.status === UserStatus.Restricted;
  const isUp = at.y < GRAPH.height / 2;
  return (
    <Link
      to={`/backstage/users/${person.userId}`}
      className={cx('graph-person', dim && 'graph-dim', isBad && 'graph-bad')}
      style={{ '--hue': hueOf(person.nickName) }}
      aria-label={`${person.nickName}，${person.role}`}
    >
      <circle cx={at.x} cy={at.y} r="19" />
      <text x={at.x} y={at.y + 5} className="graph-initial">
        {initialOf(person.nickName)}
      </text>
      <text x={at.x} y={isUp ? at.y - 38 : at.y + 34}>
        {shortened(person.nickName, 9)}
      </text>
      <text x={at.x} y={isUp ? at.y - 25 : at.y + 48} className="graph-role">
        {person.role}
      </text>
    </Link>
  );
}

/**
 * People as circles, reasons as boxes between them and the user, trades as blue arrows; the list next to it has the
 * same content as text.
 */
export function LinkGraph({
  links,
  self,
  active,
  onActive,
}: {
  links: Links;
  self: { nickName: string };
  active: string | null;
  onActive: (key: string | null) => void;
}) {
  const layout = useMemo(() => layoutOf(links), [links]);
  const chosen = links.reasons.find(({ key }) => key === active);
  const { centre } = layout;
  return (
    <svg
      viewBox={`0 0 ${GRAPH.width} ${GRAPH.height}`}
      className="graph"
      role="group"
      aria-label="关系图，右侧列表是同样的内容"
    >
      <defs>
        <marker id="graph-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
          <path d="M0 0l8 4-8 4z" className="graph-arrow" />
        </marker>
      </defs>
      {links.people.map((person) => {
        const at = layout.people.get(person.userId);
        return at && <Trade key={person.userId} person={person} at={at} centre={centre} />;
      })}
      {links.reasons.map((reason) => {
        const box = layout.boxes.get(reason.key);
        if (!box) return null;
        const marked = new Set(reason.mark.map(({ userId }) => userId));
        return (
          <g key={reason.key} className={cx(chosen && chosen.key !== reason.key && 'graph-dim')}>
            <line x1={centre.x} y1={centre.y} x2={box.x} y2={box.y} className={`graph-${reason.strength}`} />
            {reason.users.map((userId) => {
              const at = layout.people.get(userId);
              return (
                at && (
                  <line
                    key={userId}
                    x1={box.x}
                    y1={box.y}
                    x2={at.x}
                    y2={at.y}
                    className={marked.has(userId) ? 'graph-weak' : `graph-${reason.strength}`}
                  />
                )
              );
            })}
          </g>
        );
      })}
      {links.people.map((person) => {
        const at = layout.people.get(person.userId);
        const isDim = chosen !== undefined && !chosen.users.includes(person.userId);
        return at && <Circle key={person.userId} person={person} at={at} dim={isDim} />;
      })}
      {links.reasons.map((reason) => {
        const box = layout.boxes.get(reason.key);
        return (
          box && (
            <g
              key={reason.key}
              className={cx('graph-box', chosen && chosen.key !== reason.key && 'graph-dim')}
              onPointerEnter={() => onActive(reason.key)}
              onPointerLeave={() => onActive(null)}
            >
              <rect x={box.x - 62} y={box.y - 12} width="124" height="24" rx="5" />
              <text x={box.x} y={box.y + 4}>
                {shortened(reason.label, 16)}
              </text>
            </g>
          )
        );
      })}
      <g className="graph-self">
        <circle cx={centre.x} cy={centre.y} r="26" />
        <text x={centre.x} y={centre.y + 7} className="graph-initial">
          {initialOf(self.nickName)}
        </text>
        <text x={centre.x} y={centre.y + 44} className="graph-name">
          {shortened(self.nickName, 10)}
        </text>
      </g>
    </svg>
  );
}
