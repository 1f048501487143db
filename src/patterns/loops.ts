/** The loops of a graph, for the analyses that ask whether something can happen again and again. */

/** Of each node the number of its strongly connected component, or -1 where no way leads back to it (Tarjan's algorithm, without recursion). */
export function loopsOf(next: readonly (readonly number[])[]): readonly number[] {
  const order = new Array<number>(next.length).fill(-1);
  const low = new Array<number>(next.length).fill(0);
  const found = new Array<number>(next.length).fill(-1);
  const open: number[] = [];
  const isOpen = new Set<number>();
  let count = 0;
  for (const [root] of next.entries()) {
    if (order[root] !== -1) continue;
    const calls: { readonly node: number; at: number }[] = [{ node: root, at: 0 }];
    for (let call = calls.at(-1); call !== undefined; call = calls.at(-1)) {
      const { node } = call;
      if (call.at === 0) {
        order[node] = count;
        low[node] = count;
        count += 1;
        open.push(node);
        isOpen.add(node);
      }
      const target = next[node]?.[call.at];
      call.at += 1;
      if (target !== undefined) {
        if (order[target] === -1) calls.push({ node: target, at: 0 });
        else if (isOpen.has(target)) low[node] = Math.min(low[node] ?? 0, order[target] ?? 0);
        continue;
      }
      calls.pop();
      const parent = calls.at(-1);
      if (parent !== undefined) low[parent.node] = Math.min(low[parent.node] ?? 0, low[node] ?? 0);
      if (low[node] !== order[node]) continue;
      const members = open.splice(open.indexOf(node));
      for (const member of members) isOpen.delete(member);
      const isLoop = members.length > 1 || (next[node]?.includes(node) ?? false);
      if (isLoop) for (const member of members) found[member] = node;
    }
  }
  return found;
}
