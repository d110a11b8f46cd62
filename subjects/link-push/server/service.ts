/** Submission of pages to a search engine, for the slices above. */
export { queueCase } from './queue.ts';
