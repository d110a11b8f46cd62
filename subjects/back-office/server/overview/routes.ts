import * as b from '#subjects/back-office/contract/board.ts';
import * as d from '#subjects/back-office/contract/overview.ts';
import * as p from '#subjects/back-office/contract/person.ts';
import type { Binding } from '#server/binding.ts';
import { funnelOf, partsOf, tradeOf } from './board.ts';
import { disputesBoard, moneyBoard } from './board-risk.ts';
import { countersOf } from './counters.ts';
import { headOf, openableOf } from './person.ts';
import { addNote, signOut, unmask } from './person-actions.ts';
import { linksOf, markLink } from './person-links.ts';
import { moneyOf } from './person-money.ts';
import { ordersOf } from './person-orders.ts';
import { recordsOf } from './person-records.ts';
import { searchAll } from './search.ts';

/** Calls across subjects: queues, the global search, one user's page. */
export function bindOverview({ server }: Binding): void {
  server.serve(d.staffCounters, countersOf);
  server.serve(d.staffSearch, searchAll);
  server.serve(b.boardTrade, tradeOf);
  server.serve(b.boardParts, partsOf);
  server.serve(b.boardFunnel, funnelOf);
  server.serve(b.boardDisputes, disputesBoard);
  server.serve(b.boardMoney, moneyBoard);
  server.serve(p.personHead, headOf);
  server.serve(p.personOpenable, openableOf);
  server.serve(p.personMoney, moneyOf);
  server.serve(p.personOrders, ordersOf);
  server.serve(p.personLinks, linksOf);
  server.serve(p.personLinkMark, markLink);
  server.serve(p.personRecords, recordsOf);
  server.serve(p.personUnmask, unmask);
  server.serve(p.personNote, addNote);
  server.serve(p.personSignOut, signOut);
}
