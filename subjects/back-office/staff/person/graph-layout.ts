import type { personLinks } from '#subjects/back-office/contract/person.ts';
import type { Data } from '#contract/endpoint.ts';

type Links = Data<typeof personLinks>;

export const GRAPH = { width: 720, height: 430 } as const;
const CENTRE = { x: GRAPH.width / 2, y: GRAPH.height / 2 };
const RADII = { x: 280, y: 158 };
const BOX = { width: 132, height: 26 };

export interface Place {
  x: number;
  y: number;
}

export interface GraphLayout {
  centre: Place;
  people: Map<string, Place>;
  boxes: Map<string, Place>;
}

/** Users in the order of the circle: those who share a reason are neighbours. */
function around({ people, reasons }: Pick<Links, 'people' | 'reasons'>): string[] {
  const order = [...new Set(reasons.flatMap(({ users }) => users))];
  const known = new Set(people.map(({ userId }) => userId));
  return order.filter((userId) => known.has(userId));
}

/** Pushes overlapping boxes apart along the shorter axis; a few rounds are enough for a dozen boxes. */
function spread(boxes: [string, Place][]): void {
  for (let round = 0; round < 40; round++) {
    for (const [i, [, a]] of boxes.entries()) {
      for (const [, b] of boxes.slice(i + 1)) {
        const [over, up] = [BOX.width + 8 - Math.abs(a.x - b.x), BOX.height + 8 - Math.abs(a.y - b.y)];
        if (over <= 0 || up <= 0) continue;
        const sign = a.y <= b.y ? 1 : -1;
        a.y -= (sign * up) / 2;
        b.y += (sign * up) / 2;
      }
      // Keeps the user in the middle readable.
      const near = 44 + BOX.height / 2 - Math.abs(a.y - CENTRE.y);
      if (near > 0 && Math.abs(a.x - CENTRE.x) < BOX.width / 2 + 40) a.y += a.y < CENTRE.y ? -near : near;
    }
  }
}

/**
 * The position of each circle and each box: people on an ellipse around the user, reasons between the user and the
 * linked people.
 */
export function layoutOf(links: Pick<Links, 'people' | 'reasons'>): GraphLayout {
  const order = around(links);
  const people = new Map(
    order.map((userId, i): [string, Place] => {
      const angle = -Math.PI / 2 + (2 * Math.PI * (i + 0.5)) / Math.max(order.length, 2);
      return [userId, { x: CENTRE.x + RADII.x * Math.cos(angle), y: CENTRE.y + RADII.y * Math.sin(angle) }];
    }),
  );
  const boxes = links.reasons.map(({ key, users }): [string, Place] => {
    const at = users.flatMap((userId) => people.get(userId) ?? []);
    const mean = (axis: 'x' | 'y') => at.reduce((sum, point) => sum + point[axis], 0) / Math.max(1, at.length);
    return [key, { x: CENTRE.x + (mean('x') - CENTRE.x) * 0.52, y: CENTRE.y + (mean('y') - CENTRE.y) * 0.56 }];
  });
  spread(boxes);
  return { centre: CENTRE, people, boxes: new Map(boxes) };
}
