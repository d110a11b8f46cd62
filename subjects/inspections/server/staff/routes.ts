import * as n from '#subjects/inspections/contract/inspection.ts';
import type { Binding } from '#server/binding.ts';
import { pickListing } from '../request.ts';
import { claimTask } from '../work.ts';
import { inspectionForStaff, openCredentials, record, secondOnInspection } from './inspections.ts';
import { staffTaskList } from './task-list.ts';
import { decideWrong, listWrong, secondOnWrong } from './wrong-readings.ts';

/** Inspections that the platform carries out, and claims about wrong readings. */
export function bindInspectionsStaff({ server }: Binding): void {
  server.serve(n.staffInspectionList, staffTaskList);
  server.serve(n.staffInspectionPick, pickListing);
  server.serve(n.staffInspectionClaim, claimTask);
  server.serve(n.staffInspectionInfo, inspectionForStaff);
  server.serve(n.staffInspectionOpen, openCredentials);
  server.serve(n.staffInspectionRecord, record);
  server.serve(n.staffInspectionSecond, secondOnInspection);
  server.serve(n.staffWrongReadings, listWrong);
  server.serve(n.staffWrongDecide, decideWrong);
  server.serve(n.staffWrongSecond, secondOnWrong);
}
