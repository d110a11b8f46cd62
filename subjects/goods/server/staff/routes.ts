import { staffGoodsList, staffTakeDown } from '#subjects/goods/contract/staff-listings.ts';
import * as y from '#subjects/goods/contract/staff-synonyms.ts';
import type { Binding } from '#server/binding.ts';
import { listGoods, takeDown } from './goods-list.ts';
import { addSynonym, changeSynonym, dropMiss, endSynonym, listSynonyms } from './synonyms.ts';

/** Calls of staff on listings and on the synonyms of the search. */
export function bindGoodsStaff({ server }: Binding): void {
  server.serve(staffGoodsList, (call, input) => listGoods(call, input));
  server.serve(staffTakeDown, takeDown);
  server.serve(y.synonymList, listSynonyms);
  server.serve(y.addSynonym, addSynonym);
  server.serve(y.changeSynonym, changeSynonym);
  server.serve(y.endSynonym, endSynonym);
  server.serve(y.dropMiss, dropMiss);
}
