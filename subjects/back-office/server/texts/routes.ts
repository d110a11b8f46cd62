import * as r from '#subjects/content/contract/staff-rules.ts';
import * as d from '#subjects/disputes/contract/staff-reasons.ts';
import * as w from '#subjects/back-office/contract/blocked-words.ts';
import * as y from '#subjects/goods/contract/staff-synonyms.ts';
import * as c from '#subjects/notices/contract/staff-texts.ts';
import type { Binding } from '#server/binding.ts';
import { listNoticeTexts, noticeHistory, restoreNotice, saveNotice, saveNoticeChannels, tryNotice } from './notices.ts';
import { dropDraft, listRules, publish, revoke, ruleHistory, saveDraft } from './public-texts.ts';
import { listReasons, reasonHistory, saveReason } from './reasons.ts';
import { addSynonym, changeSynonym, dropMiss, endSynonym, listSynonyms } from './synonyms.ts';
import { addBlockedWords, changeWord, endWord, listBlockedWords, tryBlockedWords } from './blocked-words.ts';

/** Texts of notices, public rules and agreements, reasons of disputes, blocked words, synonyms of the search. */
export function bindTexts({ server }: Binding): void {
  server.serve(c.noticeTexts, listNoticeTexts);
  server.serve(c.noticeTextHistory, noticeHistory);
  server.serve(c.saveNoticeText, saveNotice);
  server.serve(c.restoreNoticeText, restoreNotice);
  server.serve(c.saveNoticeKind, saveNoticeChannels);
  server.serve(c.tryNoticeText, tryNotice);
  server.serve(r.ruleTexts, listRules);
  server.serve(r.ruleTextHistory, ruleHistory);
  server.serve(r.saveRuleDraft, saveDraft);
  server.serve(r.dropRuleDraft, dropDraft);
  server.serve(r.publishRule, publish);
  server.serve(r.revokeRule, revoke);
  server.serve(d.disputeReasons, listReasons);
  server.serve(d.disputeReasonHistory, reasonHistory);
  server.serve(d.saveDisputeReason, saveReason);
  server.serve(w.wordList, listBlockedWords);
  server.serve(w.addBlockedWords, addBlockedWords);
  server.serve(w.changeWord, changeWord);
  server.serve(w.endWord, endWord);
  server.serve(y.synonymList, listSynonyms);
  server.serve(y.addSynonym, addSynonym);
  server.serve(y.changeSynonym, changeSynonym);
  server.serve(y.endSynonym, endSynonym);
  server.serve(y.dropMiss, dropMiss);
  server.serve(w.tryBlockedWords, (call, input) => Promise.resolve(tryBlockedWords(call, input)));
}
