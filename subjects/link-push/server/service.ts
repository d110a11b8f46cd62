/** Submission of pages to a search engine, for the subjects above. */
export { queueCase } from './queue.ts';
