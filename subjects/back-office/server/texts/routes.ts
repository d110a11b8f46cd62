import * as w from '#subjects/back-office/contract/blocked-words.ts';
import * as c from '#subjects/notices/contract/staff-texts.ts';
import type { Binding } from '#server/binding.ts';
import { listNoticeTexts, noticeHistory, restoreNotice, saveNotice, saveNoticeChannels, tryNotice } from './notices.ts';
import { addBlockedWords, changeWord, endWord, listBlockedWords, tryBlockedWords } from './blocked-words.ts';

/** Texts of notices, public rules and agreements, reasons of disputes, blocked words, synonyms of the search. */
export function bindTexts({ server }: Binding): void {
  server.serve(c.noticeTexts, listNoticeTexts);
  server.serve(c.noticeTextHistory, noticeHistory);
  server.serve(c.saveNoticeText, saveNotice);
  server.serve(c.restoreNoticeText, restoreNotice);
  server.serve(c.saveNoticeKind, saveNoticeChannels);
  server.serve(c.tryNoticeText, tryNotice);
  server.serve(w.wordList, listBlockedWords);
  server.serve(w.addBlockedWords, addBlockedWords);
  server.serve(w.changeWord, changeWord);
  server.serve(w.endWord, endWord);
  server.serve(w.tryBlockedWords, (call, input) => Promise.resolve(tryBlockedWords(call, input)));
}
