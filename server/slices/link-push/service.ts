/** Pages that a search engine is told of, for the slices above. */
export { queueCase } from './queue.ts';
