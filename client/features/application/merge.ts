// Merges two versions of the answers that have a common base.

import { canonical, comparablePaths, gateOf, isHidden, isSamePart, withPart, type Answers } from './answers';

interface Merged {
  answers: Answers;
  /** Paths that both sides changed differently; `answers` has my version there. */
  conflicts: string[];
}

/**
 * Three-way merge: what only one side changed is taken from that side; choices in a list are merged one by one. What I
 * typed stays as typed if it means the same. If one side no longer asks what the other has answered, the conflict is at
 * the preceding question.
 */
export function merge(base: Answers, mine: Answers, theirs: Answers): Merged {
  const before = canonical(base);
  const here = canonical(mine);
  const there = canonical(theirs);
  const paths = comparablePaths(before, here, there);

  let answers = mine;
  const conflicts = new Set<string>();

  for (const path of paths.filter((each) => !gateOf(each))) {
    if (isSamePart(path, here, there) || isSamePart(path, before, there)) continue;
    const list = mergedList(before[path], here[path], there[path]);
    if (list) answers = { ...answers, [path]: list };
    else if (isSamePart(path, before, here)) answers = withPart(answers, path, theirs);
    else conflicts.add(path);
  }

  const gates = answers;
  for (const path of paths) {
    const gate = gateOf(path);
    if (!gate) continue;
    const myChange = !isHidden(path, mine) && !isSamePart(path, before, here);
    const theirChange = !isHidden(path, theirs) && !isSamePart(path, before, there);
    if (theirChange && (!myChange || isSamePart(path, here, there))) {
      if (!isSamePart(path, here, there)) answers = withPart(answers, path, theirs);
      // My answer is the one that hides it.
      if (isHidden(path, gates)) conflicts.add(gate.path);
    } else if (myChange && isHidden(path, gates)) {
      answers = withPart(answers, gate.path, mine);
      conflicts.add(gate.path);
    } else if (myChange && theirChange) conflicts.add(path);
  }
  return { answers, conflicts: [...conflicts] };
}

type Answer = string | string[] | undefined;

function mergedList(base: Answer, mine: Answer, theirs: Answer): string[] | null {
  if (!Array.isArray(base) || !Array.isArray(mine) || !Array.isArray(theirs)) return null;
  const kept = mine.filter((value) => theirs.includes(value) || !base.includes(value));
  const added = theirs.filter((value) => !base.includes(value) && !mine.includes(value));
  return [...kept, ...added];
}
