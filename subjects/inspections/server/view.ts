import type { z } from 'zod';
import type { inspectionList } from '#subjects/inspections/contract/inspection.ts';
import { imageUrl } from '#subjects/media/server/service.ts';
import type { Catalogue } from '#subjects/games/server/service.ts';
import { type InspectionState, inspectionStates } from './rules.ts';
import type { ReadingRow, TaskRow } from './rows.ts';

type Item = z.input<typeof inspectionList.data>['list'][number];
const THUMB = 320;

const stateName = (status: InspectionState, differs: number): string =>
  status === 'done' && differs > 0 ? `有 ${differs} 项不同` : inspectionStates[status];

/** The fields of a task shown in every list. */
export const taskView = (t: TaskRow, all: Catalogue) => ({
  taskId: t.id,
  goodsSn: t.goodsSn,
  title: t.title,
  gameName: all.game(t.gameId)?.name ?? '',
  kind: t.kind,
  askedBy: t.requestedBy,
  status: t.status,
  statusName: stateName(t.status, t.differs),
  fee: t.feeFen,
  differs: t.differs,
  dueTime: t.dueAt,
  doneTime: t.doneAt,
  closedReason: t.closedReason,
  createTime: t.createdAt,
});

/** One reading. */
export const readingView = (r: ReadingRow): Item['readings'][number] => ({
  key: r.field,
  label: r.label,
  said: r.said,
  found: r.found,
  differs: r.differs,
});

/** Pictures of proof. */
export const pictureViews = (keys: readonly string[]) =>
  keys.map((key) => ({ url: imageUrl(key), thumb: imageUrl(key, THUMB) }));
