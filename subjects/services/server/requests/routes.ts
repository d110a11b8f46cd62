import * as c from '#subjects/services/contract/boosting.ts';
import type { Binding } from '#server/binding.ts';
import { expireRequest, postRequest, withdrawRequest } from './post.ts';
import { loadBoard, formGames, ownRequests, quoteRequest } from './read.ts';
import { takeRequest } from './take.ts';

/** Open orders of boosting: posted by buyers, claimed by boosters. */
export function bindRequests({ server, effects }: Binding): void {
  server.serve(c.boostGames, formGames);
  server.serve(c.boostQuote, quoteRequest);
  server.serve(c.boostPost, postRequest);
  server.serve(c.myBoostRequests, ownRequests);
  server.serve(c.boostBoard, loadBoard);
  server.serve(c.boostWithdraw, withdrawRequest);
  server.serve(c.boostTake, takeRequest);
  effects.timer('boost.expire', expireRequest);
}
