import { useEffect } from 'react';

/** Functions that insert text into the fields of the open conversations, by group. */
const inserters = new Map<string, (text: string) => void>();

/** Allows other components to insert text into this conversation's field. */
export function useInserter(groupId: string, insert: (text: string) => void): void {
  useEffect(() => {
    inserters.set(groupId, insert);
    return () => {
      if (inserters.get(groupId) === insert) inserters.delete(groupId);
    };
  }, [groupId, insert]);
}

/** Inserts text into the field of a conversation; does nothing while it has none. */
export function insertInto(groupId: string, text: string): void {
  inserters.get(groupId)?.(text);
}
