import type { gameScenes } from '#subjects/games/contract/game-doc.ts';

type Scene = (typeof gameScenes)[number];
export type Motif = 'lanes' | 'contour' | 'cross' | 'arch' | 'orbit' | 'hex' | 'wave' | 'ridge';

/** The line drawing of a game's icon and covers, by how it is played. */
const MOTIF_OF: Readonly<Record<Scene, Motif>> = {
  ridge: 'lanes',
  crystal: 'lanes',
  road: 'lanes',
  contour: 'contour',
  city: 'cross',
  dunes: 'cross',
  arch: 'arch',
  castle: 'arch',
  clouds: 'arch',
  orbit: 'orbit',
  hex: 'hex',
  cards: 'hex',
  waves: 'wave',
  lantern: 'wave',
  shrine: 'wave',
  hills: 'ridge',
  bamboo: 'ridge',
  forest: 'ridge',
  islands: 'ridge',
};

/** The line drawing of a scene; an unknown one is drawn as mountains, because a newer release may name it. */
export const motifOf = (scene: string): Motif => (Object.hasOwn(MOTIF_OF, scene) ? MOTIF_OF[scene as Scene] : 'ridge');

/** One scene for each line drawing, with the name shown to staff. */
export const motifChoices: readonly { scene: Scene; label: string }[] = [
  { scene: 'ridge', label: '三路' },
  { scene: 'contour', label: '等高线' },
  { scene: 'city', label: '准星' },
  { scene: 'arch', label: '拱门' },
  { scene: 'orbit', label: '星轨' },
  { scene: 'hex', label: '六边形' },
  { scene: 'waves', label: '波浪' },
  { scene: 'hills', label: '山峦' },
];
