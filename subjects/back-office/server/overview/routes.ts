import * as b from '#subjects/back-office/contract/board.ts';
import * as d from '#subjects/back-office/contract/overview.ts';
import * as p from '#subjects/back-office/contract/person.ts';
import type { Binding } from '#server/binding.ts';
import { loadFunnel, loadParts, loadTrade } from './board.ts';
import { disputesBoard, moneyBoard } from './board-risk.ts';
import { loadCounters } from './counters.ts';
import { loadHead, findOpenable } from './person.ts';
import { addNote, signOut, unmask } from './person-actions.ts';
import { loadLinks, markLink } from './person-links.ts';
import { loadMoney } from './person-money.ts';
import { loadOrders } from './person-orders.ts';
import { loadRecords } from './person-records.ts';
import { searchAll } from './search.ts';

/** Calls across subjects: queues, the global search, one user's page. */
export function bindOverview({ server }: Binding): void {
  server.serve(d.staffCounters, loadCounters);
  server.serve(d.staffSearch, searchAll);
  server.serve(b.boardTrade, loadTrade);
  server.serve(b.boardParts, loadParts);
  server.serve(b.boardFunnel, loadFunnel);
  server.serve(b.boardDisputes, disputesBoard);
  server.serve(b.boardMoney, moneyBoard);
  server.serve(p.personHead, loadHead);
  server.serve(p.personOpenable, findOpenable);
  server.serve(p.personMoney, loadMoney);
  server.serve(p.personOrders, loadOrders);
  server.serve(p.personLinks, loadLinks);
  server.serve(p.personLinkMark, markLink);
  server.serve(p.personRecords, loadRecords);
  server.serve(p.personUnmask, unmask);
  server.serve(p.personNote, addNote);
  server.serve(p.personSignOut, signOut);
}
