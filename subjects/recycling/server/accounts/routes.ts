import * as c from '#subjects/recycling/contract/account-recycling.ts';
import type { Binding } from '#server/binding.ts';
import { applyAccount, quoteFloor } from './apply.ts';
import { bidOnAccount, loadBoard, takenOver } from './bids.ts';
import { onDue, scheduleMissingTimers, takeOverDue } from './clock.ts';
import { acceptBid, answerCut, withdrawRequest } from './decide.ts';
import { recentOnes } from './recent.ts';
import { ensurePlatform } from './platform.ts';
import { listRequests, requestInfo, loadTerms } from './read.ts';

/** Accounts sold to recyclers: floor, blind bids, binding offer, inspection, payment. */
export async function bindAccountRecycling({ ctx, server, effects }: Binding): Promise<void> {
  server.serve(c.recycleFloor, quoteFloor);
  server.serve(c.recycleApply, applyAccount);
  server.serve(c.recycleInfo, requestInfo);
  server.serve(c.recycleList, listRequests);
  server.serve(c.recycleAccept, acceptBid);
  server.serve(c.recycleWithdraw, withdrawRequest);
  server.serve(c.recycleAnswer, answerCut);
  server.serve(c.recycleTaken, takenOver);
  server.serve(c.recycleBoard, loadBoard);
  server.serve(c.recycleBid, bidOnAccount);
  server.serve(c.recycleRecent, recentOnes);
  server.serve(c.recycleTerms, loadTerms);
  effects.timer('recycle.due', onDue);
  effects.timer('recycle.takeOver', takeOverDue);
  effects.every('recycle.dueMissing', scheduleMissingTimers);
  await ensurePlatform(ctx);
}
